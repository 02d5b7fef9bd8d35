//! Velocities at the middles of the faces between cells (a staggered grid; Harlow, Welch 1965), with solids that close
//! faces in part (Batty, Bertails, Bridson 2007).

use super::cells;
use crate::{
    arrays::Row,
    passes::{self, Pass},
    space::{BUSY_CELLS, CELLS, MOVING},
    stage::{Entry, Stage, run, stage},
};

/// u, v, w in m/s at the middles of the lower faces of each cell; in w, after the gather and after the projection, the
/// sum of 1, 2, 4 for those that are known.
pub(crate) const FACE: Row = Row::new("face", "vec4<f32>", CELLS);

/// The other one of two such fields, of which each pass reads one and writes the other.
pub(crate) const FACE_OTHER: Row = Row::new("face_other", "vec4<f32>", CELLS);

/// Arrays of solids on the grid.
pub(crate) const SOLIDS: &[Row] = &[
    cells::BLOCK_SOLIDS,
    // Distance in cells of the nearest wall from each cell's lower corner.
    Row::new("solid_distance", "f32", CELLS),
    // Velocity in m/s of the solid at lower faces that it closes in part, along each one's axis, in w the sum of 1, 2, 4
    // for closed ones that fluid sticks to; then the open shares of all (volume fractions of the faces).
    Row::new("solid_face", "array<vec4<f32>, 2>", CELLS),
    // Share of the hat around the cell's centre that solids leave free, at least 0.02.
    Row::new("solid_share", "f32", CELLS),
];

/// Passes of every method with velocities on faces.
pub(crate) const PASSES: &[Pass] = &[
    cells::NEAR,
    passes::each("grid/solid", CELLS),
    passes::each("grid/fractions", CELLS),
    passes::each("grid/project", BUSY_CELLS),
    passes::each("grid/extrapolate", BUSY_CELLS),
    passes::each("grid/constrain", BUSY_CELLS),
];

/// What depends on the solids alone, which stays while they rest.
pub(crate) fn solids() -> impl Iterator<Item = Entry> {
    ["grid/near", "grid/solid", "grid/fractions"].into_iter().map(|pass| run(pass).when(MOVING))
}

/// At least so many layers of faces beyond the known ones of an array, which has them in the end; each second one in the
/// other.
pub(crate) fn layers(least: u32, array: &str, other: &str) -> impl Iterator<Item = Stage> {
    let layer = |from: &str, to: &str| match (from, to) {
        ("face", "face_other") => stage("grid/extrapolate"),
        _ => stage("grid/extrapolate").with("face", from).with("face_other", to),
    };
    (0..least.div_ceil(2)).flat_map(move |_| [layer(array, other), layer(other, array)])
}
