// Counting sort, part 2: (id, slot) of every particle by bucket. Within a bucket they are in order
// of arrival, which is not reproducible; sort/rank fixes that.
//!include common/control
//!include common/buckets

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> identity: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read> arrival: array<u32>;
@group(1) @binding(3) var<storage, read> cell_start: array<u32>;
@group(1) @binding(4) var<storage, read_write> binned: array<vec2<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= control.particle_count) { return; }
    let who = identity[i];
    if (kind_of(who) == KIND_REMOVED) { return; }
    binned[cell_start[bucket_of(position[i].xyz, who)] + arrival[i]] = vec2<u32>(who.x, i);
}
