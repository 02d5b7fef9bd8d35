// Coefficients of the next level: of the faces between two of its cells the sums over those of the finer ones, over the
// usual divisor (Braess 1995); on the diagonal those faces and the sum of what the finer diagonals have beside theirs, which
// is not divided, since it is no difference between cells.
//!include common/control
//!include common/levels

//!read odd_coefficient
//!write even_coefficient

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let finer = level_of(stage.level);
    let level = level_of(stage.level + 1u);
    let number = element(global_id);
    if (number >= level_cells(level)) { return; }
    let cell = level_cell_at(level, number);
    var sum = vec4<f32>(0.0);
    let first = first_child(cell);
    let count = child_count(finer, first);
    for (var k = 0; k < 8; k++) {
        let part = vec3<i32>(k & 1, (k >> 1u) & 1, k >> 2u);
        if (any(part >= count)) { continue; }
        let child = first + part;
        let own = odd_coefficient[level_index(finer, child)];
        var rest = own.w;
        for (var axis = 0u; axis < params.world.dimensions; axis++) {
            let above = odd_coefficient[level_index(finer, level_beside(finer, child, axis, 1))][axis];
            rest -= own[axis] + above;
            // A face within the cell links it to itself.
            if (part[axis] == 0) {
                sum[axis] += own[axis] / STIFFNESS;
                sum.w += own[axis] / STIFFNESS;
            }
            if (part[axis] == count[axis] - 1) { sum.w += above / STIFFNESS; }
        }
        sum.w += max(rest, 0.0);
    }
    even_coefficient[level_index(level, cell)] = sum;
}
