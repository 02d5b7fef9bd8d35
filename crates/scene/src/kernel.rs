//! Smoothing kernels that a scene can choose.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Smoothing kernel; its support radius is h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kernel {
    /// Müller's three kernels: poly6 for density, spiky for pressure, the viscosity kernel (M
    /// 20–22).
    Muller,
    /// The cubic spline (Monaghan 1992).
    CubicSpline,
    /// Wendland's C2 kernel (1995): water under pressure shears as a liquid with it, and pressure takes fewer iterations, at more
    /// neighbours; bodies float worse.
    WendlandC2,
}

impl Kernel {
    /// All kernels with their names in scene files.
    pub const ALL: &[(&str, Kernel)] = &[
        ("muller", Kernel::Muller),
        ("cubic_spline", Kernel::CubicSpline),
        ("wendland_c2", Kernel::WendlandC2),
    ];

    /// Name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kernel)| *kernel == self).map_or("?", |(name, _)| name)
    }
}
