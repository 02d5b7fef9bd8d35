//! Bender, Koschier 2015 (`wgsl/dfsph/`).

use crate::World;
use crate::incompressible::{compressed, errors};

/// Share of a density deficit that may close in a step.
const CLOSING: f64 = 0.05;

/// Rate of change of the compression (8, 9), less a share of the deficit.
pub(crate) fn divergence(world: &mut World) {
    errors(world, |world, i, change| change + CLOSING * compressed(world, i).min(0.0));
}
