// Velocities of the held nodes, from those of the free ones around them (common/ties). A node that has none moves as particles
// at a wall do: not into it, and what stops it is an impulse on the wall.
//!include common/ties
//!include common/gathered
//!include common/node_push

//!read hold
//!write node push

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = node[c];
    let nodes = hold_from(hold[c]);
    if (!is_held(nodes)) { return; }
    if (own.w <= least_mass()) {
        keep_pushes(c);
        return;
    }
    let x = cell_center(cell);
    var v = vec3<f32>(0.0);
    choose_free(nodes);
    while (any_chosen()) {
        let step = next_chosen();
        let next = wrap_next(cell + step);
        if (!is_busy(next)) { continue; }
        let offset = vec3<f32>(step) * params.grid.cell;
        let weight = answers(nodes, offset);
        let d = cell_number(next);
        let there = node[d];
        if (there.w <= least_mass() || any(hold[d][3].xyz > vec3<f32>(0.0))) { continue; }
        let tied = tie(nodes, c, x, offset);
        v += weight / nodes.weight * (tied.a * there.xyz + tied.b);
    }
    if (nodes.weight == 0.0) {
        v = own.xyz;
        for (var w = 0u; w < 3u; w++) {
            if (nodes.solids[w] == 0.0) { continue; }
            let solid = u32(nodes.solids[w]) - 1u;
            let n = nodes.walls[w].xyz;
            let u = wall_velocity(solid, x, n, 0.0);
            let sticks = colliders[solid].response == RESPONSE_STICKY;
            let next = select(v - min(dot(v - u, n), 0.0) * n, u, sticks);
            add_push(solid, x, own.w * (v - next));
            v = next;
        }
    }
    node[c] = vec4<f32>(v, own.w);
    keep_pushes(c);
}
