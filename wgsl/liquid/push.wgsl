// Motion of each particle that keeps the liquid's volume, after that by the field and from the same place; its velocity
// stays (Kugelstadt et al. 2021). The array of faces is that of liquid/shift.
//!include common/control
//!include common/field_at

//!read sorted_position sorted_identity
//!write position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    enter(sorted_identity[s]);
    if (HAS_BODIES && sorted_position[s].w < 0.0) { return; }
    let moved = position[s];
    let x = moved.xyz + control.dt * field_at(sorted_position[s].xyz);
    position[s] = vec4<f32>(wrap_position(x), moved.w);
}
