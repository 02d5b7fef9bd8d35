// Terms of the particles' fields in cell order, with their velocities, for P2G.
//!include common/control

//!read order poly sorted_velocity
//!write sorted_poly

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let terms = poly[order[s]];
    let v = sorted_velocity[s].xyz;
    let at = 6u * s;
    sorted_poly[at] = vec4<f32>(terms[0].xyz, v.x);
    sorted_poly[at + 1u] = vec4<f32>(terms[1].xyz, v.y);
    sorted_poly[at + 2u] = vec4<f32>(terms[2].xyz, v.z);
    sorted_poly[at + 3u] = terms[3];
    sorted_poly[at + 4u] = terms[4];
    sorted_poly[at + 5u] = terms[5];
}
