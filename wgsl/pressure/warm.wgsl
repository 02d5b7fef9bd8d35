// Start of conjugate gradients for pressure: all of the last step's pressures, in this step's order (from half of them,
// deep water takes a third more iterations). They are the first direction, so that pressure/push finds what they move; the
// mass over the first material's volume is kept where A p will be.
//!include common/control
//!include common/pressure

//!read order sorted_identity
//!read warm: array<f32>
//!write pressure_state pressure_scalars pressure_start
//!publish pressure_search

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (s == 0u) { pressure_scalars[0] = vec4<f32>(0.0); }
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    let fluid = kind_of(who) == KIND_FLUID;
    let per_pressure = control.dt * control.dt;
    let kappa = select(0.0, per_pressure * warm[order[s]], fluid);
    let material = material_of(who);
    pressure_state[s] = vec4<f32>(kappa, 0.0, 0.0, material.rest_density * relative_volume(material.mass / material.rest_density));
    pressure_start[s] = kappa;
    publish_pressure_search(s, vec4<f32>(kappa, 0.0, 0.0, kappa));
}
