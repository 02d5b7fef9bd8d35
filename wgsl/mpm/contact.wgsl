// Walls that hold a node in this step: those that would push it. A wall cannot pull, so where the material at it would leave
// faster than the linear field says, the wall lets it go; "sticky" and "slip" keep what has reached them.
//!include common/ties
//!include common/gathered

//!read node
//!write hold

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let old = hold_from(hold[c]);
    if (!is_held(old)) { return; }
    let here = node[c];
    let x = cell_center(cell);
    var now = old;
    for (var w = 0u; w < 3u; w++) {
        if (old.solids[w] == 0.0) { continue; }
        let solid = u32(old.solids[w]) - 1u;
        let gap = closing[c][w];
        let kind = colliders[solid].response;
        if ((kind == RESPONSE_STICKY || kind == RESPONSE_SLIP) && gap == 0.0) { continue; }
        let n = old.walls[w].xyz;
        let u = dot(n, wall_velocity(solid, x, n, gap));
        // By this wall alone.
        var alone = old;
        alone.solids = vec3<f32>(0.0);
        alone.solids[w] = 1.0;
        var push = 0.0;
        var slack = 0.0;
        choose_free(alone);
        while (any_chosen()) {
            let step = next_chosen();
            let next = wrap_next(cell + step);
            if (!is_busy(next)) { continue; }
            let offset = vec3<f32>(step) * params.grid.cell;
            let weight = answers(alone, offset);
            let there = node[cell_number(next)];
            if (there.w <= least_mass()) { continue; }
            push += weight * (lever(alone, w, offset) * (dot(n, there.xyz) - u) - (dot(n, here.xyz) - u));
            slack += weight * (length(there.xyz) + length(here.xyz));
        }
        // Less than rounding is no pull.
        if (push < -1e-5 * slack) { now.solids[w] = 0.0; }
    }
    hold[c] = array<vec4<f32>, 4>(now.walls[0], now.walls[1], now.walls[2], vec4<f32>(now.solids, old.weight));
}
