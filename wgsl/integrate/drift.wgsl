// Leap-frog, first half: x += ½Δt v, on the unsorted arrays. body/place moves boundary particles.
//!include common/control
//!include common/torus

//!read identity velocity
//!write position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i) || kind_of(identity[i]) == KIND_BOUNDARY) { return; }
    let x = position[i];
    position[i] = vec4<f32>(wrap_position(x.xyz + 0.5 * control.dt * velocity[i].xyz), x.w);
}
