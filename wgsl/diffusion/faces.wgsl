// Links of the velocities at open faces for their diffusion, c = ν Δt/Δx², and the walls' part of it: Δx before a closed
// face the velocity is the solid's there; along walls that fluid sticks to, half a cell away, it is theirs at the wall, by
// the ghost 2 v_s − u, whose mean with u is v_s; along others it has no gradient, as beyond the domain.
//!include common/control
//!include common/open_faces

//!write diffusion_links diffusion_r diffusion_scalars

// Whether air flows through a cell's lower face.
fn is_free(cell: vec3<i32>, axis: u32) -> bool {
    return is_open(cell_number(cell), axis) && (is_inner(cell) || is_inner(wrap_next(cell - along(axis))));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let edge = params.grid.cell;
    let rate = control.dt * params.methods.stable_fluids.share * params.methods.stable_fluids.viscosity / (edge * edge);
    if (c == 0u) { diffusion_scalars[0][1] = vec4<f32>(rate, rate, rate, 0.0); }
    let cell = cell_at(c);
    var links = 0u;
    var sums = vec3<f32>(0.0);
    var push = vec4<f32>(0.0);
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        if (!is_free(cell, axis)) { continue; }
        for (var way = 0u; way < 2u * params.world.dimensions; way++) {
            let other = next_cell(cell, way);
            let o = cell_number(other);
            if (is_free(other, axis)) {
                links |= 1u << (4u * way + axis);
                sums[axis] += 1.0;
            } else if (!is_open(o, axis)) {
                let across = way / 2u == axis;
                let weight = select(select(0.0, 2.0, sticks(o, axis)), 1.0, across);
                sums[axis] += weight;
                push[axis] += weight * solid_velocity(o, axis);
            }
        }
    }
    diffusion_links[c] = array<vec4<f32>, 2>(vec4<f32>(1.0), vec4<f32>(sums, f32(links)));
    diffusion_r[c] = push;
}
