//! Packings of particles at the start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Packing of the particles of a box of fluid at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// A cubic (square) lattice.
    #[default]
    Cubic,
    /// Square layers, each √3/2 spacings above the last and moved by half a spacing in x and z.
    Staggered,
    /// Nearly the densest: layers √3/2 spacings apart, their rows √6/3 spacings apart.
    Hexagonal,
}
