// Marching cubes, part 1 (Lorensen, Cline 1987): the corners of each cube that are inside, the
// edges of each node that cross the surface, and the offsets of its vertices and triangles in its
// tile. A cube and its three edges along x, y and z belong to its lowest node. surface_nodes packs
// the case (8 bits), the crossing edges (3 bits), and the numbers of vertices (8 bits) and
// triangles (9 bits) of earlier nodes of the tile.
//!include common/control
//!include common/surface_nodes

//!read surface_field marching_cubes
//!write surface_nodes tile_vertices tile_triangles

// Whether each node of the tile and of the layer above it is inside.
var<workgroup> inside: array<u32, 125>;
// Numbers of vertices (low half-word) and triangles (high half-word), per node and per row of 8
// nodes.
var<workgroup> counts: array<u32, TILE_NODES>;
var<workgroup> row_counts: array<u32, 8>;

fn is_inside(node: vec3<i32>) -> u32 {
    let slot = slot_of(node);
    let value = surface_field[select(slot, 0u, slot >= INSIDE)];
    return select(select(0u, 1u, value > surface_control[0].iso), select(0u, 1u, slot == INSIDE), slot >= INSIDE);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let slot = element(global_id);
    let tile = slot / TILE_NODES;
    find_tiles(tile, local);
    workgroupBarrier(); // the tiles around are known
    for (var k = local; k < 125u; k += TILE_NODES) {
        inside[k] = is_inside(vec3<i32>(vec3<u32>(k % 5u, k / 5u % 5u, k / 25u)));
    }
    workgroupBarrier(); // all of `inside` is known
    let place = vec3<u32>(node_place(local));
    let corner = place.x + 5u * place.y + 25u * place.z;
    var case_ = 0u;
    for (var k = 0u; k < 8u; k++) {
        case_ |= inside[corner + (k & 1u) + 5u * ((k >> 1u) & 1u) + 25u * (k >> 2u)] << k;
    }
    // Edges that start at the node end at corners 1, 2 and 4.
    let first = case_ & 1u;
    let ends = vec3<u32>(case_ >> 1u, case_ >> 2u, case_ >> 4u) & vec3<u32>(1u);
    let crossing = (ends.x ^ first) | ((ends.y ^ first) << 1u) | ((ends.z ^ first) << 2u);
    let mine = countOneBits(crossing) | ((marching_cubes[case_].y >> 28u) << 16u);
    counts[local] = mine;
    workgroupBarrier(); // the counts of all nodes are known
    var before = 0u;
    for (var k = 0u; k < 7u; k++) {
        before += select(0u, counts[(local & 56u) + k], k < (local & 7u));
    }
    if ((local & 7u) == 7u) { row_counts[local >> 3u] = before + mine; }
    workgroupBarrier(); // and those of all rows
    for (var k = 0u; k < 7u; k++) {
        before += select(0u, row_counts[k], k < (local >> 3u));
    }
    let through = before + mine;
    if (tile_is_live(tile)) {
        surface_nodes[slot] = case_ | (crossing << 8u) | ((before & 0xffffu) << 11u) | ((before >> 16u) << 19u);
        if (local == TILE_NODES - 1u) {
            tile_vertices[tile] = through & 0xffffu;
            tile_triangles[tile] = through >> 16u;
        }
    }
}
