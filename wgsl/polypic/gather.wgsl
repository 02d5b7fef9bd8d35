// Particles to grid (P2G) of PolyPIC: velocities at the faces, and cover (volume fraction), of each cell from the particles
// around it and their multilinear fields, in the order of the sort (Fu et al. 2017, with hats)
//   Q_a(ξ) = Σ c_aS Π_{b∈S} ξ_b over the sets S of axes but the empty one, ξ in cells
//!include common/control
//!include common/face_sums

//!gather sorted_position sorted_poly
// Coefficients c_aS of each component: S without z, then with it.
//!carry low_x: vec4<f32>, low_y: vec4<f32>, low_z: vec4<f32>
//!carry high_x: vec4<f32>, high_y: vec4<f32>, high_z: vec4<f32>

fn load(j: u32) -> Neighbour {
    var neighbour: Neighbour;
    neighbour.position = sorted_position_at(j);
    neighbour.slot = j;
    let at = 6u * j;
    neighbour.low_x = sorted_poly_at(at);
    neighbour.low_y = sorted_poly_at(at + 1u);
    if (axes() == 3u) {
        neighbour.low_z = sorted_poly_at(at + 2u);
        neighbour.high_x = sorted_poly_at(at + 3u);
        neighbour.high_y = sorted_poly_at(at + 4u);
        neighbour.high_z = sorted_poly_at(at + 5u);
    }
    return neighbour;
}

// A component at an offset in cells, from its terms without and with that along z.
fn component(low: vec4<f32>, high: vec4<f32>, at: vec3<f32>) -> f32 {
    let products = vec4<f32>(at.xy, at.x * at.y, 1.0);
    return dot(low, products) + at.z * dot(high, products);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let at = offset * params.grid.inverse_cell;
    var u = vec3<f32>(0.0);
    u.x = component(neighbour.low_x, neighbour.high_x, at - vec3<f32>(0.5, 0.0, 0.0));
    u.y = component(neighbour.low_y, neighbour.high_y, at - vec3<f32>(0.0, 0.5, 0.0));
    if (axes() == 3u) {
        u.z = component(neighbour.low_z, neighbour.high_z, at - vec3<f32>(0.0, 0.0, 0.5));
    }
    add_to_faces(select(0.0, neighbour.position.w, mine), offset, u);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    gather_faces(element(global_id));
}
