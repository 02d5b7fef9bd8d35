// Counting sort, part 3: order[cell_start + rank] = slot, where rank is the number of particles in
// the bucket with a smaller x, or with the same x and a smaller id. This makes the order, and so
// every sum over neighbours, independent of atomic arrival. Sorting by x keeps clusters compact.
// Counts are 0 again, for the next sort. wall_slots records the slots of bodies' particles, for passes over bodies.
//!include common/control
//!include common/buckets

//!gather position binned
//!read identity cell_start
//!write order wall_slots
//!atomic cell_count

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = identity[i];
    if (kind_of(who) == KIND_REMOVED) {
        atomicStore(&cell_count[removed_bucket()], 0u);
        return;
    }
    let x = position_at(i).xyz;
    let bucket = bucket_of(x, who);
    let start = cell_start[bucket];
    let end = cell_start[bucket + 1u];
    var rank = 0u;
    for (var t = start; t < end; t++) {
        let other = binned_at(t);
        let there = position_at(other.y).x;
        rank += select(0u, 1u, there < x.x || (there == x.x && other.x < who.x));
    }
    order[start + rank] = i;
    if (rank == 0u) { atomicStore(&cell_count[bucket], 0u); }
    if (kind_of(who) == KIND_BOUNDARY) { wall_slots[who.x - params.counts.first_wall] = start + rank; }
}
