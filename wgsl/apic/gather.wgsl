// Particles to grid (P2G) of APIC: velocities at the faces, and cover (volume fraction), of each cell from the particles around
// it and their gradients c_a in the order of the sort, u_f = Σ m w (v_a + c_a·(x_f − x_p)) / Σ m w (Jiang et al. 2015, on a
// staggered grid).
//!include common/control
//!include common/face_sums

//!gather sorted_position affine_x affine_y affine_z
// Gradient of each component of the velocity, and the component in w.
//!carry row_x: vec4<f32>, row_y: vec4<f32>, row_z: vec4<f32>

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, affine_x_at(j), affine_y_at(j), affine_z_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let x = neighbour.row_x;
    let y = neighbour.row_y;
    let z = neighbour.row_z;
    let center = vec3<f32>(x.w + dot(x.xyz, offset), y.w + dot(y.xyz, offset), z.w + dot(z.xyz, offset));
    let u = center - 0.5 * params.grid.cell * vec3<f32>(x.x, y.y, z.z);
    add_to_faces(select(0.0, neighbour.position.w, mine), offset, u);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    gather_faces(element(global_id));
}
