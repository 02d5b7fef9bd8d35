// Nodes around a tile, by coordinates. A pass that includes this file calls find_tiles from every
// invocation, then a workgroupBarrier, and may then ask for slot_of any node up to a tile away.
//!include common/cells
//!include common/surface

//!read surface_control surface_block

// First slot of the tile and of each of the 26 around it, or OUTSIDE or INSIDE.
var<workgroup> around: array<u32, 27>;

// Finds the tiles around that of an entry of surface_tiles.
fn find_tiles(entry: vec4<i32>, local: u32) {
    if (local >= 27u) { return; }
    let f = i32(surface_control[0].fineness);
    let next = unpack_place(entry.w) + vec3<i32>(vec3<u32>(local % 3u, local / 3u % 3u, local / 9u)) - 1;
    let step = select(select(vec3<i32>(0), vec3<i32>(1), next >= vec3<i32>(f)), vec3<i32>(-1), next < vec3<i32>(0));
    let cell = entry.xyz + step;
    let place = vec3<u32>(next - f * step);
    var slot = OUTSIDE;
    if (in_box(cell)) {
        slot = surface_block[cell_number(cell)];
        if (slot < INSIDE) {
            let n = u32(f);
            slot = (((slot * n + place.z) * n + place.y) * n + place.x) * TILE_NODES;
        }
    }
    around[local] = slot;
}

// Slot in surface_field and surface_nodes of the node at these coordinates from the tile's first
// node, each from 0 to 4; OUTSIDE or INSIDE if it has none. It reads `around` at constant indices,
// where slot_of reads one that differs from invocation to invocation.
fn upper_slot_of(node: vec3<u32>) -> u32 {
    let beyond = node >= vec3<u32>(u32(TILE));
    let lower = select(select(around[13], around[14], beyond.x), select(around[16], around[17], beyond.x), beyond.y);
    let upper = select(select(around[22], around[23], beyond.x), select(around[25], around[26], beyond.x), beyond.y);
    let base = select(lower, upper, beyond.z);
    let local = node & vec3<u32>(3u);
    return select(base + local.x + 4u * local.y + 16u * local.z, base, base >= INSIDE);
}

// Slot in surface_field and surface_nodes of the node at these coordinates from the tile's first
// node, each from −4 to 7; OUTSIDE or INSIDE if it has none.
fn slot_of(node: vec3<i32>) -> u32 {
    let from_lowest = vec3<u32>(node + TILE);
    let tile = from_lowest >> vec3<u32>(2u);
    let base = around[tile.x + 3u * tile.y + 9u * tile.z];
    let local = from_lowest & vec3<u32>(3u);
    return select(base + local.x + 4u * local.y + 16u * local.z, base, base >= INSIDE);
}
