// Marching cubes, part 3: the triangles of each cube, by the table of crate meniscus-model. The
// table cuts every ambiguous face the same way from both sides and puts no diagonal into a face, so
// the mesh is a closed 2-manifold. Vertices are counter-clockwise seen from outside the fluid.
//!include common/control
//!include common/surface_nodes

//!read surface_nodes tile_vertex_start tile_triangle_start marching_cubes
//!write surface_index

// First vertex and crossing edges of each node of the tile and of the layer above it.
var<workgroup> first: array<u32, 125>;
var<workgroup> crossing: array<u32, 125>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let slot = element(global_id);
    let tile = slot / TILE_NODES;
    find_tiles(tile, local);
    workgroupBarrier(); // the tiles around are known
    for (var k = local; k < 125u; k += TILE_NODES) {
        // Nodes without a block have no vertices.
        let other = slot_of(vec3<i32>(vec3<u32>(k % 5u, k / 5u % 5u, k / 25u)));
        let known = select(other, 0u, other >= INSIDE);
        let word = surface_nodes[known];
        first[k] = tile_vertex_start[known / TILE_NODES] + ((word >> 11u) & 255u);
        crossing[k] = (word >> 8u) & 7u;
    }
    workgroupBarrier(); // all nodes are known
    if (!tile_is_live(tile)) { return; }
    let word = surface_nodes[slot];
    let edges = marching_cubes[word & 255u];
    let place = vec3<u32>(node_place(local));
    let corner = place.x + 5u * place.y + 25u * place.z;
    let base = 3u * (tile_triangle_start[tile] + (word >> 19u));
    let count = 3u * (edges.y >> 28u);
    for (var k = 0u; k < count; k++) {
        let edge = (select(edges.x, edges.y, k >= 8u) >> (4u * (k & 7u))) & 15u;
        // Edge 4·axis + k starts at the k-th corner whose bit `axis` is 0.
        let axis = edge >> 2u;
        let low = edge & ((1u << axis) - 1u) & 3u;
        let start = low | ((edge & 3u & ~low) << 1u);
        let owner = corner + (start & 1u) + 5u * ((start >> 1u) & 1u) + 25u * (start >> 2u);
        let before = countOneBits(crossing[owner] & ((1u << axis) - 1u));
        surface_index[base + k] = first[owner] + before;
    }
}
