//! Jiang, Schroeder, Selle, Teran, Stomakhin 2015: the affine particle in cell method.

use super::*;
use crate::{Axis, Method, space::PARTICLES};

/// Rows of `affine` in cell order, each with the velocity along its axis in w.
const AFFINES: [Row; 3] = [
    Row::new("affine_x", "vec4<f32>", PARTICLES),
    Row::new("affine_y", "vec4<f32>", PARTICLES),
    Row::new("affine_z", "vec4<f32>", PARTICLES),
];

/// The field's velocities and their gradients: smooth, and keeps rotation.
pub const METHOD: Method = Method {
    source: "Jiang, Schroeder, Selle, Teran, Stomakhin 2015",
    help: "liquid on a grid, affine particle in cell: keeps its swirls",
    loops: LOOPS,
    arrays: &[&[cells::AFFINE, AFFINES[0], AFFINES[1], AFFINES[2]]],
    passes: &[&[
        passes::each("apic/carry", PARTICLES),
        passes::each("apic/gather", BUSY_CELLS),
        passes::each("apic/update", PARTICLES),
    ]],
    limit: Some(CAPILLARY),
    wets: true,
    solver: solver(stages),
    ..Method::new("apic", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, Own::new(&["apic/carry", "apic/gather"], "apic/update"))
}
