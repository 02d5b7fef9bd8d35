// Velocities with the present pressures (Solenthaler, Pajarola 2009, Algorithm 2).
//!include common/push

@group(1) @binding(4) var<storage, read> advected_velocity: array<vec4<f32>>;
@group(1) @binding(5) var<storage, read_write> sorted_velocity: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let u = displacement_by_pressure(i);
    if (is_fluid(i)) {
        let v = advected_velocity[i];
        sorted_velocity[i] = vec4<f32>(v.xyz + per_step() * u, v.w);
    }
}
