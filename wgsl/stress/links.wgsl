// Where the viscous stress of a liquid acts, and where it ends: at its surface there is none (Batty, Bridson 2008, with weights 0 and
// 1). With k = ν Δt/Δx² the velocities u of free faces, which are open and beside liquid, minimize
//   ½ Σ_f (u − u*)² + k (Σ_cells Σ_a (Δ_a u_a)² + ½ Σ_edges (Δ_b u_a + Δ_a u_b)²)
// over cells with liquid and edges between four free faces. Closed faces have the solid's velocity; along walls that fluid sticks
// to, half a cell away, there is half an edge with the velocity of the wall. Bits of the first word from 24 on: the three lower
// faces are free, the cell has liquid, the lower edges along x, y, z count; bytes of the second: what Δu of a face counts in total.
//!include common/control
//!include common/free_faces

//!write stress_links diffusion_r diffusion_scalars

fn has_edge(cell: vec3<i32>, a: u32, b: u32) -> bool {
    return is_free(cell, a) && is_free(wrap_next(cell - along(b)), a) && is_free(cell, b)
        && is_free(wrap_next(cell - along(a)), b);
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
    let wet = is_wet(cell);
    var links = vec2<u32>(select(0u, 1u << 27u, wet), 0u);
    var push = vec4<f32>(0.0);
    for (var a = 0u; a < axes(); a++) {
        for (var b = a + 1u; b < axes(); b++) {
            if (has_edge(cell, a, b)) { links.x |= 1u << (31u - a - b); }
        }
        if (!is_free(cell, a)) { continue; }
        links.x |= 1u << (24u + a);
        let up = wrap_next(cell + along(a));
        let down = wrap_next(cell - along(a));
        var count = 0u;
        if (wet) {
            count += 2u;
            push[a] += pushed(up, a);
        }
        if (is_wet(down)) {
            count += 2u;
            push[a] += pushed(down, a);
        }
        for (var b = 0u; b < axes(); b++) {
            if (b == a) { continue; }
            let right = wrap_next(cell + along(b));
            let left = wrap_next(cell - along(b));
            count += select(0u, 1u, has_edge(cell, a, b)) + select(0u, 1u, has_edge(right, a, b));
            if (sticks(cell_number(left), a)) {
                count += 2u;
                push[a] += pushed(left, a);
            }
            if (sticks(cell_number(right), a)) {
                count += 2u;
                push[a] += pushed(right, a);
            }
        }
        links.y |= count << (8u * a);
    }
    stress_links[c] = links;
    diffusion_r[c] = push;
}
