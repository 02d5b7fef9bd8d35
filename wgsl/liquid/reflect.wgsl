// Cover of each cell as its surroundings have it: in solids that of the mirror image, of a surface nearer by what the contact angle says.
// The surface is as far from the image as the cover there says, beyond a cell as in the last step.
//!include common/control
//!include common/mirror_image
//!include common/busy
//!include common/plane_cover

//!read cover level_set
//!write reflected

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var share = cover[c];
    if (mirror[c].w == UNKNOWN) { share = 0.0; }
    if (has_image(c)) {
        let corners = image_corners(cell);
        var level = 0.0;
        var is_known = true;
        share = 0.0;
        for (var k = 0u; k < corner_count(); k++) {
            let weight = image_weight(corners, k);
            let other = corner_cell(corners, k);
            share += weight * cover[other];
            level += weight * level_set[other];
            is_known = is_known && (level_set[other] != 0.0 || weight == 0.0);
        }
        let nearer = mirror[c].w;
        if (nearer != 0.0) {
            let away = plane_distance(clamp(share, 0.0, 1.0));
            share = plane_cover(select(away, level, is_known && abs(level) > 1.0) - nearer);
        }
    }
    reflected[c] = share;
}
