//! What the cells of a grid give to each rigid body.

use crate::{
    arrays::Row,
    passes::{self, Pass},
    space::COLLIDERS,
};

/// Sums over the cells for each solid, whose sum is the solid's.
const PARTS: u32 = 16;

/// Impulse in N s on each solid and angular impulse in N m s, as sums over parts of the cells.
pub(crate) const PARTIAL: Row =
    Row::new("body_partial", "array<vec4<f32>, 2>", COLLIDERS.times(PARTS));

/// A pass that makes these sums.
pub(crate) const fn sums(name: &'static str) -> Pass {
    passes::groups(name, 1, COLLIDERS.times(PARTS))
}

/// New velocities of the bodies.
pub(crate) const RECEIVE: Pass = passes::each("body/receive", COLLIDERS);
