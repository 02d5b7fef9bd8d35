// Marching cubes, part 2: a vertex on each edge that crosses the surface, where the field,
// interpolated linearly, equals the surface's value. Its normal is that of the field's gradient
// (central differences at both ends) and points out of the fluid. Vertices stay a thousandth of an
// edge away from its ends, so that no two coincide.
//!include common/control
//!include common/surface_nodes

//!gather surface_field surface_nodes
//!read tile_vertex_start cut_tiles
//!write surface_position surface_normal

const MARGIN = 1e-3;

// The field at the tile's nodes, one layer below and two above.
var<workgroup> values: array<f32, 343>;

fn value_at(node: vec3<i32>) -> f32 {
    let slot = slot_of(node);
    let value = surface_field_at(select(slot, 0u, slot >= INSIDE));
    return select(value, select(0.0, 1.0, slot == INSIDE), slot >= INSIDE);
}

fn gradient(at: u32) -> vec3<f32> {
    return vec3<f32>(values[at + 1u] - values[at - 1u], values[at + 7u] - values[at - 7u], values[at + 49u] - values[at - 49u]);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let number = element(global_id) / TILE_NODES;
    let entry = cut_tiles[number];
    find_tiles(entry, local);
    workgroupBarrier(); // the tiles around are known
    // Loops test at their end: on software Vulkan a test at the start costs an extra iteration.
    var k = local;
    loop {
        if (k < 343u) { values[k] = value_at(vec3<i32>(vec3<u32>(k % 7u, k / 7u % 7u, k / 49u)) - 1); }
        k += TILE_NODES;
        if (k >= 384u) { break; }
    }
    workgroupBarrier(); // all values are known
    // Dispatches are folded and may overshoot.
    if (number >= surface_control[0].cut_count) { return; }
    let tile = unpack_number(entry.w);
    let word = surface_nodes_at(TILE_NODES * tile + local);
    let place = node_place(local);
    let center = vec3<u32>(place + 1);
    let at = center.x + 7u * center.y + 49u * center.z;
    let iso = surface_control[0].iso;
    let edge = 1.0 / (f32(TILE) * f32(surface_control[0].fineness) * params.grid.inverse_cell);
    let origin = TILE * (i32(surface_control[0].fineness) * entry.xyz + unpack_place(entry.w));
    let node = vec3<f32>(origin + place);
    var vertex = tile_vertex_start[tile] + ((word >> 11u) & 255u);
    // Edges that cross the surface. Most nodes have none.
    var edges = (word >> 8u) & 7u;
    let count = countOneBits(edges);
    var n = 0u;
    loop {
        let axis = min(firstTrailingBit(edges), 2u);
        let stride = select(select(1u, 7u, axis == 1u), 49u, axis == 2u);
        let t = clamp((iso - values[at]) / (values[at + stride] - values[at]), MARGIN, 1.0 - MARGIN);
        let step = select(vec3<f32>(0.0), vec3<f32>(t), vec3<u32>(axis) == vec3<u32>(0u, 1u, 2u));
        let inward = mix(gradient(at), gradient(at + stride), t) / edge;
        let length_ = length(inward);
        if (n < count) {
            surface_position[vertex] = vec4<f32>(params.grid.origin + (node + step) * edge, 0.0);
            surface_normal[vertex] = vec4<f32>(select(vec3<f32>(0.0, 1.0, 0.0), -inward / length_, length_ > 0.0), 0.0);
        }
        vertex += 1u;
        edges &= edges - 1u;
        n++;
        if (n >= count) { break; }
    }
}
