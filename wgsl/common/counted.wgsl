// Counting sort, part 1: number of particles per cell, fluid and walls separately, and each
// particle's place in order of arrival. Removed particles go to the bucket after the last one. Counts are
// 0 before, as sort/rank has left them.
//!include common/buckets

//!read position
//!atomic cell_count
//!write arrival

fn count_particle(i: u32, who: vec2<u32>) {
    let bucket = select(bucket_of(position[i].xyz, who), removed_bucket(), kind_of(who) == KIND_REMOVED);
    arrival[i] = atomicAdd(&cell_count[bucket], 1u);
}
