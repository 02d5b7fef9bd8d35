// List of the tiles that the surface cuts, in order; tile_cut_start has the sums of tile_cut before each tile. The last
// tile's invocation knows their number and sets the workgroups of the passes over them. If the mesh does not fit there
// is no list and there are no workgroups.
//!include common/control
//!include common/surface

//!read tile_cut tile_cut_start surface_tiles
//!write cut_tiles surface_control surface_dispatch

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let start = tile_cut_start[i];
    let cut = tile_cut[i];
    let fits = surface_control[0].overflow == 0u;
    if (cut == 1u && fits) { cut_tiles[start] = surface_tiles[i]; }
    if (i == stage.element_count - 1u) {
        let count = start + cut;
        surface_control[0].cut_count = count;
        surface_dispatch[6] = INDIRECT_ROW;
        surface_dispatch[7] = select(0u, rows(count), fits);
        surface_dispatch[8] = 1u;
    }
}
