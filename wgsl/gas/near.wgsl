// Start of the distance as eulerian/near, with gas: in cells beside the surface φ, with its slope brought back between 0.95 and 1.05 (after
// Russo, Smereka 2000). The slope is the mean of the cell's own and those of its neighbours across the surface, so that cells on both
// sides are changed alike, and the surface stays where it is. Wider limits tear fewer films, but bubbles would lose their volume.
//!include common/control
//!include common/level_set
//!include common/level_slopes

//!write level_set_other

const LEAST_SLOPE = 0.1;

// By the differences across the surface along axes that it crosses, and by central ones along others.
fn slope_of(cell: vec3<i32>) -> f32 {
    let own = level_set[cell_number(cell)];
    var square = 0.0;
    for (var axis = 0u; axis < axes(); axis++) {
        let below = level_set[beside(cell, -along(axis))];
        let above = level_set[beside(cell, along(axis))];
        let crosses = vec2<bool>((below < 0.0) != (own < 0.0), (above < 0.0) != (own < 0.0));
        let across = select(vec2<f32>(0.0), abs(vec2<f32>(below, above) - own), crosses);
        let slope = select(0.5 * abs(above - below), max(across.x, across.y), any(crosses));
        square += slope * slope;
    }
    return sqrt(square);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = level_set[c];
    // Sum of the slopes of the neighbours across the surface, and their number.
    var sums = vec2<f32>(0.0);
    for (var way = 0u; way < 2u * axes(); way++) {
        let other = cell_beside(cell, select(-1, 1, (way & 1u) == 1u) * along(way / 2u));
        if (is_liquid(cell_number(other)) != (own < 0.0)) { sums += vec2<f32>(slope_of(other), 1.0); }
    }
    var away = BAND;
    if (sums.y > 0.0) {
        let slope = 0.5 * (slope_of(cell) + sums.x / sums.y);
        away = clamp(abs(own) * clamp(slope, flat(), steep()) / max(slope, LEAST_SLOPE), LEAST_LEVEL, BAND);
    }
    level_set_other[c] = select(away, -away, own < 0.0);
}
