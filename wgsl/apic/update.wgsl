// Grid to particles (G2P) of APIC: velocity of each particle, and its gradient c_a = Σ u_f ∇w_f, from the faces around it
// (Jiang et al. 2015, on a staggered grid). By the gradient of the weights no inverse of D = Σ w (x_f − x_p)(x_f − x_p)ᵀ is
// needed, which is singular on the faces' planes.
//!include common/control
//!include common/fall
//!include common/kept_world
//!include common/hat

//!gather face
//!read sorted_position sorted_velocity sorted_identity
//!write velocity identity affine

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    enter(sorted_identity[s]);
    keep_world(s);
    let x = sorted_position[s].xyz;
    let in_z = select(0.0, 1.0, axes() == 3u);
    var v = vec3<f32>(0.0);
    var rows = array<vec4<f32>, 3>(vec4<f32>(0.0), vec4<f32>(0.0), vec4<f32>(0.0));
    for (var axis = 0u; axis < axes(); axis++) {
        let corners = corners_around(x, face_shift(axis));
        var sum = vec4<f32>(0.0);
        for (var k = 0u; k < corner_count(); k++) {
            let w = corner_weights(corners, k);
            let side = (2.0 * vec3<f32>(corner_step(k)) - 1.0) * vec3<f32>(1.0, 1.0, in_z);
            let u = face_at(corner_cell(corners, k))[axis];
            sum += u * vec4<f32>(side * vec3<f32>(w.y * w.z, w.x * w.z, w.x * w.y), w.x * w.y * w.z);
        }
        v[axis] = sum.w;
        rows[axis] = vec4<f32>(sum.xyz / params.grid.cell, 0.0);
    }
    velocity[s] = vec4<f32>(v, along_gravity(v - sorted_velocity[s].xyz));
    identity[s] = sorted_identity[s];
    affine[s] = rows;
}
