// Links of smoke and temperature in air for their diffusion, c = κ Δt/Δx², and the walls' part of the temperature's: half a cell
// beside a wall with a temperature it is that at the wall, by the ghost 2 T_w − T; another one gives its flux q, q Δx/(ρ c_p κ).
// Neither flows through other solids and the sides of the domain.
//!include common/control
//!include common/nearest_wall
//!include common/open_faces

//!read coefficient
//!write diffusion_links diffusion_r diffusion_scalars

// Bits of the links of both values, smoke and temperature.
const BOTH = 3u;
// Heat that warms a cubic metre of air by 1 K in J, of 1.204 kg/m³ and 1,005 J/(kg K).
const HEAT_OF_AIR = 1210.0;

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
    var weight = 0u;
    var push = 0.0;
    for (var axis = 0u; axis < params.world.dimensions; axis++) {
        for (var way = 0u; way < 2u; way++) {
            let face = select(cell, wrap_next(cell + along(axis)), way == 1u);
            let f = cell_number(face);
            if (coefficient[f][axis] > 0.0) {
                links |= BOTH << (8u * axis + 4u * way);
            } else if (HAS_HEAT && own.thermal_diffusivity > 0.0 && coefficient[c].w > 0.0 && !is_open(f, axis)) {
                let heat = colliders[nearest_wall(face_center(face, axis)).solid].heat;
                weight += 2u * u32(heat.x);
                push += 2.0 * heat.y + heat.z * edge / (HEAT_OF_AIR * own.thermal_diffusivity);
            }
        }
    }
    diffusion_links[c] = vec2<u32>(links, weight << 8u);
    diffusion_r[c] = vec4<f32>(0.0, push, 0.0, 0.0);
}
