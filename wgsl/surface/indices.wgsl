// Marching cubes, part 3: the triangles of each cube, by the table of crate meniscus-model. The
// table cuts every ambiguous face the same way from both sides and puts no diagonal into a face, so
// the mesh is a closed 2-manifold. Vertices are counter-clockwise seen from outside the fluid.
//!include common/control
//!include common/surface_nodes

//!gather surface_nodes tile_vertex_start marching_cubes
//!read tile_triangle_start cut_tiles
//!write surface_index

// First vertex of each node of the tile and of the layer above it, times 8, and its crossing edges.
var<workgroup> owners: array<u32, 125>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let number = element(global_id) / TILE_NODES;
    let entry = cut_tiles[number];
    find_tiles(entry, local);
    workgroupBarrier(); // the tiles around are known
    // Loops test at their end: on software Vulkan a test at the start costs an extra iteration.
    var node = local;
    loop {
        if (node < 125u) {
            // Nodes without a block have no vertices.
            let other = upper_slot_of(vec3<u32>(node % 5u, node / 5u % 5u, node / 25u));
            let known = select(other, 0u, other >= INSIDE);
            let word = surface_nodes_at(known);
            owners[node] = 8u * (tile_vertex_start_at(known / TILE_NODES) + ((word >> 11u) & 255u)) + ((word >> 8u) & 7u);
        }
        node += TILE_NODES;
        if (node >= 2u * TILE_NODES) { break; }
    }
    workgroupBarrier(); // all nodes are known
    // Dispatches are folded and may overshoot.
    if (number >= surface_control[0].cut_count) { return; }
    let tile = unpack_number(entry.w);
    let word = surface_nodes_at(TILE_NODES * tile + local);
    let edges = marching_cubes_at(word & 255u);
    let place = vec3<u32>(node_place(local));
    let corner = place.x + 5u * place.y + 25u * place.z;
    let base = 3u * (tile_triangle_start[tile] + (word >> 19u));
    let count = 3u * (edges.y >> 28u);
    var k = 0u;
    loop {
        let edge = (select(edges.x, edges.y, k >= 8u) >> (4u * (k & 7u))) & 15u;
        // Edge 4·axis + k starts at the k-th corner whose bit `axis` is 0.
        let axis = edge >> 2u;
        let low = edge & ((1u << axis) - 1u) & 3u;
        let start = low | ((edge & 3u & ~low) << 1u);
        let owner = owners[corner + (start & 1u) + 5u * ((start >> 1u) & 1u) + 25u * (start >> 2u)];
        let before = countOneBits(owner & 7u & ((1u << axis) - 1u));
        if (k < count) { surface_index[base + k] = (owner >> 3u) + before; }
        k++;
        if (k >= count) { break; }
    }
}
