// Solids that are part of the density are full: at the nodes near the surface, H is at least that of the depth
// d below the walls of each collider with boundary particles or volume, H = ½ + d/Δ between 0 and 1.
//!include common/control
//!include common/levelset
//!include shared/walls
//!include shared/responses

//!read levelset_cells levelset_dispatch colliders bodies distances
//!write levelset_empty

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= LEVEL_COLUMNS * levelset_dispatch[3]) { return; }
    let number = levelset_cells[i / LEVEL_COLUMNS];
    let column = i % LEVEL_COLUMNS;
    let at = LEVEL_COLUMNS * number + column;
    let place = vec3<f32>(cell_at(number)) + 0.25 * vec3<f32>(vec3<u32>(column % 4u, column / 4u, 0u));
    var node = params.grid.origin + place / params.grid.inverse_cell;
    // In 2-D nodes are in the plane of the particles.
    if (is_flat()) { node.z = 0.0; }
    let width = node_width();
    var empty = unpack4x8unorm(levelset_empty[at]);
    for (var c = 0u; c < params.counts.colliders; c++) {
        let collider = posed(colliders[c], bodies[c]);
        if (collider.response != RESPONSE_PARTICLES && collider.response != RESPONSE_VOLUME) { continue; }
        let walls = walls_of(collider).distinct;
        for (var k = 0u; k < walls; k++) {
            for (var z = 0u; z < 4u; z++) {
                let x = node + vec3<f32>(0.0, 0.0, f32(z) * node_spacing().z);
                let depth = -wall_contact(collider, to_local(collider, x), k).distance;
                empty[z] = min(empty[z], clamp(0.5 - depth / width, 0.0, 1.0));
            }
        }
    }
    levelset_empty[at] = pack4x8unorm(empty);
}
