// Marching cubes, part 1 (Lorensen, Cline 1987): the corners of each cube that are inside, the
// edges of each node that cross the surface, and the offsets of its vertices and triangles in its
// tile. A cube and its three edges along x, y and z belong to its lowest node. surface_nodes packs
// the case (8 bits), the crossing edges (3 bits), and the numbers of vertices (8 bits) and
// triangles (9 bits) of earlier nodes of the tile.
//!include common/block
//!include common/control
//!include common/surface_nodes

//!gather surface_field marching_cubes
//!read surface_tiles
//!write surface_nodes tile_vertices tile_triangles

const WORKGROUP = TILE_NODES;

// Whether a node is inside, as bit 0.
fn is_inside(node: vec3<u32>) -> u32 {
    let slot = upper_slot_of(node);
    let value = surface_field_at(select(slot, 0u, slot >= INSIDE));
    return select(select(0u, 1u, value > surface_control[0].iso), select(0u, 1u, slot == INSIDE), slot >= INSIDE);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // Without an early return, loads at constant indices are outside of control flow, where software
    // Vulkan can do them once for all lanes.
    let slot = element(global_id);
    let tile = slot / TILE_NODES;
    find_tiles(surface_tiles[tile], local);
    workgroupBarrier(); // the tiles around are known
    let node = vec3<u32>(node_place(local));
    var case_ = is_inside(node);
    case_ |= is_inside(node + vec3<u32>(1u, 0u, 0u)) << 1u;
    case_ |= is_inside(node + vec3<u32>(0u, 1u, 0u)) << 2u;
    case_ |= is_inside(node + vec3<u32>(1u, 1u, 0u)) << 3u;
    case_ |= is_inside(node + vec3<u32>(0u, 0u, 1u)) << 4u;
    case_ |= is_inside(node + vec3<u32>(1u, 0u, 1u)) << 5u;
    case_ |= is_inside(node + vec3<u32>(0u, 1u, 1u)) << 6u;
    case_ |= is_inside(node + vec3<u32>(1u, 1u, 1u)) << 7u;
    // Edges that start at the node end at corners 1, 2 and 4.
    let first = case_ & 1u;
    let ends = vec3<u32>(case_ >> 1u, case_ >> 2u, case_ >> 4u) & vec3<u32>(1u);
    let crossing = (ends.x ^ first) | ((ends.y ^ first) << 1u) | ((ends.z ^ first) << 2u);
    // Numbers of vertices (low half-word) and triangles (high half-word).
    let mine = countOneBits(crossing) | ((marching_cubes_at(case_).y >> 28u) << 16u);
    let before = sum_before(mine, local);
    // Dispatches are folded and may overshoot.
    let tiles = surface_control[0].block_count * tiles_per_block(surface_control[0].fineness);
    if (is_active() && tile < tiles) {
        surface_nodes[slot] = case_ | (crossing << 8u) | ((before & 0xffffu) << 11u) | ((before >> 16u) << 19u);
        if (local == WORKGROUP - 1u) {
            tile_vertices[tile] = (before + mine) & 0xffffu;
            tile_triangles[tile] = (before + mine) >> 16u;
        }
    }
}
