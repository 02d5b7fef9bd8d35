//! Lists that compute a mesh's signed distances on its grid, once before the first step.

use crate::stage::{Entry, run};

/// Distances from a batch of triangles, at `nodes` nodes of the grid.
#[must_use]
pub fn bake() -> Vec<Entry> {
    vec![run("solid/bake")]
}

/// Sign of the distances far from the surface, in `rows` rows of nodes; runs after all batches.
#[must_use]
pub fn flood() -> Vec<Entry> {
    vec![run("solid/flood")]
}
