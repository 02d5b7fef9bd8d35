// Counting sort, part 4: particle data in cell order. The position's w lane becomes the rest volume
// V0 = m/ρ0, all that sph/density needs of a neighbour besides its position, or −V_b for boundary
// particles (Akinci 2012): the sign tells walks over neighbours the kind. The velocity's w lane
// becomes 0, the pressure not yet computed; boundary particles keep their friction there.
//!include common/control

//!read order position velocity identity
//!write sorted_position sorted_velocity sorted_identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let i = order[s];
    let who = identity[i];
    let x = position[i];
    let v = velocity[i];
    let wall = kind_of(who) == KIND_BOUNDARY;
    sorted_position[s] = vec4<f32>(x.xyz, select(material_of(who).rest_volume, -x.w, wall));
    sorted_velocity[s] = vec4<f32>(v.xyz, select(0.0, v.w, wall));
    sorted_identity[s] = who;
}
