// Nodes of the level set: 4 per cell and axis of the box of cells, a column of 4 along z in a word, 16 columns in a cell. A
// node has 1 − H, the share of its surroundings that is empty, in 8 bits.
//!include common/torus
//!include common/cells

const LEVEL_COLUMNS = 16u;

// Distance of nodes along each axis in m.
fn node_spacing() -> vec3<f32> {
    return 0.25 / params.grid.inverse_cell;
}

// Depth in m over which nodes become full: the smallest of their distances.
fn node_width() -> f32 {
    let spacing = node_spacing();
    return select(min(spacing.x, min(spacing.y, spacing.z)), min(spacing.x, spacing.y), is_flat());
}

// In 2-D there is one node of a column, in the plane of the particles.
fn is_flat() -> bool {
    return params.world.dimensions == 2u;
}

// Cell across the ends of periodic axes.
fn image_of(cell: vec3<i32>) -> vec3<i32> {
    let size = vec3<i32>(params.grid.size);
    let up = select(cell, cell + size, cell < vec3<i32>(0));
    let wrapped = select(up, up - size, up >= size);
    return select(cell, wrapped, params.grid.period > vec3<f32>(0.0));
}
