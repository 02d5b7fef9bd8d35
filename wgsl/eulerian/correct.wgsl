// Level set that markers which have escaped correct: φ_p = s (r − |x − x_p|) by each ball, the largest of those on the side of air, the
// least of those of liquid, and of both the one nearer to the surface (Enright, Marschner, Fedkiw 2002).
//!include common/control
//!include common/level_markers

//!read level_markers level_escaped
//!write level_set_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let x = cell_center(cell);
    let own = level_set[c];
    // By liquid, by air.
    var ends = vec2<f32>(own);
    // Markers are nearer to it than that.
    let near = abs(own) < BAND;
    for (var k = 0; near && k < around_count(); k++) {
        let other = cell + around_step(k);
        if (!is_there(other)) { continue; }
        let n = cell_number(wrap_cell(other));
        let bits = level_escaped[n];
        if (bits == 0u) { continue; }
        for (var slot = 0u; slot < SLOTS; slot++) {
            if (((bits >> slot) & 1u) == 0u) { continue; }
            let marker = level_markers[SLOTS * n + slot];
            let inside = abs(marker.w) - length(displacement(x, marker.xyz)) * params.grid.inverse_cell.x;
            ends = select(vec2<f32>(min(ends.x, -inside), ends.y), vec2<f32>(ends.x, max(ends.y, inside)), marker.w > 0.0);
        }
    }
    let nearer = select(ends.x, ends.y, abs(ends.y) < abs(ends.x));
    level_set_other[c] = select(nearer, LEAST_LEVEL, nearer == 0.0);
}
