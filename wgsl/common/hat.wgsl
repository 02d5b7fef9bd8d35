// The hat, the linear B-spline max(0, 1 − |s|) along each axis, between particles and the middles of cells and faces, by
// offsets s in cells; in 2-D 1 along z.
//!include common/box

// Number of axes: 3, or 2.
fn axes() -> u32 {
    return select(DIMENSIONS, params.world.dimensions, DIMENSIONS == 0u);
}

fn hats(s: vec3<f32>) -> vec3<f32> {
    let h = max(vec3<f32>(1.0) - abs(s), vec3<f32>(0.0));
    return vec3<f32>(h.xy, select(1.0, h.z, axes() == 3u));
}

// The 2ᵈ values around a point, on a lattice with the shape of the cells.
struct Corners {
    // Cell of the first value.
    base: vec3<i32>,
    // Place between it and the last, 0 to 1.
    part: vec3<f32>,
}

// `shift` is the place of a cell's value in it: ½ at centres, 0 at the lower face along its axis.
fn corners_around(x: vec3<f32>, shift: vec3<f32>) -> Corners {
    let s = (x - params.grid.origin) * params.grid.inverse_cell - shift;
    let base = floor(s);
    return Corners(vec3<i32>(base), s - base);
}

fn corner_count() -> u32 {
    return select(4u, 8u, axes() == 3u);
}

fn corner_step(k: u32) -> vec3<u32> {
    return vec3<u32>(k & 1u, (k >> 1u) & 1u, k >> 2u);
}

// Cell of the k-th value; beyond the box that of its last cells.
fn corner_cell(corners: Corners, k: u32) -> u32 {
    let cell = corners.base + vec3<i32>(corner_step(k));
    let last = vec3<i32>(params.grid.size) - 1;
    if (!IS_PERIODIC) { return cell_number(clamp(cell, vec3<i32>(0), last)); }
    return cell_number(select(clamp(cell, vec3<i32>(0), last), wrap_cell(cell), params.grid.period > vec3<f32>(0.0)));
}

// Weights along the axes; in 2-D 1 along z.
fn corner_weights(corners: Corners, k: u32) -> vec3<f32> {
    let w = select(vec3<f32>(1.0) - corners.part, corners.part, corner_step(k) == vec3<u32>(1u));
    return vec3<f32>(w.xy, select(1.0, w.z, axes() == 3u));
}

// Place of the value of an axis in its cell.
fn face_shift(axis: u32) -> vec3<f32> {
    return select(vec3<f32>(0.5), vec3<f32>(0.0), vec3<u32>(0u, 1u, 2u) == vec3<u32>(axis));
}

fn along(axis: u32) -> vec3<i32> {
    return vec3<i32>(vec3<u32>(0u, 1u, 2u) == vec3<u32>(axis));
}

// The cell beside another on a way: down and up along x, y, z.
fn next_cell(cell: vec3<i32>, way: u32) -> vec3<i32> {
    return wrap_next(cell + select(-1, 1, (way & 1u) == 1u) * along(way / 2u));
}

// Middle of a cell's lower face.
fn face_center(cell: vec3<i32>, axis: u32) -> vec3<f32> {
    return params.grid.origin + (vec3<f32>(cell) + face_shift(axis)) * params.grid.cell;
}
