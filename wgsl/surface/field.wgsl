// Colour field (M 15) at the nodes of all blocks: c(x) = Σ V_j W(x − x_j), divided by the sum over
// the rest lattice, so that it is 1 inside.
//!include common/surface_field

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let z = offset.z + heights;
    add(select(0.0, neighbour.position.w, mine), density_kernels(dot(offset.xy, offset.xy) + z * z));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    evaluate_column(element(global_id));
}
