// What a level's first sweep, z = ω r over the diagonal, leaves of its residual, summed over the finer cells of each cell of
// the next level, which makes the residual of that level.
//!include common/control
//!include common/levels

//!read odd_coefficient odd_remainder even_coefficient
//!write even_remainder

// z of the first sweep.
fn swept(c: u32, diagonal: f32) -> f32 {
    return select(0.0, RELAX * odd_remainder[c].x / max(diagonal, 1e-30), diagonal > 0.0);
}

// r − A z of a cell with an equation.
fn left(finer: Level, cell: vec3<i32>, c: u32, own: vec4<f32>) -> f32 {
    var r = (1.0 - RELAX) * odd_remainder[c].x;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let below = level_index(finer, level_beside(finer, cell, axis, -1));
        if (own[axis] != 0.0) { r += own[axis] * swept(below, odd_coefficient[below].w); }
        let above = level_index(finer, level_beside(finer, cell, axis, 1));
        let other = odd_coefficient[above];
        if (other[axis] != 0.0) { r += other[axis] * swept(above, other.w); }
    }
    return r;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let finer = level_of(stage.level);
    let level = level_of(stage.level + 1u);
    let number = element(global_id);
    if (number >= level_cells(level)) { return; }
    let at = level.first + number;
    var sum = 0.0;
    if (even_coefficient[at].w > 0.0) {
        let first = first_child(level_cell_at(level, number));
        let count = child_count(finer, first);
        for (var k = 0; k < 8; k++) {
            let part = vec3<i32>(k & 1, (k >> 1u) & 1, k >> 2u);
            if (any(part >= count)) { continue; }
            let child = first + part;
            let c = level_index(finer, child);
            let own = odd_coefficient[c];
            if (own.w > 0.0) { sum += left(finer, child, c, own); }
        }
    }
    even_remainder[at] = vec2<f32>(sum, 0.0);
}
