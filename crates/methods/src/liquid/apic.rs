//! Jiang, Schroeder, Selle, Teran, Stomakhin 2015: the affine particle in cell method.

use super::*;
use crate::{
    Axis, Method,
    arrays::Lane,
    passes,
    space::{BUSY_CELLS, EMITTER_POINTS, PARTICLES},
};

/// Rows of the gradient of the field around each particle; 0 in w.
const AFFINE: Row = Row::new("affine", "array<vec4<f32>, 3>", PARTICLES)
    .persistent()
    .lanes(&[Lane { lanes: "xyz", quantity: "velocity_gradient", unit: "1/s" }]);

/// Those rows in cell order, each with the velocity along its axis in w.
const AFFINES: [Row; 3] = [
    Row::new("affine_x", "vec4<f32>", PARTICLES),
    Row::new("affine_y", "vec4<f32>", PARTICLES),
    Row::new("affine_z", "vec4<f32>", PARTICLES),
];

/// The field's velocities and their gradients: smooth, and keeps rotation.
pub const METHOD: Method = Method {
    source: "Jiang, Schroeder, Selle, Teran, Stomakhin 2015",
    help: "liquid on a grid, affine particle in cell: keeps its swirls",
    keys: KEYS,
    loops: LOOPS,
    problems: Some(problems),
    arrays: &[
        AFFINE,
        AFFINES[0],
        AFFINES[1],
        AFFINES[2],
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
        passes::each("apic/emit", EMITTER_POINTS),
        passes::each("apic/carry", PARTICLES),
        passes::each("apic/gather", CELLS),
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
        passes::each("apic/update", PARTICLES),
        passes::each("liquid/move", PARTICLES),
    ],
    pressure: Some(pressure(stages)),
    ..Method::new("apic", Axis::Pressure)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, Some("apic/emit"), &["apic/carry", "apic/gather"], "apic/update")
}
