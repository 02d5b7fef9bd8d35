//! Harlow, Welch 1965; Stam 1999: marker and cell, with semi-Lagrangian advection.

use super::*;
use crate::{Axis, Method, space::PARTICLES};

/// The field at the start of the next step; in w the sum of 1, 2, 4 for known faces.
const FACE_CARRIED: Row = Row::new("face_carried", "vec4<f32>", CELLS).persistent();

/// The field stays on the grid, and particles only mark where liquid is.
pub const METHOD: Method = Method {
    source: "Harlow, Welch 1965; Stam 1999",
    help: "liquid on a grid, whose velocities stay there and move with themselves: particles only mark where it is",
    loops: LOOPS,
    arrays: &[&[FACE_GATHERED, FACE_CARRIED]],
    passes: &[&[
        passes::each("liquid/gather", BUSY_CELLS),
        passes::each("eulerian/gather", BUSY_CELLS),
        passes::each("liquid/update", PARTICLES),
        passes::each("eulerian/advect", BUSY_CELLS),
    ]],
    solver: solver(stages),
    ..Method::new("eulerian", Axis::Solver)
};

/// Markers give the cover, and velocities only where the field has none: at the start, and where they are emitted or fall.
fn stages(scope: &Scope) -> Vec<Entry> {
    let clear = stage("liquid/clear").with("face", "face_gathered");
    let clear = vec![clear.with("face_other", "face_carried")];
    let gather = stage("liquid/gather").with("face", "face_gathered");
    let gather = vec![gather, stage("eulerian/gather")];
    let last = vec![stage("eulerian/advect")];
    super::stages(scope, Own { clear, gather, last, ..Own::new(&[], "liquid/update") })
}
