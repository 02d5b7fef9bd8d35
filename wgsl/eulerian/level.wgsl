// Cover of each cell by the level set, the share of its hat below a plane at the distance φ from its centre. At the start φ is that of the plane that covers as much as the particles do. Beyond open sides there is
// air.
//!include common/control
//!include common/hat
//!include common/busy
//!include common/level_band
//!include common/plane_cover

//!write level_set cover

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var share = clamp(cover[c], 0.0, 1.0);
    if (level_set[c] == 0.0) {
        let d = plane_distance(share);
        level_set[c] = select(d, LEAST_LEVEL, d == 0.0);
    } else {
        share = plane_cover(level_set[c]);
    }
    cover[c] = select(0.0, share, is_inner(cell));
}
