// Links of smoke and temperature in air for their diffusion, c = κ Δt/Δx². They do not flow through solids and the sides
// of the domain.
//!include common/control
//!include common/hat

//!read coefficient
//!write diffusion_links diffusion_r diffusion_scalars

// Bits of the links of both values, smoke and temperature.
const BOTH = 3u;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let edge = params.grid.cell;
    let own = params.methods.stable_fluids;
    let rates = vec4<f32>(own.diffusivity, own.thermal_diffusivity, 0.0, 0.0);
    if (c == 0u) { diffusion_scalars[0][1] = control.dt * own.share / (edge * edge) * rates; }
    let cell = cell_at(c);
    var links = 0u;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        let above = cell_number(wrap_next(cell + along(axis)));
        if (coefficient[c][axis] > 0.0) { links |= BOTH << (8u * axis); }
        if (coefficient[above][axis] > 0.0) { links |= BOTH << (8u * axis + 4u); }
    }
    diffusion_links[c] = vec2<u32>(links, 0u);
    diffusion_r[c] = vec4<f32>(0.0);
}
