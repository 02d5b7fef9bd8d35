//! Positions, periodic axes and the toroidal grid (`wgsl/common/torus.wgsl`).

use glam::{DVec3, I64Vec3, Vec3};
use meniscus_model::Params;

/// The first three components.
pub(crate) fn xyz(v: [f64; 4]) -> DVec3 {
    DVec3::new(v[0], v[1], v[2])
}

/// `v` with `w` as its fourth component.
pub(crate) fn with_w(v: DVec3, w: f64) -> [f64; 4] {
    [v.x, v.y, v.z, w]
}

/// a − b in m, between the nearest images.
pub(crate) fn displacement(params: &Params, a: DVec3, b: DVec3) -> DVec3 {
    per_axis(params, a - b, |d, period| d - period * (d / period).round())
}

/// x in m, wrapped into [−L/2, L/2) on periodic axes.
pub(crate) fn wrap(params: &Params, x: DVec3) -> DVec3 {
    per_axis(params, x, |x, period| x - period * (x / period + 0.5).floor())
}

/// `v` with `f(component, period)` applied on axes that have a period.
fn per_axis(params: &Params, mut v: DVec3, f: impl Fn(f64, f64) -> f64) -> DVec3 {
    for axis in 0..3 {
        let period = f64::from(params.grid.period[axis]);
        if period > 0.0 {
            v[axis] = f(v[axis], period);
        }
    }
    v
}

/// Grid cell of a position, as whole f32 numbers per axis: computed in f32 so that the GPU finds
/// the same cell.
pub(crate) fn cell(params: &Params, x: DVec3) -> Vec3 {
    in_cells(params, x).floor()
}

/// Position relative to the corner of cell (0, 0, 0), in cells, computed in f32.
pub(crate) fn in_cells(params: &Params, x: DVec3) -> Vec3 {
    (x.as_vec3() - params.grid.origin) * params.grid.inverse_cell
}

/// The solids of a world that do not move freely.
pub(crate) fn driven_of(params: &Params, world: u32) -> std::ops::Range<usize> {
    let count = params.counts.driven / params.counts.worlds;
    let first = world * count;
    first as usize..(first + count) as usize
}

/// Cell of a position. On periodic axes a position that rounds up to the end of the period stays in
/// the last cell.
pub(crate) fn clamped_cell(params: &Params, x: DVec3) -> I64Vec3 {
    let size = params.grid.size.as_i64vec3();
    let mut cell = cell(params, x).as_i64vec3();
    for axis in 0..3 {
        if params.grid.period[axis] > 0.0 {
            cell[axis] = cell[axis].clamp(0, size[axis] - 1);
        }
    }
    cell
}

/// Index of a position's cell on the torus.
pub(crate) fn key(params: &Params, x: DVec3) -> u32 {
    let size = params.grid.size.as_i64vec3();
    let wrapped = clamped_cell(params, x).rem_euclid(size);
    (wrapped.x + size.x * (wrapped.y + size.y * wrapped.z)) as u32
}
