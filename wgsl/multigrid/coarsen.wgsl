// Coefficients of the next level: of the faces between two of its cells the sums over those of the finer ones, on the
// diagonal what is then left of the finer diagonals; both over the same divisor (Braess 1995).
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
    if (!is_in_ring(level, cell)) {
        let first = first_child(cell);
        let count = child_count(finer, first);
        for (var k = 0; k < 8; k++) {
            let part = vec3<i32>(k & 1, (k >> 1u) & 1, k >> 2u);
            if (any(part >= count)) { continue; }
            let own = odd_coefficient[level_index(finer, first + part)];
            sum.w += own.w;
            for (var axis = 0u; axis < params.world.dimensions; axis++) {
                // A face within the cell links it to itself.
                if (part[axis] == 0) { sum[axis] += own[axis]; } else { sum.w -= 2.0 * own[axis]; }
            }
        }
    }
    even_coefficient[level_index(level, cell)] = sum / STIFFNESS;
}
