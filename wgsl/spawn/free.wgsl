// Points at which a program adds particles: 1 if one fits there, no fluid being within nine tenths of a spacing, as it is in the middle
// between four or eight others, and no solid within half a spacing, as at the start.
//!include common/control
//!include common/neighbours
//!include shared/walls

//!gather sorted_position
//!read spawn_position spawn_state colliders bodies distances
//!write spawn_free

// In radii, of which a spacing has two.
const FLUID_APART = 1.8;
const SOLID_APART = 0.998;

var<private> is_taken: bool;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j);
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    // Lanes without a neighbour have volume 0.
    let apart = FLUID_APART * params.world.particle_radius;
    is_taken = is_taken || (mine && neighbour.position.w > 0.0 && dot(offset, offset) < apart * apart);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    let exists = k < stage.element_count;
    let x = spawn_position[min(k, arrayLength(&spawn_position) - 1u)].xyz;
    let wanted = exists && k < spawn_state[0];
    is_taken = false;
    for_each_candidate(0u, x, wanted);
    for (var c = 0u; c < params.counts.colliders; c++) {
        let solid = posed(colliders[c], bodies[c]);
        let contact = facing(solid, outer_contact(solid, to_local(solid, x)));
        is_taken = is_taken || contact.distance < SOLID_APART * params.world.particle_radius;
    }
    // The last element is of no point: with it the sums' last one counts all.
    if (exists) { spawn_free[k] = select(0u, 1u, wanted && !is_taken); }
}
