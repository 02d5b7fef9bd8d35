// Markers of each cell after their motion: those of the cells around that are now in it, in their order, as many as there is room for.
//!include common/control
//!include common/level_markers

//!read level_markers
//!write level_markers_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    var count = 0u;
    // Far from the surface there are none.
    let near = abs(level_set[c]) < BAND;
    for (var k = 0; near && k < around_count(); k++) {
        let other = cell + around_step(k);
        if (!is_there(other)) { continue; }
        let first = SLOTS * cell_number(wrap_cell(other));
        for (var slot = 0u; slot < SLOTS && count < SLOTS; slot++) {
            let marker = level_markers[first + slot];
            if (marker.w == 0.0) { continue; }
            let at = cell_of(marker.xyz);
            if (any(vec3<i32>(at.xy, select(0, at.z, axes() == 3u)) != cell)) { continue; }
            level_markers_other[SLOTS * c + count] = marker;
            count += 1u;
        }
    }
    for (var slot = count; slot < SLOTS; slot++) { level_markers_other[SLOTS * c + slot] = vec4<f32>(0.0); }
}
