// 1 for each cell that gets a block: some particle is within reach of its nodes, and it is not deep
// in the fluid. Deep are cells whose 27 neighbours all hold deep particles and no others: there the
// field is taken as 1.
//!include common/control
//!include common/cells

@group(1) @binding(0) var<storage, read> surface_state: array<u32>;
@group(1) @binding(1) var<storage, read_write> surface_flag: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let cell = cell_at(i);
    let size = vec3<i32>(params.grid_size);
    var touched = false;
    var deep = true;
    for (var k = 0; k < 27; k++) {
        let neighbour = cell + vec3<i32>(k % 3, k / 3 % 3, k / 9) - 1;
        // Across the ends of periodic axes there are particles within reach, but no blocks.
        let image = select(neighbour, (neighbour + size) % size, params.period > vec3<f32>(0.0));
        let state = select(0u, surface_state[cell_number(clamp(image, vec3<i32>(0), size - 1))], in_box(image));
        touched = touched || state > 0u;
        deep = deep && state == 1u && in_box(neighbour);
    }
    surface_flag[i] = select(0u, 1u, touched && !deep);
}
