// The second sweep of a level: z = ω r over the diagonal + what the coarser level found, then z + ω (r − A z) over the
// diagonal. `coefficients_at`, `rest_at` and `coarser_at` read the level's coefficients and residual, and the coarser level.
//!include common/levels

fn corrected(coarser: Level, cell: vec3<i32>, c: u32, diagonal: f32) -> f32 {
    if (diagonal == 0.0) { return 0.0; }
    return RELAX * rest_at(c) / diagonal + coarser_at(level_index(coarser, parent_of(cell)));
}

// Of a cell with an equation.
fn second_sweep(level: Level, coarser: Level, cell: vec3<i32>, c: u32, own: vec4<f32>) -> f32 {
    let z = corrected(coarser, cell, c, own.w);
    var r = rest_at(c) - own.w * z;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        if (own[axis] != 0.0) {
            let below = level_beside(level, cell, axis, -1);
            let k = level_index(level, below);
            r += own[axis] * corrected(coarser, below, k, coefficients_at(k).w);
        }
        let above = level_beside(level, cell, axis, 1);
        let k = level_index(level, above);
        let other = coefficients_at(k);
        if (other[axis] != 0.0) { r += other[axis] * corrected(coarser, above, k, other.w); }
    }
    return z + RELAX * r / own.w;
}
