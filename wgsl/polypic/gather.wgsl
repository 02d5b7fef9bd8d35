// Particles to grid (P2G) of PolyPIC: velocities at the faces, and cover (volume fraction), of each cell from the particles
// around it and their multilinear fields, in the order of the sort (Fu et al. 2017, with hats)
//   Q_a(ξ) = Σ c_aS Π_{b∈S} ξ_b over the sets S of axes but the empty one, ξ in cells
//!include common/control
//!include common/face_sums

//!gather sorted_position sorted_poly

fn load(j: u32) -> Candidate {
    var candidate = at_position(sorted_position_at(j));
    let at = 6u * j;
    candidate.row_x = sorted_poly_at(at);
    candidate.row_y = sorted_poly_at(at + 1u);
    if (axes() == 3u) {
        candidate.row_z = sorted_poly_at(at + 2u);
        candidate.more_x = sorted_poly_at(at + 3u);
        candidate.more_y = sorted_poly_at(at + 4u);
        candidate.more_z = sorted_poly_at(at + 5u);
    }
    return candidate;
}

// A component at an offset in cells, from its terms without and with that along z.
fn component(low: vec4<f32>, high: vec4<f32>, at: vec3<f32>) -> f32 {
    let products = vec4<f32>(at.xy, at.x * at.y, 1.0);
    return dot(low, products) + at.z * dot(high, products);
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let at = offset * params.torus.inverse_cell;
    var u = vec3<f32>(0.0);
    u.x = component(candidate.row_x, candidate.more_x, at - vec3<f32>(0.5, 0.0, 0.0));
    u.y = component(candidate.row_y, candidate.more_y, at - vec3<f32>(0.0, 0.5, 0.0));
    if (axes() == 3u) {
        u.z = component(candidate.row_z, candidate.more_z, at - vec3<f32>(0.0, 0.0, 0.5));
    }
    add_to_faces(select(0.0, candidate.position.w, mine), offset, u);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    gather_faces(element(global_id));
}
