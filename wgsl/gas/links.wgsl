// Where the viscous stress of liquid and gas acts, as stress/links, in all cells: the velocities u of open faces minimize
//   ½ Σ_f m (u − u*)² + k (Σ_cells η Σ_a (Δ_a u_a)² + ½ Σ_edges η (Δ_b u_a + Δ_a u_b)²),   k = ν_l Δt/Δx²
// with densities m and viscosities η relative to the liquid's (Batty, Bridson 2008; after Kang, Fedkiw, Liu 2000). First η of the cell and of
// its lower edges along z, y, x, 0 where these do not count; then what Δu of each lower face counts in total, and the sum of 1, 2, 4 for
// free ones; then m.
//!include common/control
//!include common/free_faces
//!include common/phases

//!read gas_faces
//!write gas_links diffusion_r diffusion_scalars

// Viscosity in a cell; 0 in solids.
fn of_cell(cell: vec3<i32>) -> f32 {
    return select(0.0, thickness(level_set[cell_number(cell)]), is_wet(cell));
}

// Viscosity at the lower edge in the plane of two axes; 0 unless it is between four free faces.
fn of_edge(cell: vec3<i32>, a: u32, b: u32) -> f32 {
    let down = wrap_next(cell - along(a));
    let left = wrap_next(cell - along(b));
    if (!is_free(cell, a) || !is_free(left, a) || !is_free(cell, b) || !is_free(down, b)) { return 0.0; }
    let sides = level_set[cell_number(cell)] + level_set[cell_number(down)];
    let others = level_set[cell_number(left)] + level_set[cell_number(wrap_next(left - along(a)))];
    return thickness(0.25 * (sides + others));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let edge = params.grid.cell;
    let viscosity = params.materials[0].viscosity / params.materials[0].rest_density;
    let rate = control.dt * viscosity / (edge * edge);
    if (c == 0u) { diffusion_scalars[0][1] = vec4<f32>(rate, rate, rate, 0.0); }
    let cell = cell_at(c);
    var weights = vec4<f32>(of_cell(cell), 0.0, 0.0, 0.0);
    var totals = vec4<f32>(0.0);
    var masses = vec4<f32>(1.0);
    var push = vec4<f32>(0.0);
    for (var a = 0u; a < axes(); a++) {
        for (var b = a + 1u; b < axes(); b++) { weights[a + b] = of_edge(cell, a, b); }
        if (!is_free(cell, a)) { continue; }
        totals.w += f32(1u << a);
        let up = wrap_next(cell + along(a));
        let down = wrap_next(cell - along(a));
        let within = vec2<f32>(weights.x, of_cell(down));
        var total = 2.0 * (within.x + within.y);
        push[a] = within.x * pushed(up, a) + within.y * pushed(down, a);
        // At the wall what is at the face.
        let own = thickness(0.5 * (level_set[c] + level_set[cell_number(down)]));
        for (var b = 0u; b < axes(); b++) {
            if (b == a) { continue; }
            let right = wrap_next(cell + along(b));
            let left = wrap_next(cell - along(b));
            total += of_edge(cell, a, b) + of_edge(right, a, b);
            if (sticks(cell_number(left), a)) {
                total += 2.0 * own;
                push[a] += own * pushed(left, a);
            }
            if (sticks(cell_number(right), a)) {
                total += 2.0 * own;
                push[a] += own * pushed(right, a);
            }
        }
        totals[a] = total;
        masses[a] = 1.0 / gas_faces[c][0][a];
    }
    gas_links[c] = array<vec4<f32>, 3>(weights, totals, masses);
    diffusion_r[c] = push;
}
