// Counting sort, 3: order[cell_start + rank] = slot, rank = number of smaller ids in the cell.
// This makes the order, and so every sum over neighbours, independent of atomic arrival.
//!include common/control
//!include common/grid

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> identity: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read> cell_start: array<u32>;
@group(1) @binding(3) var<storage, read> binned: array<vec2<u32>>;
@group(1) @binding(4) var<storage, read_write> order: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= control.particle_count) { return; }
    let who = identity[i];
    if (kind_of(who) == KIND_REMOVED) { return; }
    let key = key_of(position[i].xyz);
    let start = cell_start[key];
    let end = cell_start[key + 1u];
    var rank = 0u;
    for (var t = start; t < end; t++) {
        rank += select(0u, 1u, binned[t].x < who.x);
    }
    order[start + rank] = i;
}
