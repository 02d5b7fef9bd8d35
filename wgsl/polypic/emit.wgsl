// New particles move without terms.
//!include common/new_particle

//!write poly

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let slot = new_slot(element(global_id));
    if (slot == NO_SLOT) { return; }
    let none = vec4<f32>(0.0);
    poly[slot] = array<vec4<f32>, 6>(none, none, none, none, none, none);
}
