// What each cell of the box holds: 0 no particle, 1 only particles deep in the fluid (ρ ≥ 0.9 ρ0),
// 2 also others. Particles beyond the box, whose cells are aliases, are counted and left out.
//!include common/control
//!include common/grid
//!include common/cells

@group(1) @binding(0) var<storage, read> cell_start: array<u32>;
@group(1) @binding(1) var<storage, read> sorted_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> sorted_identity: array<vec2<u32>>;
@group(1) @binding(3) var<storage, read_write> surface_outside: array<atomic<u32>>;
@group(1) @binding(4) var<storage, read_write> surface_state: array<u32>;

// A particle in a flat surface has 0.81 ρ0 at h = 4 radii, the layer below it ρ0.
const DEEP = 0.9;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let cell = cell_at(i);
    var state = 0u;
    var outside = 0u;
    for (var j = cell_start[i]; j < cell_start[i + 1u]; j++) {
        let x = sorted_position[j];
        let rest_volume = material_of(sorted_identity[j]).rest_volume;
        let here = all(cell_of(x.xyz) == cell);
        outside += select(1u, 0u, here);
        state = max(state, select(0u, select(2u, 1u, DEEP * x.w <= rest_volume), here));
    }
    surface_state[i] = state;
    if (outside > 0u) { atomicAdd(&surface_outside[0], outside); }
}
