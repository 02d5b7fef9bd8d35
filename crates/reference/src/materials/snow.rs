//! Stomakhin, Schroeder, Chai, Teran, Selle 2013: a material point method for snow simulation.

use super::{Response, Strain};

pub(super) fn respond(strain: &Strain<'_>) -> Response {
    let principal = strain.principal();
    let sigma = principal.sigma;
    let (low, high) = (1.0 - (strain.number)("compression"), 1.0 + (strain.number)("stretch"));
    let elastic = sigma.map(|s| s.clamp(low, high));
    let ratio = sigma.iter().product::<f64>() / elastic.iter().product::<f64>();
    let j_p = ((1.0 + strain.state[0]) * ratio).clamp(0.6, 20.0);
    let hardening = hardening((strain.number)("hardening"), j_p);
    let found = strain.corotated(hardening, elastic, [j_p - 1.0, 0.0, 0.0]);
    strain.solid(principal, &found)
}

pub(super) fn hardening(rate: f64, j_p: f64) -> f64 {
    (rate * (1.0 - j_p)).min(4.0).exp()
}
