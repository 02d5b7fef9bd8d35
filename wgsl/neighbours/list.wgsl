// The clusters, and the candidates for neighbours of each (Páll, Hess 2013): in cell order, what is
// within h of the box around its fluid.
//!include common/control
//!include common/clusters

@group(1) @binding(3) var<storage, read> neighbour_start: array<u32>;
@group(1) @binding(4) var<storage, read_write> clusters: array<vec4<u32>>;
@group(1) @binding(5) var<storage, read_write> neighbours: array<u32>;

// What is h away, as in a lattice, is on the safe side of rounding.
const MARGIN = 1.001;

var<private> next: u32;

fn visit_range(begin: u32, end: u32, reach: Reach) {
    for (var j = begin; j < end; j++) {
        let away = abs(displacement(sorted_position[j].xyz, reach.center)) - reach.half;
        let d = max(away, vec3<f32>(0.0));
        if (dot(d, d) < MARGIN * params.support_radius_squared) {
            neighbours[next] = j;
            next += 1u;
        }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let number = element(global_id);
    if (number >= arrayLength(&clusters)) { return; }
    let slots = slots_of(number);
    next = neighbour_start[number];
    for_each_range(slots);
    clusters[number] = vec4<u32>(slots, neighbour_start[number], next);
}
