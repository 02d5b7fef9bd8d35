// Levels of the multigrid by aggregation (Braess 1995): level 0 is the box of cells, or the torus of SPH; each next one has
// cells of twice the edge, with a ring of its own around a box. Levels of odd numbers lie one after another in one set of arrays, those of even ones from 2 in
// another.
//!include common/params
//!include common/stage

// Factor on a residual over the diagonal.
const RELAX = 0.8;
// Divisor of coarse coefficients: sums over aggregates are too stiff.
const STIFFNESS = 1.8;

struct Level {
    size: vec3<i32>,
    // First element of the level in the arrays.
    first: u32,
}

// Cells of the ring at either end; a torus has none.
fn level_ring() -> vec3<i32> {
    let closed = (params.grid.period > vec3<f32>(0.0)) | vec3<bool>(params.grid.cell == 0.0);
    return select(vec3<i32>(1, 1, params.grid.z_reach), vec3<i32>(0), closed);
}

fn level_of(number: u32) -> Level {
    let ring = 2 * level_ring();
    var size = vec3<i32>(params.grid.size);
    var firsts = vec2<u32>(0u);
    for (var k = 1u; k <= number; k++) {
        size = (size - ring + 1) / 2 + ring;
        if (k < number) { firsts[k & 1u] += u32(size.x * size.y * size.z); }
    }
    return Level(size, firsts[number & 1u]);
}

fn level_cells(level: Level) -> u32 {
    return u32(level.size.x * level.size.y * level.size.z);
}

fn level_cell_at(level: Level, number: u32) -> vec3<i32> {
    let size = vec3<u32>(level.size);
    return vec3<i32>(vec3<u32>(number % size.x, number / size.x % size.y, number / (size.x * size.y)));
}

fn level_index(level: Level, cell: vec3<i32>) -> u32 {
    return level.first + u32(cell.x + level.size.x * (cell.y + level.size.y * cell.z));
}

// The cell beside another along an axis, around the ends of the box: of a cell of the ring, the coefficient there is 0.
fn level_beside(level: Level, cell: vec3<i32>, axis: u32, step: i32) -> vec3<i32> {
    var other = cell;
    other[axis] += step;
    let size = level.size;
    return other + select(select(vec3<i32>(0), -size, other >= size), size, other < vec3<i32>(0));
}

// The first of the cells of the finer level that a cell consists of: two along each axis, or one at the end.
fn first_child(cell: vec3<i32>) -> vec3<i32> {
    return 2 * cell - level_ring();
}

fn child_count(finer: Level, first: vec3<i32>) -> vec3<i32> {
    return min(finer.size - level_ring() - first, select(vec3<i32>(2), vec3<i32>(2, 2, 1), params.world.dimensions == 2u));
}

fn parent_of(cell: vec3<i32>) -> vec3<i32> {
    return (cell + level_ring()) / 2;
}

fn is_in_ring(level: Level, cell: vec3<i32>) -> bool {
    let ring = level_ring();
    return any(cell < ring) || any(cell >= level.size - ring);
}
