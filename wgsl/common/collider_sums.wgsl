// Workgroups that sum over cells for each collider, as the host has them.
//!include common/params

fn sums_of_collider() -> u32 {
    return clamp(64u / max(params.counts.colliders, 1u), 1u, 16u);
}
