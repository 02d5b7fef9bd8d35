// Free bodies under external accelerations: v += Δt g, with force fields as they are at the centre.
//!include common/control
//!include common/force_fields
//!include common/shapes

@group(1) @binding(0) var<storage, read> colliders: array<Collider>;
@group(1) @binding(1) var<storage, read_write> bodies: array<Body>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= params.collider_count) { return; }
    if (colliders[c].inverse_mass == 0.0) { return; }
    let a = params.gravity + field_acceleration(bodies[c].position.xyz);
    bodies[c].velocity = vec4<f32>(bodies[c].velocity.xyz + control.dt * a, 0.0);
}
