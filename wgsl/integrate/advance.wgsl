// Semi-implicit Euler, second half: x += Δt v, from the sorted to the unsorted arrays. The
// position's w lane carries the density, or the volume of a boundary particle.
//!include common/control
//!include common/torus

//!gather sorted_position sorted_velocity sorted_identity
//!read density
//!write position velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let x = sorted_position_at(s);
    let v = sorted_velocity_at(s);
    let who = sorted_identity_at(s);
    let w = select(density[s], -x.w, kind_of(who) == KIND_BOUNDARY);
    position[s] = vec4<f32>(wrap_position(x.xyz + control.dt * v.xyz), w);
    velocity[s] = v;
    identity[s] = who;
}
