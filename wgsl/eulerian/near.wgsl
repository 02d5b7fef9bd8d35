// Start of the distance: in cells beside the surface φ, with its slope brought back between 0.8 and 1.25, by central differences
// where it is steep and by the largest where it is flat, so that the surface stays where it is (after Russo, Smereka 2000); the
// largest distance in the others.
//!include common/control
//!include common/level_set
//!include common/level_slopes

//!write level_set_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = level_set[c];
    var away = BAND;
    if (is_near(cell)) {
        // Distance along an axis, at most that.
        var most = BAND;
        // Squares of the slopes by central and by the larger differences.
        var squares = vec2<f32>(0.0);
        for (var axis = 0u; axis < axes(); axis++) {
            let below = level_set[beside(cell, -along(axis))];
            let above = level_set[beside(cell, along(axis))];
            let crosses = vec2<bool>((below < 0.0) != (own < 0.0), (above < 0.0) != (own < 0.0));
            let differences = abs(vec2<f32>(below, above) - own);
            let across = select(vec2<f32>(0.0), differences, crosses);
            let slope = vec2<f32>(0.5 * abs(above - below), max(differences.x, differences.y));
            squares += slope * slope;
            if (any(crosses)) { most = min(most, abs(own) / max(across.x, across.y)); }
        }
        let slope = sqrt(squares);
        let right = max(slope.x / steep(), 1.0) * min(slope.y / flat(), 1.0);
        away = min(abs(own) / max(right, 1e-6), max(most, abs(own)));
        away = clamp(away, LEAST_LEVEL, BAND);
    }
    level_set_other[c] = select(away, -away, own < 0.0);
}
