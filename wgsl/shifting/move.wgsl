// Positions with the shifts of shifting/shift. At the end of a step particles are in the order of the sort.
//!include common/control
//!include common/torus

//!read identity shift
//!write position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s) || kind_of(identity[s]) != KIND_FLUID) { return; }
    let x = position[s];
    position[s] = vec4<f32>(wrap_position(x.xyz + shift[s].xyz), x.w);
}
