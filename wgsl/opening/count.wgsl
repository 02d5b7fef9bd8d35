// Counts the particles that have come in, as far as there were slots for them.
//!include common/control_write
//!include shared/opening_params

//!read openings opening_start
//!write opening_counts

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    let free = params.counts.capacity - min(control.particle_count, params.counts.capacity);
    for (var o = 0u; o < params.counts.openings; o++) {
        let opening = openings[o];
        let first = min(opening_start[opening.first_point], free);
        opening_counts[2u * o] += min(opening_start[opening.first_point + opening.point_count], free) - first;
    }
    let all = min(opening_start[params.counts.opening_points], free);
    control.next_id += all;
    control.particle_count += all;
}
