// New particles move without a gradient.
//!include common/new_particle

//!write affine

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let slot = new_slot(element(global_id));
    if (slot == NO_SLOT) { return; }
    let none = vec4<f32>(0.0);
    affine[slot] = array<vec4<f32>, 3>(none, none, none);
}
