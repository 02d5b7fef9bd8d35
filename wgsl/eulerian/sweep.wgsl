// Distance a layer of cells further from the surface: |∇φ| = 1 by upwind differences of second order, (3 u − 4 u₁ + u₂)/2, of first
// order where the second value u₂ is not nearer to the surface than the first, of all cells at once; those beside the surface stay
// (Rouy, Tourin 1992; Sethian 1999).
//!include common/control
//!include common/level_set

//!write level_set_other

// Upwind value b and weight α² of an axis: α (u − b) is the difference.
fn upwind(cell: vec3<i32>, axis: u32, side: f32) -> vec2<f32> {
    let below = side * level_set[beside(cell, -along(axis))];
    let above = side * level_set[beside(cell, along(axis))];
    let way = select(along(axis), -along(axis), below < above);
    let first = min(below, above);
    let second = side * level_set[beside(cell, 2 * way)];
    return select(vec2<f32>(first, 1.0), vec2<f32>((4.0 * first - second) / 3.0, 2.25), second < first);
}

// u of Σ α² (u − b)² = 1.
fn solved(sums: vec3<f32>) -> f32 {
    return (sums.y + sqrt(max(sums.y * sums.y - sums.x * (sums.z - 1.0), 0.0))) / sums.x;
}

fn sums_of(one: vec2<f32>) -> vec3<f32> {
    return one.y * vec3<f32>(1.0, one.x, one.x * one.x);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = level_set[c];
    var away = abs(own);
    let side = select(1.0, -1.0, own < 0.0);
    if (!is_near(cell)) {
        // By their values in ascending order.
        var a = upwind(cell, 0u, side);
        var b = upwind(cell, 1u, side);
        var d = vec2<f32>(1e3, 1.0);
        if (axes() == 3u) { d = upwind(cell, 2u, side); }
        if (b.x < a.x) { let kept = a; a = b; b = kept; }
        if (d.x < b.x) { let kept = b; b = d; d = kept; }
        if (b.x < a.x) { let kept = a; a = b; b = kept; }
        var sums = sums_of(a);
        away = solved(sums);
        if (away > b.x) {
            sums += sums_of(b);
            away = solved(sums);
            if (away > d.x) { away = solved(sums + sums_of(d)); }
        }
        away = clamp(away, LEAST_LEVEL, BAND);
    }
    level_set_other[c] = side * away;
}
