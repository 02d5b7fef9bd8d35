// T becomes a share of itself: an iteration of the loop.
//!include common/control

//!write toy_heat: array<f32>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s < control.particle_count) { toy_heat[s] *= params.methods.toy.share; }
}
