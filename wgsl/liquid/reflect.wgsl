// Cover of each cell as its surroundings have it: in solids that of a surface as far away as at the mirror image in the last step, and nearer
// by what the contact angle says; without such a step that of the image itself.
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
        if (is_known) { share = plane_cover(level - mirror[c].w); }
    }
    reflected[c] = share;
}
