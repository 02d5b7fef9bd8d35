// The toroidal grid. Passes subtract positions and walk over cells only through these functions.
//!include common/params

// a − b to the nearest periodic image (period and its inverse are 0 on axes that are not periodic).
fn displacement(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    let d = a - b;
    if (!IS_PERIODIC) { return d; }
    return d - params.grid.period * floor(d * params.grid.inverse_period + 0.5);
}

// Periodic image of a position in [−L/2, L/2).
fn wrap_position(x: vec3<f32>) -> vec3<f32> {
    if (!IS_PERIODIC) { return x; }
    return x - params.grid.period * floor(x * params.grid.inverse_period + 0.5);
}

// Cell of a position. Cells are unbounded except on periodic axes, where rounding at the end of the
// period must not lead into the first cell.
fn cell_of(x: vec3<f32>) -> vec3<i32> {
    let cell = vec3<i32>(floor((x - params.grid.origin) * params.grid.inverse_cell));
    let last = vec3<i32>(params.grid.size) - 1;
    return select(cell, clamp(cell, vec3<i32>(0), last), params.grid.period > vec3<f32>(0.0));
}

// Coordinates of a cell on the torus: floored modulo, correct for negative cells.
fn wrap_cell(cell: vec3<i32>) -> vec3<i32> {
    let size = vec3<i32>(params.grid.size);
    let r = cell % size;
    return select(r, r + size, r < vec3<i32>(0));
}

// Coordinates on the torus of a cell less than a period beyond it, without divisions, which software Vulkan does one by one.
fn wrap_next(cell: vec3<i32>) -> vec3<i32> {
    let size = vec3<i32>(params.grid.size);
    return cell + select(select(vec3<i32>(0), -size, cell >= size), size, cell < vec3<i32>(0));
}

// The same, wrapped on periodic axes only.
fn wrap_periodic(cell: vec3<i32>) -> vec3<i32> {
    return select(cell, wrap_next(cell), params.grid.period > vec3<f32>(0.0));
}

// Index of a row of cells along x in a grid of this size. y and z may be one beyond the torus on either side.
fn row_of(size: vec3<i32>, y: i32, z: i32) -> u32 {
    let wy = select(select(y, y - size.y, y >= size.y), y + size.y, y < 0);
    let wz = select(select(z, z - size.z, z >= size.z), z + size.z, z < 0);
    return u32(size.x * (wy + size.y * wz));
}

// Offset in periods for positions of particles found across the ends of periodic axes: -1 if they
// were found below the first cell, 1 above the last, else 0.
fn image(across: vec3<i32>) -> vec3<f32> {
    return vec3<f32>(across) * params.grid.period;
}

// -1 below the first cell of an axis, 1 above the last, else 0.
fn end_crossed(cell: i32, size: u32) -> i32 {
    return select(select(0, 1, cell >= i32(size)), -1, cell < 0);
}

// Index of a position's cell.
fn key_of(x: vec3<f32>) -> u32 {
    let cell = wrap_cell(cell_of(x));
    return row_of(vec3<i32>(params.grid.size), cell.y, cell.z) + u32(cell.x);
}
