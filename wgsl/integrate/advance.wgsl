// Semi-implicit Euler, second half: x += Δt v, less what is too far in free fall (common/fall), from the sorted to the unsorted
// arrays. The position's w lane carries the density, or the volume of a boundary particle.
//!include common/control
//!include common/fall
//!include common/torus

//!gather sorted_position sorted_velocity sorted_identity
//!read density acceleration
//!write position velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let x = sorted_position_at(s);
    let v = sorted_velocity_at(s);
    let who = sorted_identity_at(s);
    enter(who);
    let w = select(density[s], -x.w, kind_of(who) == KIND_BOUNDARY);
    let back = too_far(along_gravity(v.xyz) - acceleration[s].w);
    let is_fluid = kind_of(who) == KIND_FLUID;
    position[s] = vec4<f32>(wrap_position(x.xyz + control.dt * v.xyz - select(vec3<f32>(0.0), back, is_fluid)), w);
    velocity[s] = v;
    identity[s] = who;
}
