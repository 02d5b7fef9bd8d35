// T = 1 at the beginning of each step.
//!include common/control

//!write toy_heat: array<f32>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s < control.particle_count) { toy_heat[s] = 1.0; }
}
