// Worlds: copies of a scene that do not meet. Each has its own cells, solids and boundary particles.
//!include common/params

// Cells of a world.
fn world_cells() -> u32 {
    return params.grid.cell_count / params.counts.worlds;
}

// Number of a particle's world: of solids by theirs; fluid has it where it otherwise has its emitter.
fn world_of(who: vec2<u32>) -> u32 {
    if (!SEVERAL_WORLDS || params.counts.worlds == 1u) { return 0u; }
    let number = who.y >> 16u;
    return select(number, number / max(params.counts.colliders / params.counts.worlds, 1u), kind_of(who) == KIND_BOUNDARY);
}

// First cell of a particle's world.
fn first_cell(who: vec2<u32>) -> u32 {
    if (!SEVERAL_WORLDS) { return 0u; }
    return world_of(who) * world_cells();
}

// First solid of a particle's world, and the end of those that do not move freely.
fn solids_of(who: vec2<u32>) -> vec2<u32> {
    if (!SEVERAL_WORLDS) { return vec2<u32>(0u, params.counts.driven); }
    let count = params.counts.driven / params.counts.worlds;
    let first = world_of(who) * count;
    return vec2<u32>(first, first + count);
}
