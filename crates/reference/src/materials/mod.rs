//! Models of material points (`wgsl/materials/`), each in a file of its name.

mod jelly;
mod muscle;
mod paste;
mod sand;
mod snow;
mod water;

use glam::{DMat3, DVec3};

use crate::mpm::{Singular, singular};

/// Twin of a model.
pub type Material = fn(&Strain<'_>) -> Response;

/// All models by the names of their files.
pub const MATERIALS: &[(&str, Material)] = &[
    ("water", water::respond),
    ("jelly", jelly::respond),
    ("snow", snow::respond),
    ("sand", sand::respond),
    ("muscle", muscle::respond),
    ("paste", paste::respond),
];

/// Factor of a model's moduli by its numbers and state, where it is fixed corotated and so has a tangent.
pub(crate) fn hardening(model: &str, number: &dyn Fn(&str) -> f64, state: [f64; 3]) -> Option<f64> {
    match model {
        "jelly" | "muscle" => Some(1.0),
        "snow" => Some(snow::hardening(number("hardening"), 1.0 + state[0])),
        _ => None,
    }
}

/// Viscosity in Pa s at a rate of shear in 1/s, at most `most`, of models on which it depends.
pub(crate) fn flow(
    model: &str,
    number: &dyn Fn(&str) -> f64,
    most: f64,
    shear: f64,
) -> Option<f64> {
    (model == "paste").then(|| paste::viscosity(number, most, shear))
}

/// What a model gets.
#[allow(missing_debug_implementations, reason = "it holds a function")]
#[allow(clippy::exhaustive_structs, reason = "models read it")]
pub struct Strain<'a> {
    /// ∇v in 1/s.
    pub gradient: DMat3,
    /// F' = (1 + Δt ∇v) F.
    pub f: DMat3,
    /// State of the model: the w lanes of the deformation's rows.
    pub state: [f64; 3],
    /// Δt in s.
    pub dt: f64,
    /// Time at the step's end in s.
    pub time: f64,
    /// Density of all particles around, by the grid, in kg/m³.
    pub density: f64,
    /// Edge Δx of the cells in m.
    pub cell: f64,
    /// Number of dimensions.
    pub dimensions: u32,
    /// Rest density in kg/m³.
    pub rest_density: f64,
    /// Dynamic viscosity in Pa s.
    pub viscosity: f64,
    /// A number of the model by its name.
    pub number: &'a dyn Fn(&str) -> f64,
}

/// What a model gives.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "models build it")]
pub struct Response {
    /// F after the return mapping.
    pub f: DMat3,
    /// Kirchhoff stress τ in Pa.
    pub tau: DMat3,
    /// J.
    pub volume: f64,
    /// Elastic energy per rest volume in J/m³.
    pub energy: f64,
    /// Speed of sound in m/s.
    pub sound: f64,
    /// State of the model.
    pub state: [f64; 3],
}

/// Stresses in Pa and energy in J/m³ in principal axes.
struct Principal {
    sigma: [f64; 3],
    tau: [f64; 3],
    energy: f64,
    sound: f64,
    state: [f64; 3],
}

/// Σ values u ⊗ by.
fn dyads(values: [f64; 3], u: [DVec3; 3], by: [DVec3; 3]) -> DMat3 {
    let dyad = |k: usize| DMat3::from_cols(by[k].x * u[k], by[k].y * u[k], by[k].z * u[k]);
    (0..3).map(|k| values[k] * dyad(k)).fold(DMat3::ZERO, |sum, part| sum + part)
}

/// γ of the equation of state of liquids.
pub(crate) const GAMMA: f64 = 7.0;
/// Viscosity against changes of volume, in ρ c Δx.
pub(crate) const DAMPING: f64 = 0.25;
/// Density, relative to that at rest, from which on no particle is loose.
const CROWDED: f64 = 1.1;

impl Strain<'_> {
    /// Response of a liquid with this stress in Pa, over J, besides that of pressure.
    fn liquid(&self, viscous: DMat3) -> Response {
        let c = self.gradient;
        let divergence = c.x_axis.x + c.y_axis.y + c.z_axis.z;
        // J − 1, which has more digits than J.
        let grown = self.state[0] + (1.0 + self.state[0]) * self.dt * divergence;
        let stiffness = (self.number)("stiffness");
        let c0 = (GAMMA * stiffness / self.rest_density).sqrt();
        // What the nodes count, a tenth of the way in the time of sound across a cell.
        let counted = self.rest_density / self.density - 1.0;
        let share = (0.1 * c0 * self.dt / self.cell).min(1.0);
        let is_full = self.density > 0.9 * self.rest_density;
        let grown = if is_full {
            grown + share * (grown.clamp(counted - 0.03, counted + 0.03) - grown)
        } else {
            grown
        };
        let room = CROWDED * self.rest_density / self.density.max(1e-3 * self.rest_density);
        let excess = grown.min(room - 1.0).clamp(-0.4, (self.number)("largest_volume") - 1.0);
        let j = 1.0 + excess;
        // J^−n − 1.
        let less = |n: f64| (-n * excess.ln_1p()).exp_m1();
        let loose = excess > 0.0 && (self.number)("pulls") == 0.0;
        let damping = DAMPING * self.rest_density * c0 * self.cell * divergence;
        let pressure = if loose { 0.0 } else { stiffness * less(GAMMA) - damping };
        // −∫ p dJ.
        let work = less(GAMMA - 1.0) / (GAMMA - 1.0) + excess;
        Response {
            f: DMat3::IDENTITY,
            tau: j * (viscous - pressure * DMat3::IDENTITY),
            volume: j,
            energy: if loose { 0.0 } else { stiffness * work },
            sound: c0 * j.powf(-(GAMMA - 1.0) / 2.0),
            state: [excess, 0.0, 0.0],
        }
    }

    fn principal(&self) -> Singular {
        singular(self.f, self.dimensions)
    }

    /// Response of an isotropic solid, whose return mapping gives `found`.
    fn solid(&self, Singular { u, v, .. }: Singular, found: &Principal) -> Response {
        let f = dyads(found.sigma, u, v);
        Response {
            f,
            tau: dyads(found.tau, u, u),
            volume: f.determinant(),
            energy: found.energy,
            sound: found.sound,
            state: found.state,
        }
    }

    /// Speed of pressure waves in m/s, with moduli times `hardening`.
    fn sound(&self, hardening: f64, sigma: [f64; 3]) -> f64 {
        let modulus = hardening * ((self.number)("lambda") + 2.0 * (self.number)("shear"));
        (modulus / self.rest_density).sqrt() * sigma[0].max(1.0)
    }

    /// Fixed corotated elasticity (Stomakhin, Howes, Schroeder, Teran 2012).
    fn corotated(&self, hardening: f64, sigma: [f64; 3], state: [f64; 3]) -> Principal {
        let [lambda, shear] = ["lambda", "shear"].map(|name| hardening * (self.number)(name));
        let j: f64 = sigma.iter().product();
        let stretch: f64 = sigma.iter().map(|s| (s - 1.0).powi(2)).sum();
        Principal {
            sigma,
            tau: sigma.map(|s| 2.0 * shear * (s - 1.0) * s + lambda * j * (j - 1.0)),
            energy: shear * stretch + lambda / 2.0 * (j - 1.0).powi(2),
            sound: self.sound(hardening, sigma),
            state,
        }
    }
}
