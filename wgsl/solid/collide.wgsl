// Collisions with walls, in place on the unsorted arrays: particle centres stay a particle radius
// away from every wall, but only a quarter of it from walls that act by particles or volume in incompressible
// fluid, and from bodies: their pressure does this better, and a push-out would compress the fluid. What solids on which
// forces are measured stop is kept for solid/stop. (With freely moving bodies, which may squeeze fluid against walls, it is a
// full radius.)
//   reflect (M §3.4): push out; v_n ← −e v_n; v_t ← v_t − min(μ_f |Δv_n|, |v_t|) v_t/|v_t|
//   spring (T 4, sign corrected): a = (k_s d − k_d v·n) n, d the penetration one step ahead; where the
//   spring gives way by a radius, the wall itself stops the particle
//   suction p_s holds what would leave: v_n ← max(v_n − Δt p_s/(ρ0 l), 0) within l, two spacings, of the wall,
// as if a film of that thickness had the pressure −p_s at the wall and 0 at its surface. SPH has no tensile strength, but
// no air comes between a film and a wall.
// Velocities are relative to the wall's at the contact. Walls that act by particles, volume or nodes
// are frictionless and inelastic: e = μ_f = 0. Freely moving bodies hold the fluid off by their
// particles alone.
// The check at the end of a step follows (common/limits).
//!include common/limits
//!include shared/walls
//!include shared/responses
//!include common/worlds

//!read colliders bodies distances
//!write position velocity stops

// Of a fluid particle; the first solid is given, since software Vulkan loads it once for all lanes outside of control flow.
fn collide(i: u32, first: Collider) {
    var x = position[i].xyz;
    var v = velocity[i].xyz;
    if (params.counts.driven == 0u) { return; }
    let gentle = params.sph.incompressible == 1u && params.counts.driven == params.counts.colliders;
    let material = material_of(identity[i]);
    let mass = material.mass;
    let reach = 4.0 * params.world.particle_radius;
    var stopped = vec4<f32>(0.0);
    // Loops test at their end: on software Vulkan a test at the start costs an extra iteration.
    let solids = driven_of(world_of(identity[i]));
    var c = solids.x;
    loop {
        var collider = first;
        if (SEVERAL_WALLS) { collider = posed(colliders[c], bodies[c]); }
        let elastic = collider.response == RESPONSE_REFLECT || collider.response == RESPONSE_SPRING;
        let left = !elastic && gentle;
        let least = select(1.0, 0.25, left || collider.is_body == 1u) * params.world.particle_radius;
        let walls = walls_of(collider);
        var k = 0u;
        loop {
            let contact = wall_contact(collider, to_local(collider, x), k);
            let n = rotate(collider.rotation, contact.normal);
            let arm = displacement(x, collider.position);
            var relative = v - velocity_of_wall(collider, x, arm);
            var penetration = least - contact.distance;
            if (HAS_SPRINGS && collider.response == RESPONSE_SPRING) {
                let v_n = dot(relative, n);
                let ahead = penetration - control.dt * v_n;
                if (ahead > 0.0 && k < walls.distinct) {
                    let push = control.dt * (collider.stiffness * ahead - collider.damping * v_n) * n;
                    v += push;
                    relative += push;
                }
                penetration = -contact.distance;
            }
            let v_n = dot(relative, n);
            var change = 0.0;
            if (HAS_SUCTION && contact.distance < reach && k < walls.distinct) {
                change = -clamp(v_n, 0.0, control.dt * collider.suction / (material.rest_density * reach));
            }
            if (penetration > 0.0) {
                x += penetration * n;
                if (v_n < 0.0) {
                    change = -(1.0 + select(0.0, collider.restitution, elastic)) * v_n;
                    let tangential = relative - v_n * n;
                    let slip = length(tangential);
                    if (slip > 0.0 && elastic) {
                        v -= min(collider.friction * change, slip) / slip * tangential;
                    }
                }
            }
            v += change * n;
            if (change != 0.0 && (collider.particle_count > 0u || collider.is_body == 2u)) {
                // Of two solids at a corner the last: their sums are apart.
                let before = select(vec3<f32>(0.0), stopped.xyz, stopped.w == f32(c + 1u));
                stopped = vec4<f32>(before + mass * change * n, f32(c + 1u));
            }
            k += 1u;
            if (k >= walls.count) { break; }
        }
        c += 1u;
        if (!SEVERAL_WALLS || c >= solids.y) { break; }
    }
    if (i < arrayLength(&stops)) { stops[i] = stopped; }
    position[i] = vec4<f32>(x, position[i].w);
    velocity[i] = vec4<f32>(v, velocity[i].w);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    let first = posed(colliders[0], bodies[0]);
    if (!workgroup_is_active(local)) { return; }
    let i = element(global_id);
    if (has_particle(i) && kind_of(identity[i]) != KIND_BOUNDARY) { collide(i, first); }
    check_limits(i, local);
}
