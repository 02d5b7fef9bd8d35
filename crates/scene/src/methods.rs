//! The solvers and kernels that a scene can name, and the tables of their keys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The pressure solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Solver {
    /// Müller, Charypar, Gross 2003: equation of state p = k(ρ − ρ0), leap-frog.
    Muller,
    /// Becker, Teschner 2007: the Tait equation p = B((ρ/ρ0)^γ − 1), leap-frog.
    Wcsph,
    /// Solenthaler, Pajarola 2009: pressures from predicted densities, semi-implicit Euler.
    Pcisph,
    /// Ihmsen et al. 2014: pressures from a linear system, semi-implicit Euler.
    Iisph,
    /// Bender, Koschier 2015: divergence-free and constant-density solvers, semi-implicit Euler.
    Dfsph,
}

impl Solver {
    /// Every solver by its name in scene files.
    pub const ALL: &[(&str, Solver)] = &[
        ("muller", Solver::Muller),
        ("wcsph", Solver::Wcsph),
        ("pcisph", Solver::Pcisph),
        ("iisph", Solver::Iisph),
        ("dfsph", Solver::Dfsph),
    ];

    /// Whether it finds pressures by iteration, so that there is no sound.
    #[must_use]
    pub fn is_incompressible(self) -> bool {
        matches!(self, Self::Pcisph | Self::Iisph | Self::Dfsph)
    }

    /// What its loops solve for, in the order of `params.loops`.
    #[must_use]
    pub fn loops(self) -> &'static [&'static str] {
        match self {
            Self::Muller | Self::Wcsph => &[],
            Self::Pcisph | Self::Iisph => &["pressure"],
            Self::Dfsph => &["divergence", "density"],
        }
    }

    /// The name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, solver)| *solver == self).map_or("?", |(name, _)| name)
    }
}

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

/// Müller's equation of state and surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Muller {
    /// Stiffness k of p = k(ρ − ρ0) in m²/s²; the square of the speed of sound where absent.
    pub stiffness: Option<f64>,
    /// Speed of sound c in m/s; 10 · max(√(2 g H), v0) where absent, H the fluid's height.
    pub sound_speed: Option<f64>,
    /// Keep negative pressures (fluid under tension pulls); they are set to 0 by default.
    pub negative_pressure: bool,
    /// Surface tension acts where the colour field's gradient exceeds this, in m⁻¹; 0.5 / h where
    /// absent.
    pub surface_threshold: Option<f64>,
}

/// The Tait equation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Wcsph {
    /// γ in p = B((ρ/ρ0)^γ − 1), B = ρ0 c²/γ.
    pub gamma: f64,
    /// Speed of sound c in m/s; 10 · max(√(2 g H), v0) where absent, H the fluid's height.
    pub sound_speed: Option<f64>,
    /// Keep negative pressures; they are set to 0 by default.
    pub negative_pressure: bool,
    /// How densities are found.
    pub density: Density,
    /// α of artificial viscosity, which slows particles that approach each other (ST 5, 6; 0.08 to
    /// 0.5 in Becker and Teschner's paper). It comes on top of the materials' viscosity.
    pub alpha: f64,
    /// ε of the velocity filter XSPH, 0.01 to 0.1 where it is used.
    pub xsph: f64,
}

/// How densities are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// By summation over neighbours, anew in each step (ST 7).
    #[default]
    Summation,
    /// From rest density on, by the continuity equation (ST 2). Surfaces have rest density too, but
    /// errors add up over time.
    Continuity,
}

impl Default for Wcsph {
    fn default() -> Self {
        Self {
            gamma: 7.0,
            sound_speed: None,
            negative_pressure: false,
            density: Density::Summation,
            alpha: 0.0,
            xsph: 0.0,
        }
    }
}

/// How well a solver with one loop solves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Iterations {
    /// Mean compression at the end of a step, in percent, at which iterations stop.
    pub max_error: f64,
    /// Iterations that are made at least.
    pub min_iterations: u32,
    /// Iterations that are made at most.
    pub max_iterations: u32,
}

impl Default for Iterations {
    fn default() -> Self {
        Self { max_error: 0.01, min_iterations: 2, max_iterations: 100 }
    }
}

/// How well DFSPH solves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Dfsph {
    /// Mean compression at the end of a step, in percent, at which the density solver stops.
    pub max_error: f64,
    /// Mean change of compression in a step, in percent, at which the divergence solver stops.
    pub max_divergence_error: f64,
    /// Iterations that each solver makes at least.
    pub min_iterations: u32,
    /// Iterations that each solver makes at most.
    pub max_iterations: u32,
}

impl Default for Dfsph {
    fn default() -> Self {
        Self { max_error: 0.01, max_divergence_error: 0.1, min_iterations: 2, max_iterations: 100 }
    }
}
