// Divergence-free solver: the rate of change of the compression must vanish (Bender, Koschier 2015,
// 8–9). Particles that are too far apart may approach, by a share of the deficit per step:
// otherwise fluid that has expanded due to inexact κ would stay so, and a splash could not fall
// back together.
//!include common/compression

const CLOSING = 0.05;

fn too_much(excess: f32, change: f32) -> f32 {
    return change + CLOSING * min(excess, 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    evaluate_error(member_of(i), i / 64u, local);
}
