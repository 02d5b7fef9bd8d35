//! The distances of a mesh on its grid, found once before the first step.

use crate::stage::{Entry, run};

/// Distances from one batch of triangles, at [`FIELD_NODES`](crate::space::FIELD_NODES) of the grid.
#[must_use]
pub fn bake() -> Vec<Entry> {
    vec![run("solid/bake")]
}

/// The sign of the distances far from the surface, by [`FIELD_ROWS`](crate::space::FIELD_ROWS); runs
/// after all batches.
#[must_use]
pub fn flood() -> Vec<Entry> {
    vec![run("solid/flood")]
}
