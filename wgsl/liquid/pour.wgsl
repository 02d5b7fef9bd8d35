// What emitters add to the volume of cells, Δx² q/V in the equation of pressure, q the flow in m³/s out of the emitters' points
// in the cell: as far as there is liquid or a solid behind the mouth. Where air is, it makes room behind the jet.
//!include common/control
//!include common/box
//!include common/busy
//!include common/torus
//!include common/mouths

//!read coefficient cover solid_share
//!write remainder

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    if (coefficient[c].w <= 0.0) { return; }
    let x = cell_center(cell);
    let edge = params.grid.cell;
    var rate = 0.0;
    for (var e = 0u; e < params.counts.emitters; e++) {
        let emitter = emitters[e];
        let offset = displacement(x, emitter.center);
        if (!flows(e) || dot(offset, offset) > (emitter.radius + edge) * (emitter.radius + edge)) { continue; }
        var count = 0.0;
        for (var k = 0u; k < emitter.point_count; k++) {
            let place = emitter_points[emitter.first_point + k].xyz;
            count += select(0.0, 1.0, all(cell_of(place) == cell));
        }
        if (count == 0.0) { continue; }
        let behind = wrap_cell(cell_of(x - edge * emitter.direction));
        var closed = 1.0;
        if (is_inner(behind)) {
            let b = cell_number(behind);
            closed = 1.0 - solid_share[b] * (1.0 - min(cover[b], 1.0));
        }
        let volume = material_of(vec2<u32>(0u, emitter.identity)).rest_volume;
        rate += count * closed * volume / (emitter.interval * cell_volume());
    }
    remainder[c].x += edge * edge * rate;
}
