// Marks the fluid in the region from which a program removes it: the last of the regions.
//!include common/control
//!include common/colliders
//!include shared/regions

//!read position identity regions distances
//!write removed

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let exists = i < control.particle_count;
    let region = regions[params.counts.drains + params.counts.sources];
    let at = min(i, arrayLength(&position) - 1u);
    let is_inside = region_distance(region, to_local(region, position[at].xyz)) < 0.0;
    // The last element is of no slot: with it the sums' last one counts all.
    removed[i] = select(0u, 1u, exists && kind_of(identity[at]) == KIND_FLUID && is_inside);
}
