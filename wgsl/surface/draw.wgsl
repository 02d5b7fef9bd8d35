// Size of the mesh, and arguments of the draw call. If the mesh does not fit in the buffers, the passes over vertices get
// no workgroups (surface/cut_list does the same for those over tiles), and the previous mesh stays in use.
//!include common/control
//!include common/surface

//!read tile_vertices tile_vertex_start tile_triangles tile_triangle_start
//!write surface_control surface_dispatch surface_draw

const VERTICES = 64u;

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let blocks = surface_control[0].block_count;
    let fits = blocks <= surface_control[0].block_capacity;
    let tiles = select(0u, blocks * tiles_per_block(surface_control[0].fineness), fits);
    var vertices = 0u;
    var indices = 0u;
    if (tiles > 0u) {
        vertices = tile_vertex_start[tiles - 1u] + tile_vertices[tiles - 1u];
        indices = 3u * (tile_triangle_start[tiles - 1u] + tile_triangles[tiles - 1u]);
    }
    let all_fit = fits && vertices <= surface_control[0].vertex_capacity && indices <= surface_control[0].index_capacity;
    surface_control[0].vertex_count = vertices;
    surface_control[0].index_count = indices;
    surface_control[0].overflow = select(1u, 0u, all_fit);
    // Workgroups of the passes over vertices.
    surface_dispatch[9] = INDIRECT_ROW;
    surface_dispatch[10] = select(0u, rows((vertices + VERTICES - 1u) / VERTICES), all_fit);
    surface_dispatch[11] = 1u;
    if (all_fit) {
        surface_draw[0] = indices;
        surface_draw[1] = 1u;
        surface_draw[2] = 0u;
        surface_draw[3] = 0u;
        surface_draw[4] = 0u;
    }
}
