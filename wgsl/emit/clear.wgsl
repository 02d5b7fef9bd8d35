// What a method keeps of each particle from step to step is 0 for a new one, whose slot may have been another's before: all
// scalars of an element, whatever its type.
//!include common/new_particle

//!write kept: array<f32>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let slot = new_slot(element(global_id));
    if (slot == NO_SLOT) { return; }
    let width = arrayLength(&kept) / params.counts.capacity;
    for (var k = 0u; k < width; k++) { kept[width * slot + k] = 0.0; }
}
