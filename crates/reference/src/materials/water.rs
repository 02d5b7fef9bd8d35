//! A weakly compressible fluid (Monaghan 1994); its state is J − 1.

use glam::DMat3;

use super::{Response, Strain};

/// γ of the equation of state.
const GAMMA: f64 = 7.0;
/// Viscosity against changes of volume, in ρ c Δx.
const DAMPING: f64 = 0.25;
/// Density, relative to that at rest, from which on no particle is loose.
const CROWDED: f64 = 1.1;

pub(super) fn respond(strain: &Strain<'_>) -> Response {
    let c = strain.gradient;
    let divergence = c.x_axis.x + c.y_axis.y + c.z_axis.z;
    // J − 1, which has more digits than J.
    let grown = strain.state[0] + (1.0 + strain.state[0]) * strain.dt * divergence;
    let room = CROWDED * strain.rest_density / strain.density.max(1e-3 * strain.rest_density);
    let excess = grown.min(room - 1.0).clamp(-0.4, (strain.number)("largest_volume") - 1.0);
    let j = 1.0 + excess;
    // J^−n − 1.
    let less = |n: f64| (-n * excess.ln_1p()).exp_m1();
    let stiffness = (strain.number)("stiffness");
    let loose = j > 1.0 && (strain.number)("pulls") == 0.0;
    let c0 = (GAMMA * stiffness / strain.rest_density).sqrt();
    let damping = DAMPING * strain.rest_density * c0 * strain.cell * divergence;
    let pressure = if loose { 0.0 } else { stiffness * less(GAMMA) - damping };
    let viscous = strain.viscosity * j * (c + c.transpose());
    // −∫ p dJ.
    let work = less(GAMMA - 1.0) / (GAMMA - 1.0) + excess;
    Response {
        f: DMat3::IDENTITY,
        tau: viscous - j * pressure * DMat3::IDENTITY,
        volume: j,
        energy: if loose { 0.0 } else { stiffness * work },
        sound: c0 * j.powf(-(GAMMA - 1.0) / 2.0),
        state: [excess, 0.0, 0.0],
    }
}
