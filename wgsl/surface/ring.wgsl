// The four neighbours of each vertex: its edge lies in four faces of cubes, and in each of them the
// surface continues to one other edge. On an ambiguous face inside corners are separate, as in the
// table of triangles.
//!include common/control
//!include common/surface_nodes

//!read surface_nodes tile_vertex_start cut_tiles
//!write surface_ring

// First vertex, crossing edges (3 bits) and whether it is inside, for each node of the tile, one
// layer below and two above.
var<workgroup> first: array<u32, 343>;
var<workgroup> nodes: array<u32, 343>;

const STRIDE = vec3<u32>(1u, 7u, 49u);

fn vertex_of(at: u32, axis: u32) -> u32 {
    return first[at] + countOneBits(nodes[at] & ((1u << axis) - 1u));
}

// The vertex to which the surface continues from the edge `at` → `at` + STRIDE[along], in the face
// whose other edge starts at `beside`, one step along axis `across`.
fn next(at: u32, beside: u32, along: u32, across: u32) -> u32 {
    let end = STRIDE[along];
    let first_inside = nodes[at] >> 3u == 1u;
    // The inside and the outside corner of this edge, and the corners facing them.
    let inner = select(at + end, at, first_inside);
    let outer = select(at, at + end, first_inside);
    let facing_inner = select(beside + end, beside, first_inside);
    let facing_outer = select(beside, beside + end, first_inside);
    if (nodes[facing_inner] >> 3u == 0u) { return vertex_of(min(inner, facing_inner), across); }
    if (nodes[facing_outer] >> 3u == 1u) { return vertex_of(min(outer, facing_outer), across); }
    return vertex_of(beside, along);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let number = element(global_id) / TILE_NODES;
    find_tiles(cut_tiles[number], local);
    workgroupBarrier(); // the tiles around are known
    for (var k = local; k < 343u; k += TILE_NODES) {
        let other = slot_of(vec3<i32>(vec3<u32>(k % 7u, k / 7u % 7u, k / 49u)) - 1);
        let known = select(other, 0u, other >= INSIDE);
        let word = surface_nodes[known];
        first[k] = tile_vertex_start[known / TILE_NODES] + ((word >> 11u) & 255u);
        // Nodes without a block have no vertices.
        nodes[k] = select(((word >> 8u) & 7u) | ((word & 1u) << 3u), select(0u, 8u, other == INSIDE), other >= INSIDE);
    }
    workgroupBarrier(); // all nodes are known
    // Dispatches are folded and may overshoot.
    if (number >= surface_control[0].cut_count) { return; }
    let center = vec3<u32>(node_place(local) + 1);
    let at = center.x + 7u * center.y + 49u * center.z;
    for (var along = 0u; along < 3u; along++) {
        if (((nodes[at] >> along) & 1u) == 1u) {
            let b = (along + 1u) % 3u;
            let c = (along + 2u) % 3u;
            surface_ring[vertex_of(at, along)] = vec4<u32>(
                next(at, at + STRIDE[b], along, b),
                next(at, at - STRIDE[b], along, b),
                next(at, at + STRIDE[c], along, c),
                next(at, at - STRIDE[c], along, c),
            );
        }
    }
}
