// How fast the particles around a held node may still approach its walls in this step until the nearest is half a spacing
// away, as one that rests there: nothing is held off by a wall that it has not reached.
//!include common/neighbours
//!include common/held
//!include common/spline

//!gather point_place
//!read hold
//!write closing

// A weight.
const LITTLE = 1e-6;

var<private> nodes: Hold;
var<private> nearest: vec3<f32>;

fn load(j: u32) -> Neighbour {
    return Neighbour(point_place_at(j), j);
}

// Along the normals, of particles that give to the node; the offset leads from the particle to the node.
fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    if (!mine || neighbour.position.w <= 0.0) { return; }
    // Those that give next to nothing count as further away.
    let weight = min(LITTLE, spline_weight(offset * params.grid.inverse_cell));
    let less = 6.0 * params.grid.cell * (1.0 - weight / LITTLE);
    for (var w = 0u; w < 3u; w++) {
        nearest[w] = min(nearest[w], nodes.walls[w].w - dot(nodes.walls[w].xyz, offset) + less);
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    var enabled = in_box(cell);
    let c = select(0u, cell_number(cell), enabled);
    nodes = hold_from(hold[c]);
    enabled = enabled && is_held(nodes);
    nearest = vec3<f32>(1.5 * params.grid.cell);
    for_each_candidate_from(own_cells(), cell, cell_center(cell), enabled);
    if (!enabled) { return; }
    // A first step takes no time.
    var speed = max(nearest - params.world.particle_radius, vec3<f32>(0.0)) / max(control.dt, 1e-20);
    for (var w = 0u; w < 3u; w++) {
        // What sticks to a wall or slides on it has no gap of less than a quarter of a spacing. A first step takes no time.
        let kind = colliders[max(u32(nodes.solids[w]), 1u) - 1u].response;
        let keeps = kind == RESPONSE_STICKY || kind == RESPONSE_SLIP;
        if (control.dt == 0.0 || (keeps && nearest[w] <= 1.5 * params.world.particle_radius)) { speed[w] = 0.0; }
    }
    closing[c] = vec4<f32>(speed, 0.0);
}
