// Worlds: copies of a scene that do not meet. Each has its own cells, solids and boundary particles.
//!include common/params

fn has_worlds() -> bool {
    return SEVERAL_WORLDS && params.counts.worlds > 1u;
}

// Cells of a world.
fn world_cells() -> u32 {
    return params.grid.cell_count / params.counts.worlds;
}

// Number of a solid's world. Those of all worlds that do not move freely come first.
fn world_of_solid(number: u32) -> u32 {
    let driven = params.counts.driven;
    let count = select(driven, params.counts.colliders - driven, number >= driven) / params.counts.worlds;
    return (number - select(0u, driven, number >= driven)) / max(count, 1u);
}

// Number of a particle's world: of solids by theirs; fluid has it where it otherwise has its emitter.
fn world_of(who: vec2<u32>) -> u32 {
    if (!has_worlds()) { return 0u; }
    let number = who.y >> 16u;
    return select(number, world_of_solid(number), kind_of(who) == KIND_BOUNDARY);
}

// First cell of a particle's world.
fn first_cell(who: vec2<u32>) -> u32 {
    if (!has_worlds()) { return 0u; }
    return world_of(who) * world_cells();
}

// World of the cells that the invocation is at, by its particle (enter) or by the number of a cell or of a block of cells.
var<private> own_world: u32;

// From here on cells are those of a particle's world.
fn enter(who: vec2<u32>) {
    if (has_worlds()) { own_world = world_of(who); }
}

// From here on gravity is that of a solid's world.
fn enter_solid(number: u32) {
    if (has_worlds()) { own_world = world_of_solid(number); }
}

// Gravity of the world that the invocation is at; worlds beyond the last one that may have its own have that one's.
fn gravity() -> vec3<f32> {
    if (!SEVERAL_WORLDS) { return params.world.gravity; }
    return params.gravities[min(own_world, MAX_GRAVITIES - 1u)].xyz;
}

// First cell of the world that the invocation is at.
fn own_cells() -> u32 {
    if (!has_worlds()) { return 0u; }
    return own_world * world_cells();
}

// Number of solids of each world.
fn solid_count() -> u32 {
    return params.counts.colliders / params.counts.worlds;
}

// The k-th solid of the world that the invocation is at.
fn own_solid(k: u32) -> u32 {
    if (!has_worlds()) { return k; }
    let driven = params.counts.driven / params.counts.worlds;
    let free = params.counts.driven + own_world * (solid_count() - driven) + k - driven;
    return select(free, own_world * driven + k, k < driven);
}

// First and end of a world's solids that do not move freely.
fn driven_of(world: u32) -> vec2<u32> {
    if (!has_worlds()) { return vec2<u32>(0u, params.counts.driven); }
    let count = params.counts.driven / params.counts.worlds;
    return vec2<u32>(world * count, (world + 1u) * count);
}
