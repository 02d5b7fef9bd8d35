// Shared by the surface passes: the mesh is extracted in the box of the grid's cells, cell (0,0,0)
// to grid_size − 1. A block is one cell's share of the nodes, (4·fineness)³ of them; a tile is the
// share of one workgroup, 4³ nodes of a block.
//!include shared/blocks
//!include shared/surface_blocks
//!include shared/surface_control

// A bit of surface_state, above those of the octants.
const SHALLOW = 256u;

const TILE = 4;

fn rows(workgroups: u32) -> u32 {
    return (workgroups + INDIRECT_ROW - 1u) / INDIRECT_ROW;
}

// Tiles of a block.
fn tiles_per_block(fineness: u32) -> u32 {
    return fineness * fineness * fineness;
}

// A tile's coordinates within its block, 2 bits per axis, and its number in one word.
fn pack_tile(place: vec3<u32>, number: u32) -> i32 {
    return i32(place.x | (place.y << 2u) | (place.z << 4u) | (number << 6u));
}

fn unpack_place(word: i32) -> vec3<i32> {
    return vec3<i32>(word & 3, (word >> 2u) & 3, (word >> 4u) & 3);
}

fn unpack_number(word: i32) -> u32 {
    return u32(word) >> 6u;
}

// Coordinates of a node within its tile.
fn node_place(local: u32) -> vec3<i32> {
    return vec3<i32>(vec3<u32>(local & 3u, (local >> 2u) & 3u, local >> 4u));
}
