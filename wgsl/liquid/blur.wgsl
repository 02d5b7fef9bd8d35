// Blur of the cover along an axis: three means of neighbours by ¼, ½, ¼. Where no cell is busy there is no liquid.
//!include common/control
//!include common/beside
//!include common/busy

//!read block_busy cover
//!write blurred

fn at(cell: vec3<i32>) -> f32 {
    return select(cover[cell_number(cell)], 0.0, block_busy[block_of(cell)] == 0u);
}

// Sum of both cells so far away.
fn pair(cell: vec3<i32>, away: vec3<i32>) -> f32 {
    return at(cell_beside(cell, -away)) + at(cell_beside(cell, away));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let a = along(stage.level);
    let sum = 20.0 * at(cell) + 15.0 * pair(cell, a) + 6.0 * pair(cell, 2 * a) + pair(cell, 3 * a);
    blurred[cell_number(cell)] = sum / 64.0;
}
