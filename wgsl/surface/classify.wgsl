// Marching cubes, 1 (Lorensen, Cline 1987): which corners of each cube are inside, which edges of
// each node cross the surface, and where in its tile its vertices and triangles go. A cube and its
// three edges along x, y and z belong to its lowest node. surface_nodes packs the case (8 bits), the
// crossing edges (3), vertices (8) and triangles (9) of the tile's nodes before this one.
//!include common/control
//!include common/surface_nodes

@group(1) @binding(3) var<storage, read> surface_field: array<f32>;
@group(1) @binding(4) var<storage, read> marching_cubes: array<vec2<u32>>;
@group(1) @binding(5) var<storage, read_write> surface_nodes: array<u32>;
@group(1) @binding(6) var<storage, read_write> tile_vertices: array<u32>;
@group(1) @binding(7) var<storage, read_write> tile_triangles: array<u32>;

// Whether each node of the tile and the layer above it is inside.
var<workgroup> inside: array<u32, 125>;
// Two halves that take turns, so that one barrier a round is enough.
var<workgroup> sums: array<u32, 128>;

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
    let origin = tile_origin(tile);
    for (var k = local; k < 125u; k += TILE_NODES) {
        inside[k] = is_inside(origin + vec3<i32>(vec3<u32>(k % 5u, k / 5u % 5u, k / 25u)));
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
    // Inclusive scan (Hillis–Steele) of vertices in the low half word, triangles in the high one.
    var at = 0u;
    sums[local] = mine;
    for (var reach = 1u; reach < TILE_NODES; reach *= 2u) {
        workgroupBarrier(); // the half written last is complete, the other no longer read
        var inclusive = sums[at + local];
        if (local >= reach) { inclusive += sums[at + local - reach]; }
        at = TILE_NODES - at;
        sums[at + local] = inclusive;
    }
    let through = sums[at + local];
    let before = through - mine;
    if (tile_is_live(tile)) {
        surface_nodes[slot] = case_ | (crossing << 8u) | ((before & 0xffffu) << 11u) | ((before >> 16u) << 19u);
        if (local == TILE_NODES - 1u) {
            tile_vertices[tile] = through & 0xffffu;
            tile_triangles[tile] = through >> 16u;
        }
    }
}
