// Cells some steps from others; beyond the ends of the box the last ones.
//!include common/hat

fn cell_beside(cell: vec3<i32>, step: vec3<i32>) -> vec3<i32> {
    let other = cell + step;
    let ended = clamp(other, vec3<i32>(0), vec3<i32>(params.grid.size) - 1);
    if (!IS_PERIODIC) { return ended; }
    return select(ended, wrap_cell(other), params.grid.period > vec3<f32>(0.0));
}

// Number of such a cell.
fn beside(cell: vec3<i32>, step: vec3<i32>) -> u32 {
    return cell_number(cell_beside(cell, step));
}
