// Force fields on free bodies, evaluated at their centres: v += Δt a.
//!include common/control
//!include common/force_fields
//!include common/colliders
//!include common/parked

//!read colliders
//!write bodies

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= params.counts.colliders) { return; }
    if (colliders[c].inverse_mass == 0.0 || colliders[c].hinged_mass > 0.0) { return; }
    if (is_parked(bodies[c])) { return; }
    let change = control.dt * field_acceleration(bodies[c].position.xyz, bodies[c].velocity.xyz);
    bodies[c].velocity += vec4<f32>(change, 0.0);
}
