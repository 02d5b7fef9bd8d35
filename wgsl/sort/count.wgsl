// Counting sort, part 1: number of particles per cell, fluid and walls separately, and each
// particle's place in order of arrival. Removed particles go to the bucket after the last one.
//!include common/control
//!include common/buckets

//!read position identity
//!atomic cell_count
//!write arrival

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = identity[i];
    let bucket = select(bucket_of(position[i].xyz, who), removed_bucket(), kind_of(who) == KIND_REMOVED);
    arrival[i] = atomicAdd(&cell_count[bucket], 1u);
}
