// The velocities that pressure has yet to change (Solenthaler, Pajarola 2009, Algorithm 2).
//!include common/control

@group(1) @binding(0) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read_write> advected_velocity: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s >= control.particle_count) { return; }
    advected_velocity[s] = sorted_velocity[s];
}
