// Particles to grid (P2G) of PIC and FLIP: velocities at the faces, and cover (volume fraction), of each cell from the
// particles around it, in the order of the sort: u_f = Σ m w v_a / Σ m w (Harlow 1964; Zhu, Bridson 2005).
//!include common/control
//!include common/face_sums

//!gather sorted_position sorted_velocity
//!carry velocity: vec4<f32>

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    add_to_faces(select(0.0, neighbour.position.w, mine), offset, neighbour.velocity.xyz);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    gather_faces(element(global_id));
}
