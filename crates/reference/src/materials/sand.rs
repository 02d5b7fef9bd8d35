//! Klár et al. 2016: Drucker–Prager elastoplasticity for sand animation; volume correction of Tampubolon et al. 2017.

use super::{Principal, Response, Strain};

pub(super) fn respond(strained: &Strain<'_>) -> Response {
    let principal = strained.principal();
    let (sigma, axes) = (principal.sigma, strained.dimensions as usize);
    let [q, extra, _] = strained.state;
    let d = f64::from(strained.dimensions);
    let [lambda, shear, h0, h1, h2, h3] =
        ["lambda", "shear", "h0", "h1", "h2", "h3"].map(|name| (strained.number)(name));
    let mut strain = [0.0; 3];
    for k in 0..axes {
        strain[k] = sigma[k].max(1e-6).ln() + extra / d;
    }
    let trace: f64 = strain.iter().sum();
    let mut deviator = [0.0; 3];
    for k in 0..axes {
        deviator[k] = strain[k] - trace / d;
    }
    let norm = deviator.iter().map(|e| e * e).sum::<f64>().sqrt();
    let sine = (h0 + (h1 * q - h3) * (-h2 * q).exp()).sin();
    let alpha = match axes {
        2 => sine / 2f64.sqrt(),
        _ => (2.0f64 / 3.0).sqrt() * 2.0 * sine / (3.0 - sine),
    };
    let excess = norm + (d * lambda + 2.0 * shear) / (2.0 * shear) * alpha * trace;
    let (elastic, state) = if trace >= 0.0 {
        let length = strain.iter().map(|e| e * e).sum::<f64>().sqrt();
        ([0.0; 3], [q + length, trace, 0.0])
    } else if excess > 0.0 {
        let left = [0, 1, 2].map(|k| strain[k] - excess / norm.max(1e-30) * deviator[k]);
        (left, [q + excess, 0.0, 0.0])
    } else {
        (strain, [q, 0.0, 0.0])
    };
    let total: f64 = elastic.iter().sum();
    let sigma = elastic.map(f64::exp);
    let found = Principal {
        sigma,
        tau: elastic.map(|e| 2.0 * shear * e + lambda * total),
        energy: shear * elastic.iter().map(|e| e * e).sum::<f64>() + lambda / 2.0 * total * total,
        sound: strained.sound(1.0, sigma),
        state,
    };
    strained.solid(principal, &found)
}
