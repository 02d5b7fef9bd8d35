// Whether the surface cuts a tile: 1 if it has vertices or triangles. Most tiles have none.
//!include common/control

//!read tile_vertices tile_triangles
//!write tile_cut

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    tile_cut[i] = select(0u, 1u, (tile_vertices[i] | tile_triangles[i]) != 0u);
}
