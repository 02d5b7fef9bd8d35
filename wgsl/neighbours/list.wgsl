// Verlet lists: the clusters and their neighbour candidates (Páll, Hess 2013): in cell order, first fluid and then walls
// within h of one of the cluster's particles. An entry is a slot and a bit mask of candidates among the 32 slots from there
// on.
//!include common/control
//!include common/clusters

//!read neighbour_start
//!write clusters neighbours

// Margin for particles at a distance of exactly h, as in a lattice.
const MARGIN = 1.001;

// Centre of the cell of the cluster's first particle, and the particles relative to it.
var<private> middle: vec3<f32>;
var<private> members: array<vec3<f32>, 8>;
// h² of candidates.
var<private> reach: f32;
var<private> next: u32;
// The entry being filled.
var<private> entry: vec2<u32>;

// Along y and z, the periodic image nearest to the centre is the nearest to each particle; along x
// it may not be.
fn distance_squared(a: vec3<f32>, b: vec3<f32>) -> f32 {
    var d = a - b;
    if (IS_PERIODIC) { d.x -= params.grid.period.x * floor(d.x * params.grid.inverse_period.x + 0.5); }
    return dot(d, d);
}

fn write_entry() {
    if (entry.y == 0u) { return; }
    neighbours[next] = entry;
    next += 1u;
}

// Unrolled, since compilers keep an array in registers only if all indices are constants, and in
// sequence, which takes fewer registers than a tree.
fn visit_range(begin: u32, end: u32) {
    if (begin >= end) { return; }
    var j = begin;
    loop {
        let x = displacement(sorted_position_at(j).xyz, middle);
        var nearest = distance_squared(x, members[0]);
        nearest = min(nearest, distance_squared(x, members[1]));
        nearest = min(nearest, distance_squared(x, members[2]));
        nearest = min(nearest, distance_squared(x, members[3]));
        nearest = min(nearest, distance_squared(x, members[4]));
        nearest = min(nearest, distance_squared(x, members[5]));
        nearest = min(nearest, distance_squared(x, members[6]));
        nearest = min(nearest, distance_squared(x, members[7]));
        if (nearest < reach) {
            // Slots before the first one wrap around and are excluded.
            if (entry.y == 0u || j - entry.x >= 32u) {
                write_entry();
                entry = vec2<u32>(j, 0u);
            }
            entry.y |= 1u << (j - entry.x);
        }
        j += 1u;
        if (j >= end) { break; }
    }
}

// Particle in a slot of the cluster; the last one, if there are fewer.
fn member(slots: vec3<u32>, number: u32) -> vec3<f32> {
    let slot = min(slots.x + number, max(slots.y, 1u) - 1u);
    return displacement(sorted_position_at(slot).xyz, middle);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let number = element(global_id);
    if (number >= arrayLength(&clusters)) { return; }
    let slots = slots_of(number);
    let cell = vec3<f32>(cell_of(sorted_position_at(slots.x).xyz));
    middle = params.grid.origin + (cell + 0.5) / params.grid.inverse_cell;
    members[0] = member(slots, 0u);
    members[1] = member(slots, 1u);
    members[2] = member(slots, 2u);
    members[3] = member(slots, 3u);
    members[4] = member(slots, 4u);
    members[5] = member(slots, 5u);
    members[6] = member(slots, 6u);
    members[7] = member(slots, 7u);
    reach = MARGIN * params.kernel.support_radius_squared;
    next = neighbour_start[number];
    // Before the walk, through which the slots would take registers.
    clusters[number] = vec4<u32>(slots.xy, next, next);
    entry = vec2<u32>(0u);
    for_each_range(slots);
    write_entry();
    clusters[number].w = next;
}
