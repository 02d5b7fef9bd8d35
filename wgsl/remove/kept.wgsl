// What a method keeps of each particle goes with it to the slot of a removed one.
//!include common/control
//!include common/refill

//!write kept: array<f32>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let slot = slot_to_fill(i);
    if (slot == NO_SLOT) { return; }
    let width = arrayLength(&kept) / params.counts.capacity;
    for (var lane = 0u; lane < width; lane++) { kept[width * slot + lane] = kept[width * i + lane]; }
}
