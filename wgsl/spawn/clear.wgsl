// What a method keeps of each particle is 0 in slots without one, as new ones have it.
//!include common/control

//!write kept: array<f32>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count || has_particle(i)) { return; }
    let width = arrayLength(&kept) / params.counts.capacity;
    for (var lane = 0u; lane < width; lane++) { kept[width * i + lane] = 0.0; }
}
