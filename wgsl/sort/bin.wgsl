// Counting sort, part 2: (id, slot) of every particle by bucket. Within a bucket they are in order
// of arrival, which is not reproducible; sort/rank fixes that.
//!include common/control
//!include common/buckets

//!read position identity arrival cell_start
//!write binned

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = identity[i];
    if (kind_of(who) == KIND_REMOVED) { return; }
    binned[cell_start[bucket_of(position[i].xyz, who)] + arrival[i]] = vec2<u32>(who.x, i);
}
