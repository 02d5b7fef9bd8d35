// Blocks of 2 × 2 × 2 cells, in 2-D of 4 × 2: eight invocations in sequence have the cells of one, whose neighbourhoods
// have most in common.
//!include common/box

fn block_size() -> vec3<u32> {
    return select(vec3<u32>(2u, 2u, 2u), vec3<u32>(4u, 2u, 1u), params.world.dimensions == 2u);
}

fn blocks_of_box() -> vec3<u32> {
    let size = block_size();
    return (params.grid.size + size - 1u) / size;
}

// Blocks of a world, as the host counts them: of several a multiple of eight, of which the last are beyond the box.
fn world_blocks() -> u32 {
    let blocks = blocks_of_box();
    return (blocks.x * blocks.y * blocks.z + 15u) / 8u * 8u;
}

// First block of the world that the invocation is at.
fn own_blocks() -> u32 {
    if (!has_worlds()) { return 0u; }
    return own_world * world_blocks();
}

// The block of a cell in the box.
fn block_of(cell: vec3<i32>) -> u32 {
    let blocks = blocks_of_box();
    let place = vec3<u32>(cell) / block_size();
    return own_blocks() + place.x + blocks.x * (place.y + blocks.y * place.z);
}

// First cell of a block.
fn block_corner(index: u32) -> vec3<i32> {
    let size = block_size();
    let blocks = blocks_of_box();
    var block = index;
    if (has_worlds()) {
        own_world = index / world_blocks();
        block -= own_blocks();
    }
    let place = vec3<u32>(block % blocks.x, block / blocks.x % blocks.y, block / (blocks.x * blocks.y));
    return vec3<i32>(place * size);
}

// Place of the r-th of its eight cells in a block.
fn inner_cell(r: u32) -> vec3<u32> {
    let flat = params.world.dimensions == 2u;
    return select(vec3<u32>(r & 1u, (r >> 1u) & 1u, r >> 2u), vec3<u32>(r & 3u, r >> 2u, 0u), flat);
}

// The r-th of its eight cells, perhaps beyond the box.
fn cell_in_block(block: u32, r: u32) -> vec3<i32> {
    return block_corner(block) + vec3<i32>(inner_cell(r));
}
