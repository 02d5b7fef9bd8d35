//! The kernels that a scene can name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The smoothing kernel; its support radius is h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kernel {
    /// Müller's three: poly6 for density, spiky for pressure, the viscosity kernel (M 20–22).
    Muller,
    /// The cubic spline (Monaghan 1992).
    CubicSpline,
    /// Wendland's C2 (1995).
    WendlandC2,
}

impl Kernel {
    /// Every kernel by its name in scene files.
    pub const ALL: &[(&str, Kernel)] = &[
        ("muller", Kernel::Muller),
        ("cubic_spline", Kernel::CubicSpline),
        ("wendland_c2", Kernel::WendlandC2),
    ];

    /// The name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kernel)| *kernel == self).map_or("?", |(name, _)| name)
    }
}
