// Sets the sign of a field's nodes outside the band: every row begins outside, and the side changes
// only within the band. Sheets have no sides; they become solids of a certain thickness.
//!include common/fields

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let field = distance_field[0];
    let row = element(global_id);
    if (row >= stage.element_count) { return; }
    var at = field.first + 3u + row * field.nodes.x;
    let end = at + field.nodes.x;
    var side = 1.0;
    loop {
        let near = distances[at];
        if (near != 0.0) { side = select(1.0, -1.0, near < 0.0); }
        let distance = field.band - abs(near);
        let thin = field.half_thickness > 0.0;
        distances[at] = select(side * distance, distance - field.half_thickness, thin);
        at += 1u;
        if (at >= end) { break; }
    }
}
