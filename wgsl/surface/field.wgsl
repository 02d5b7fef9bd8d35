// The colour field (M 15) on the nodes of all blocks: c(x) = Σ V_j W_poly6(x − x_j), divided by the
// rest lattice's sum so that it is 1 inside. Nodes on the lower faces of a block belong to its lower
// neighbours, too: where one of those has no block, its 0 or 1 holds. So a cube without a block
// never has corners on both sides of the surface, and the mesh is closed whatever the particles do.
//!include common/control
//!include common/cells
//!include common/surface
//!include common/kernels
//!include common/neighbours

@group(1) @binding(1) var<storage, read> sorted_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> surface_control: array<SurfaceControl>;
@group(1) @binding(3) var<storage, read> surface_block: array<u32>;
@group(1) @binding(4) var<storage, read> surface_cells: array<u32>;
@group(1) @binding(5) var<storage, read_write> surface_field: array<f32>;

var<private> sum: f32;

fn load(j: u32) -> Candidate {
    return Candidate(sorted_position[j], vec4<f32>(0.0), 0.0);
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let d = max(params.support_radius_squared - dot(offset, offset), 0.0);
    sum += select(0.0, candidate.position.w, mine) * d * d * d;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let slot = element(global_id);
    let fineness = surface_control[0].fineness;
    let per_block = tiles_per_block(fineness);
    let tile = slot / TILE_NODES;
    let live = tile < surface_control[0].block_count * per_block;
    let cell = cell_at(surface_cells[min(tile / per_block, surface_control[0].block_capacity - 1u)]);
    let place = TILE * tile_place(tile % per_block, fineness) + node_place(slot % TILE_NODES);
    let per_cell = f32(TILE) * f32(fineness);
    let node = vec3<f32>(cell) + vec3<f32>(place) / per_cell;
    sum = 0.0;
    for_each_candidate_from(cell, params.grid_origin + node / params.inverse_cell, live);
    var value = params.density_calibration * params.poly6 * sum;
    for (var k = 1; k < 8; k++) {
        let step = vec3<i32>(k & 1, (k >> 1u) & 1, k >> 2u);
        let lower = cell - step;
        if (all((place == vec3<i32>(0)) | (step == vec3<i32>(0)))) {
            let block = select(OUTSIDE, surface_block[cell_number(max(lower, vec3<i32>(0)))], in_box(lower));
            value = select(value, select(1.0, 0.0, block == OUTSIDE), block >= INSIDE);
        }
    }
    if (live) { surface_field[slot] = value; }
}
