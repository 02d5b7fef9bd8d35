// Grid to particles (G2P) of PIC: velocity of each particle, the field's, v = Σ w_f u_f (Harlow 1964).
//!include common/control
//!include common/fall
//!include common/kept_world
//!include common/field_at

//!read sorted_position sorted_velocity sorted_identity
//!write velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    enter(sorted_identity[s]);
    keep_world(s);
    let v = field_at(sorted_position[s].xyz);
    velocity[s] = vec4<f32>(v, along_gravity(v - sorted_velocity[s].xyz));
    identity[s] = sorted_identity[s];
}
