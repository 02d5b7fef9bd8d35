// Grid to particles (G2P) of PolyPIC: velocity of each particle, and the terms of the multilinear field through the values at
// the faces around it: c_aS is their difference along the axes in S, interpolated along the others (Fu et al. 2017, with hats).
//!include common/control
//!include common/fall
//!include common/kept_world
//!include common/hat

//!gather face
//!read sorted_position sorted_velocity sorted_identity
//!write velocity identity poly

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    enter(sorted_identity[s]);
    keep_world(s);
    let x = sorted_position[s].xyz;
    let in_z = select(0.0, 1.0, axes() == 3u);
    let none = vec4<f32>(0.0);
    var v = vec3<f32>(0.0);
    var terms = array<vec4<f32>, 6>(none, none, none, none, none, none);
    for (var axis = 0u; axis < axes(); axis++) {
        let corners = corners_around(x, face_shift(axis));
        // Coefficients of x, y, xy and 1, and of these times z.
        var low = none;
        var high = none;
        for (var k = 0u; k < corner_count(); k++) {
            let w = corner_weights(corners, k);
            let side = 2.0 * vec3<f32>(corner_step(k)) - 1.0;
            let u = face_at(corner_cell(corners, k))[axis];
            let products = u * vec4<f32>(side.x * w.y, w.x * side.y, side.x * side.y, w.x * w.y);
            low += w.z * products;
            high += in_z * side.z * products;
        }
        v[axis] = low.w;
        terms[axis] = vec4<f32>(low.xyz, 0.0);
        terms[3u + axis] = high;
    }
    velocity[s] = vec4<f32>(v, along_gravity(v - sorted_velocity[s].xyz));
    identity[s] = sorted_identity[s];
    poly[s] = terms;
}
