// Colour field with anisotropic kernels (Yu, Turk 2013, 11): W_j(r) = det(A_j) W(|A_j r|) with A_j
// = surface_shape, at the smoothed centres of particles.
//!include common/surface_field

//!read order surface_shape
// A of surface/shape: xx, yy, zz and yz, xz, xy.
//!carry diagonal: vec3<f32>, off_diagonal: vec3<f32>

fn load(j: u32) -> Neighbour {
    let shape = surface_shape[order[j]];
    let position = sorted_position_at(j);
    let weight = position.w * shape[0].w;
    return Neighbour(vec4<f32>(position.xyz, weight), j, shape[0].xyz, shape[1].xyz);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let d = neighbour.diagonal;
    let o = neighbour.off_diagonal;
    // |A (r + t e_z)|² for the four heights t.
    let first = vec3<f32>(
        d.x * offset.x + o.z * offset.y + o.y * offset.z,
        o.z * offset.x + d.y * offset.y + o.x * offset.z,
        o.y * offset.x + o.x * offset.y + d.z * offset.z,
    );
    let rise = vec3<f32>(o.y, o.x, d.z);
    let squared = dot(first, first) + heights * (2.0 * dot(first, rise) + heights * dot(rise, rise));
    add(select(0.0, neighbour.position.w, mine), density_kernels(squared));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    evaluate_column(element(global_id));
}
