//! Bender, Koschier 2015 (`wgsl/dfsph/`).

use crate::World;
use crate::incompressible::errors;

/// The part of a missing compression that may close in a step.
const CLOSING: f64 = 0.05;

/// The change of compression (8, 9), less a part of what is missing.
pub(crate) fn divergence(world: &mut World) {
    errors(world, |world, i, change| change + CLOSING * world.factor[i][1].min(0.0));
}
