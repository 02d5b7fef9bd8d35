// Markers that have escaped: those on the wrong side of the surface by more than their radius, a bit each (Enright, Marschner, Fedkiw
// 2002).
//!include common/control
//!include common/level_markers

//!read level_markers
//!write level_escaped

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var bits = 0u;
    for (var slot = 0u; slot < SLOTS; slot++) {
        let marker = level_markers[SLOTS * c + slot];
        // No others follow (eulerian/settle).
        if (marker.w == 0.0) { break; }
        if (sign(marker.w) * level_at(marker.xyz) < -abs(marker.w)) { bits |= 1u << slot; }
    }
    level_escaped[c] = bits;
}
