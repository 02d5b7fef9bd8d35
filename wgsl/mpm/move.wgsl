// Velocities of the free nodes after contact with solids: with momentum and inertia of the held nodes that follow them,
//   (m_k + Σ q m_s Aᵀ A) v_k = m_k v*_k + Σ q m_s Aᵀ (v*_s − b),   v_s = A v_k + b (common/ties),  q the node's share of s,
// the least change of all velocities in the metric of masses, so that contact adds no energy. Friction of walls that
// separate: as an impulse of μ_f times the normal one, up to what stops the tangential motion.
// Bodies get the adjoint of b: with λ = q m_s (A v_k + b − v*_s), −∂b/∂(V, ω) λ, so that they take the work that nodes give.
//!include common/ties
//!include common/followers
//!include common/inverse
//!include common/node_push

//!write node push

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = node[c];
    let last = hold[c][3];
    if (any(last.xyz > vec3<f32>(0.0))) { return; }
    if (own.w <= least_mass() || last.w == 0.0) {
        keep_pushes(c);
        return;
    }
    var mass = own.w * mat3x3<f32>(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(0.0, 0.0, 1.0));
    var momentum = own.w * own.xyz;
    var normal = vec3<f32>(0.0);
    var ahead = vec3<f32>(0.0);
    var all = own.w;
    // Friction's impulse: constant, and by the velocity to be found.
    var limit = 0.0;
    var slope = vec3<f32>(0.0);
    // Mass of the held nodes at walls with friction.
    var rubbing = 0.0;
    choose_followers(cell, u32(last.w));
    let around = chosen;
    while (any_chosen()) {
        let step = next_chosen();
        let next = wrap_next(cell + step);
        let d = cell_number(next);
        let nodes = hold_from(hold[d]);
        let there = node[d];
        if (there.w <= least_mass()) { continue; }
        let offset = -vec3<f32>(step) * params.grid.cell;
        let weight = answers(nodes, offset);
        let m = weight / nodes.weight * there.w;
        let x = cell_center(next);
        let tied = tie(nodes, d, x, offset);
        let back = transpose(tied.a);
        let apart = tied.b - there.xyz;
        mass += m * (back * tied.a);
        momentum -= m * (back * apart);
        all += m;
        for (var w = 0u; w < 3u; w++) {
            if (nodes.solids[w] == 0.0) { continue; }
            let solid = u32(nodes.solids[w]) - 1u;
            let friction = colliders[solid].damping;
            if (colliders[solid].response != RESPONSE_SEPARATE || friction == 0.0) { continue; }
            let n = nodes.walls[w].xyz;
            let part = friction * m * (1.0 - lever(nodes, w, offset));
            limit += part * dot(n, apart);
            slope += part * (back * n);
            normal += m * n;
            rubbing += m;
            ahead += m * wall_velocity(solid, x, n, 0.0);
        }
    }
    if (all == own.w) {
        keep_pushes(c);
        return;
    }
    let free = inverted((1.0 / all) * mass) * (momentum / all);
    var slowed = vec3<f32>(0.0);
    let long = length(normal);
    if (long > 0.0) {
        let n = normal / long;
        let u = ahead / long;
        let slip = (free - u) - dot(n, free - u) * n;
        let impulse = max(0.0, limit + dot(slope, free));
        let speed = length(slip);
        slowed = min(1.0, impulse / max(all * speed, 1e-20)) * slip;
    }
    node[c] = vec4<f32>(free - slowed, own.w);
    if (!HAS_PUSHES) { return; }
    chosen = around;
    while (any_chosen()) {
        let step = next_chosen();
        let next = wrap_next(cell + step);
        let d = cell_number(next);
        let nodes = hold_from(hold[d]);
        let there = node[d];
        if (there.w <= least_mass()) { continue; }
        let offset = -vec3<f32>(step) * params.grid.cell;
        let m = answers(nodes, offset) / nodes.weight * there.w;
        let x = cell_center(next);
        let tied = tie(nodes, d, x, offset);
        var force = m * (tied.a * free + tied.b - there.xyz);
        // The last wall acts on what those before it left.
        for (var back = 0u; back < 3u; back++) {
            let w = 2u - back;
            if (nodes.solids[w] == 0.0) { continue; }
            let solid = u32(nodes.solids[w]) - 1u;
            let n = nodes.walls[w].xyz;
            let response = colliders[solid].response;
            let part = rest(nodes, w, offset) * select(dot(n, force) * n, force, response == RESPONSE_STICKY);
            force -= part;
            let rubs = response == RESPONSE_SEPARATE && colliders[solid].damping > 0.0;
            let friction = select(vec3<f32>(0.0), m / max(rubbing, 1e-30) * all * slowed, rubs);
            add_push(solid, x, friction - part);
        }
    }
    keep_pushes(c);
}
