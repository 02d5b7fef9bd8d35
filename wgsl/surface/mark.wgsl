// Content of each cell of the box: a bit for each octant (bit x + 2y + 4z) with a particle in it or
// within a quarter of a cell, and SHALLOW if one of the cell's particles is near the surface (ρ <
// 0.9 ρ0) or of another material. Only volumes above 0 count. Particles beyond the box, whose cells are aliases, are counted
// and left out.
//!include common/control
//!include common/torus
//!include common/cells
//!include common/surface

//!read cell_start sorted_position sorted_identity
//!atomic surface_outside
//!write surface_state

// At h = 4 radii, a particle in a flat surface has 0.81 ρ0, the layer below it ρ0.
const DEEP = 0.9;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let cell = cell_at(i);
    var state = 0u;
    var outside = 0u;
    var others = false;
    for (var j = cell_start[i]; j < cell_start[i + 1u]; j++) {
        let x = sorted_position[j];
        let fluid = x.w > 0.0;
        let here = all(cell_of(x.xyz) == cell);
        others = others || (here && !fluid && kind_of(sorted_identity[j]) == KIND_FLUID);
        if (fluid && here) {
            let within = (x.xyz - params.grid.origin) * params.grid.inverse_cell - vec3<f32>(cell);
            let lower = select(vec3<u32>(0u), vec3<u32>(0x55u, 0x33u, 0x0fu), within < vec3<f32>(0.75));
            let upper = select(vec3<u32>(0u), vec3<u32>(0xaau, 0xccu, 0xf0u), within >= vec3<f32>(0.25));
            let near = lower | upper;
            let rest_volume = material_of(sorted_identity[j]).rest_volume;
            state |= (near.x & near.y & near.z) | select(SHALLOW, 0u, DEEP * x.w <= rest_volume);
        } else if (fluid) {
            outside += 1u;
        }
    }
    surface_state[i] = select(state, state | SHALLOW, others && state > 0u);
    if (outside > 0u) { atomicAdd(&surface_outside[0], outside); }
}
