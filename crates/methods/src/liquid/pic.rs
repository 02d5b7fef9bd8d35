//! Harlow 1964; Zhu, Bridson 2005: particle in cell.

use super::*;
use crate::{
    Axis, Method, passes,
    space::{BUSY_CELLS, PARTICLES},
};

/// The field's velocities: smooth and viscous.
pub const METHOD: Method = Method {
    source: "Harlow 1964; Zhu, Bridson 2005",
    help: "liquid on a grid, particle in cell: thick, damped by the grid",
    keys: KEYS,
    loops: LOOPS,
    problems: Some(problems),
    arrays: &[
        FACE,
        FACE_OTHER,
        SOLID_FACE,
        SOLID_SHARE,
        COVER,
        COEFFICIENT,
        SOLUTION,
        REMAINDER,
        U,
        W,
        DOTS,
        SCALARS,
        RESIDUAL,
        grid::BLOCK_BUSY,
        grid::BLOCK_START,
        grid::BUSY_BLOCKS,
        grid::BUSY_DISPATCH,
    ],
    passes: &[
        grid::LEAVE,
        grid::CROWD,
        grid::BUSY,
        grid::LIST,
        passes::each("grid/solid", CELLS),
        passes::each("pic/gather", CELLS),
        passes::each("poisson/system", CELLS),
        passes::each("grid/force", CELLS),
        passes::each("poisson/divergence", BUSY_CELLS),
        passes::single("poisson/mean", ONE),
        passes::each("poisson/start", BUSY_CELLS),
        passes::each("poisson/apply", BUSY_CELLS),
        passes::single("poisson/total", ONE),
        passes::each("poisson/step", BUSY_CELLS),
        passes::each("grid/project", CELLS),
        passes::each("grid/extrapolate", CELLS),
        passes::each("grid/constrain", CELLS),
        passes::each("grid/limits", CELLS),
        passes::each("pic/update", PARTICLES),
        passes::each("liquid/move", PARTICLES),
    ],
    pressure: Some(pressure(stages)),
    ..Method::new("pic", Axis::Pressure)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, None, &["pic/gather"], "pic/update")
}
