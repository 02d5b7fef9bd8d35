// Forces on the nodes at walls given to the free ones that they follow, Q_k = q_k + Σ share Aᵀ q_s (common/held), which makes K
// symmetric in the velocities of the free ones; those of a held one that has none around it less what its walls bear.
//!include common/held

//!read hold implicit_around implicit_q
//!write implicit_w

// What is left of a force where walls hold a node: no part along their normals, nothing if one of them is sticky.
fn borne(nodes: Hold, force: vec3<f32>) -> vec3<f32> {
    var left = force;
    var before = vec3<f32>(0.0);
    for (var w = 0u; w < 3u; w++) {
        if (nodes.solids[w] == 0.0) { continue; }
        if (colliders[u32(nodes.solids[w]) - 1u].response == RESPONSE_STICKY) { return vec3<f32>(0.0); }
        // Two walls leave one way, three none.
        let n = nodes.walls[w].xyz;
        let apart = n - dot(n, before) * before;
        if (dot(apart, apart) < 1e-6) { continue; }
        let m = normalize(apart);
        left -= dot(left, m) * m;
        if (any(before != vec3<f32>(0.0))) {
            let third = cross(before, m);
            left = dot(left, third) * third;
        }
        before = m;
    }
    return left;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let nodes = hold_from(hold[c]);
    var sum = implicit_q[c];
    if (is_held(nodes)) {
        sum = vec4<f32>(borne(nodes, sum.xyz), sum.w);
    } else if (any(implicit_around[c] != vec4<u32>(0u))) {
        choose_none(first_around(u32(nodes.weight)), last_around(u32(nodes.weight)));
        chosen = implicit_around[c];
        while (any_chosen()) {
            let step = next_chosen();
            let d = cell_number(wrap_next(cell + step));
            let other = hold_from(hold[d]);
            let offset = -vec3<f32>(step) * params.grid.cell;
            let share = answers(other, offset) / other.weight;
            let force = implicit_q[d];
            sum += share * vec4<f32>(transpose(follows(other, offset)) * force.xyz, force.w);
        }
    }
    implicit_w[c] = sum;
}
