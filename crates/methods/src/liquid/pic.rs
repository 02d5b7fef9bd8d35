//! Harlow 1964; Zhu, Bridson 2005: particle in cell.

use super::*;
use crate::{Axis, Method, space::PARTICLES};

/// The field's velocities: smooth and viscous.
pub const METHOD: Method = Method {
    source: "Harlow 1964; Zhu, Bridson 2005",
    help: "liquid on a grid, particle in cell: thick, damped by the grid",
    loops: LOOPS,
    passes: &[&[
        passes::each("liquid/gather", BUSY_CELLS),
        passes::each("liquid/update", PARTICLES),
    ]],
    limit: Some(CAPILLARY),
    wets: true,
    solver: solver(stages),
    ..Method::new("pic", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, Own::new(&["liquid/gather"], "liquid/update"))
}
