// Counting sort, 1: how many particles each cell holds, and each particle's place in order of
// arrival. Removed particles go to the bucket behind the last cell.
//!include common/control
//!include common/grid

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> identity: array<vec2<u32>>;
@group(1) @binding(2) var<storage, read_write> cell_count: array<atomic<u32>>;
@group(1) @binding(3) var<storage, read_write> arrival: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= control.particle_count) { return; }
    let key = select(key_of(position[i].xyz), params.cell_count, kind_of(identity[i]) == KIND_REMOVED);
    arrival[i] = atomicAdd(&cell_count[key], 1u);
}
