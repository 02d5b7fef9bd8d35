// The neighbour of each fluid particle that stands for all walls without particles near it. A flat wall has
// the share of the layers of the particle's mirror image in its density (crates/methods/src/share.rs):
//   s(d) = Σ_{k≥0} P(2d + k a) / Σ_k P(k a) for d ≤ a/2, P(z) = ∫ W over a plane z away, a the spacing,
// of which wall_shares is a table; several walls have s = 1 − Π (1 − s_k), ∇s = Σ_k Π_{j≠k} (1 − s_j) ∇s_k. Curvature
// is neglected. The neighbour's place and volume follow from V W(r) = s, V ∇W(r) = ∇s, so that passes over
// neighbours need no other formula for walls.
//!include common/control
//!include common/kernels
//!include shared/walls
//!include shared/responses
//!include common/worlds

//!read colliders bodies distances wall_shares
//!write sorted_position sorted_velocity sorted_identity

// Least volume in m³, by whose sign the neighbour is one of a wall also where there is no wall.
const LEAST = 1e-20;

// Between the entries of the table, at 0 to 1.
fn shares_at(t: f32) -> vec4<f32> {
    let last = arrayLength(&wall_shares) - 1u;
    let place = clamp(t, 0.0, 1.0) * f32(last);
    let k = min(u32(place), max(last, 1u) - 1u);
    return mix(wall_shares[k], wall_shares[min(k + 1u, last)], place - f32(k));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    // Outside of control flow, software Vulkan loads it once for all lanes.
    let first = posed(colliders[0], bodies[0]);
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    if (!has_particle(i) || kind_of(sorted_identity[i]) == KIND_BOUNDARY) { return; }
    let x = sorted_position[i].xyz;
    var share = 0.0;
    // −h ∇s, into the fluid.
    var slope = vec3<f32>(0.0);
    // Means over walls, weighted by their shares.
    var motion = vec4<f32>(0.0);
    var total = 0.0;
    // Loops test at their end: on software Vulkan a test at the start costs an extra iteration.
    let solids = driven_of(world_of(sorted_identity[i]));
    var c = solids.x;
    loop {
        var collider = first;
        if (SEVERAL_WALLS) { collider = posed(colliders[c], bodies[c]); }
        // Of other walls the share is 0.
        let mine = select(0.0, 1.0, collider.response == RESPONSE_VOLUME);
        let walls = walls_of(collider).distinct;
        var k = 0u;
        loop {
            let contact = wall_contact(collider, to_local(collider, x), k);
            let own = mine * shares_at(contact.distance * kernel.inverse_support_radius);
            let n = rotate(collider.rotation, contact.normal);
            slope = slope * (1.0 - own.x) + (1.0 - share) * own.y * n;
            share += own.x * (1.0 - share);
            let arm = displacement(x, collider.position) - contact.distance * n;
            let velocity = velocity_of_wall(collider, x, arm);
            motion += own.x * vec4<f32>(velocity, collider.damping);
            total += own.x;
            k += 1u;
            if (k >= walls) { break; }
        }
        c += 1u;
        if (!SEVERAL_WALLS || c >= solids.y) { break; }
    }
    let steepness = length(slope);
    let r = kernel.support_radius * shares_at(steepness / max(steepness + share, LEAST)).z;
    let volume = max(share / (kernel.density_calibration * density_kernel(r * r)), LEAST);
    let neighbour = params.counts.capacity + i;
    sorted_position[neighbour] = vec4<f32>(x - r * direction_of(slope), -volume);
    sorted_velocity[neighbour] = motion / max(total, LEAST);
    sorted_identity[neighbour] = vec2<u32>(0u, KIND_VOLUME);
}
