// Coefficients of the correction on cells: of the lower faces β²/a² (N + N')/2 between two cells with pressure, with edges a
// and β, what the kernel makes of a gradient of 1 on the rest lattice; on the diagonal their sum and S. S stands for all
// that is not smooth, and for the surface.
//!include common/control
//!include common/levels

//!read odd_remainder
//!write odd_coefficient

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let level = level_of(1u);
    let cell = level_cell_at(level, c);
    let own = odd_remainder[c];
    var found = vec4<f32>(0.0, 0.0, 0.0, own.y);
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let share = params.kernel.density_calibration / params.kernel.gradient_calibration * 0.5 * params.grid.inverse_cell[axis];
        for (var side = -1; side <= 1; side += 2) {
            let other = odd_remainder[level_index(level, level_beside(level, cell, axis, side))].x;
            let a = select(0.0, 0.5 * share * share * (own.x + other), own.x > 0.0 && other > 0.0);
            found.w += a;
            if (side < 0) { found[axis] = a; }
        }
    }
    odd_coefficient[c] = select(vec4<f32>(0.0), found, own.x > 0.0);
}
