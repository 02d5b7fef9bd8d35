//! Sides of a surface.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// On which side of a boundary the fluid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The shape is a container.
    Inside,
    /// The shape is an obstacle.
    Outside,
}

impl Side {
    /// How far outward in m from a surface with the fluid on this side is what is `depth` m behind it.
    #[must_use]
    pub fn behind(self, depth: f64) -> f64 {
        match self {
            Self::Inside => depth,
            Self::Outside => -depth,
        }
    }
}
