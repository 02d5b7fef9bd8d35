// Start of the distance: in cells beside the surface φ/|∇φ|, with differences across the surface where there are any, so that
// it stays where it is (Russo, Smereka 2000); the largest in the others.
//!include common/control
//!include common/level_set

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
        var steep = 0.0;
        for (var axis = 0u; axis < axes(); axis++) {
            let below = level_set[beside(cell, -along(axis))];
            let above = level_set[beside(cell, along(axis))];
            let crosses = vec2<bool>((below < 0.0) != (own < 0.0), (above < 0.0) != (own < 0.0));
            let across = select(vec2<f32>(0.0), abs(vec2<f32>(below, above) - own), crosses);
            let slope = select(0.5 * abs(above - below), max(across.x, across.y), any(crosses));
            steep += slope * slope;
        }
        away = clamp(abs(own) / sqrt(max(steep, 1e-30)), LEAST_LEVEL, BAND);
    }
    level_set_other[c] = select(away, -away, own < 0.0);
}
