//! What the cells of a grid give to each rigid body.

use crate::{
    arrays::Row,
    passes::{self, Pass},
    space::{COLLIDER_SUMS, COLLIDERS},
};

/// Impulse in N s on each solid and angular impulse in N m s, as sums over parts of the cells.
pub(crate) const PARTIAL: Row = Row::new("body_partial", "array<vec4<f32>, 2>", COLLIDER_SUMS);

/// A pass that makes these sums.
pub(crate) const fn sums(name: &'static str) -> Pass {
    passes::groups(name, 1, COLLIDER_SUMS)
}

/// New velocities of the bodies.
pub(crate) const RECEIVE: Pass = passes::each("body/receive", COLLIDERS);
