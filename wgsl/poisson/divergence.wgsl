// Right-hand side −Δx² D of the pressure Poisson equation, D = (1/Δx) Σ ±u the divergence of the fluxes through the faces,
// closed ones with the solid's velocity (Batty, Bertails, Bridson 2007), and each workgroup's sum of it and number of equations, and
// in z whether air or an open side bounds any of them.
//!include common/control
//!include common/poisson
//!include common/through
//!include common/dots

//!read coefficient
//!write remainder poisson_dots

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var sums = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let own = coefficient[c];
        var r = 0.0;
        if (own.w > 0.0) {
            var air = own.w;
            for (var axis = 0u; axis < axes(); axis++) {
                let above = cell_number(wrap_next(cell + along(axis)));
                r += through(c, axis) - through(above, axis);
                air -= own[axis] + coefficient[above][axis];
            }
            r *= params.grid.cell;
            sums = vec4<f32>(r, 1.0, select(0.0, 1.0, air > BOUNDED), 0.0);
        }
        remainder[c] = vec2<f32>(r, 0.0);
    }
    let all = workgroup_dots(sums, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
