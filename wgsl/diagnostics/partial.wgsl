// Diagnostics of a frame, part 1: block b of 256 sums the fluid particles i with ⌊i/64⌋ mod 256 =
// b. A particle is lost if it is outside a closed wall by more than a particle radius.
//!include common/control
//!include shared/walls
//!include common/diagnostics

//!read colliders bodies position velocity identity distances
//!write diagnostics_partial

fn is_lost(x: vec3<f32>) -> bool {
    for (var c = 0u; c < params.counts.driven; c++) {
        let collider = posed(colliders[c], bodies[c]);
        if (collider.closed == 1u) {
            for (var k = 0u; k < walls_of(collider).count; k++) {
                let contact = wall_contact(collider, to_local(collider, x), k);
                if (contact.distance < -params.world.particle_radius) { return true; }
            }
        }
    }
    return false;
}

fn describe(i: u32) -> Diagnostics {
    let who = identity[i];
    if (kind_of(who) != KIND_FLUID) { return nothing(); }
    let material = material_of(who);
    let x = position[i].xyz;
    let v = velocity[i].xyz;
    let m = material.mass;
    let compression = max(0.0, position[i].w / material.rest_density - 1.0);
    return Diagnostics(m * v, m, m * cross(x, v), 0.5 * m * dot(v, v), m * x, compression,
                       x, compression, x, length(v), 1.0, 0.0, 0.0, 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let block = element(global_id) / 64u;
    // In a loop of its own, so that the sum takes no registers meanwhile.
    var lost = 0.0;
    for (var i = block * 64u + local; i < control.particle_count; i += DIAGNOSTICS_BLOCKS * 64u) {
        let fluid = kind_of(identity[i]) == KIND_FLUID;
        lost += select(0.0, 1.0, fluid && is_lost(position[i].xyz));
    }
    var sum = nothing();
    for (var i = block * 64u + local; i < control.particle_count; i += DIAGNOSTICS_BLOCKS * 64u) {
        sum = combine(sum, describe(i));
    }
    sum.lost = lost;
    let total = combine_workgroup(sum, local);
    if (local == 0u && block < DIAGNOSTICS_BLOCKS) { diagnostics_partial[block] = total; }
}
