//! The distances of a mesh on its grid, found once before the first step.

use crate::stage::{Entry, stage};

/// Distances from one batch of triangles, at `nodes` nodes of the grid.
#[must_use]
pub fn bake(nodes: u32) -> Vec<Entry> {
    vec![stage("solid/bake").elements(nodes).into()]
}

/// The sign of the distances far from the surface, in `rows` rows of nodes; runs after all batches.
#[must_use]
pub fn flood(rows: u32) -> Vec<Entry> {
    vec![stage("solid/flood").elements(rows).into()]
}
