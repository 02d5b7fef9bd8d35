//! Sides of a surface.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Side of a boundary on which the fluid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The shape is a container.
    Inside,
    /// The shape is an obstacle.
    Outside,
}

impl Side {
    /// Outward offset in m of a point that is `depth` m behind a surface with the fluid on this
    /// side.
    #[must_use]
    pub fn behind(self, depth: f64) -> f64 {
        match self {
            Self::Inside => depth,
            Self::Outside => -depth,
        }
    }
}
