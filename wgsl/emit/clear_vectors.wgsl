// The vectors that a method keeps of each particle from step to step are 0 for a new one, whose slot may have been another's before.
//!include common/new_particle

//!write kept_vectors: array<vec4<f32>>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let slot = new_slot(element(global_id));
    if (slot == NO_SLOT) { return; }
    kept_vectors[slot] = vec4<f32>(0.0);
}
