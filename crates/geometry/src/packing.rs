//! Packings of particles at the start.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Packing of the particles of fluid at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// To the volume: a cubic lattice, whose sites give way near curved surfaces; in a box whose sides are not whole spacings,
    /// rows that are stretched to fit.
    #[default]
    Filled,
    /// A cubic (square) lattice of whole spacings, as far as it is half a spacing below the surface.
    Cubic,
    /// In a box: square layers, each √3/2 spacings above the last and moved by half a spacing in x and z.
    Staggered,
    /// In a box, nearly the densest: layers √3/2 spacings apart, their rows √6/3 spacings apart.
    Hexagonal,
}
