//! Jelly with a stress of its own along its fibres (after Hu et al. 2019).

use glam::{DMat3, DVec3};

use super::{Response, Strain};

pub(super) fn respond(strain: &Strain<'_>) -> Response {
    let [pull, rate, phase, x, y] =
        ["pull", "rate", "phase", "along_x", "along_y"].map(|name| (strain.number)(name));
    let principal = strain.principal();
    let found = strain.corotated(1.0, principal.sigma, [0.0; 3]);
    let passive = strain.solid(principal, &found);
    let fibre = strain.f * DVec3::new(x, y, 0.0);
    let active = pull * (rate * strain.time + phase).sin();
    let dyad = DMat3::from_cols(fibre.x * fibre, fibre.y * fibre, fibre.z * fibre);
    let more = pull / strain.rest_density * principal.sigma[0].max(1.0).powi(2);
    Response {
        f: strain.f,
        tau: passive.tau + active * dyad,
        sound: (passive.sound.powi(2) + more).sqrt(),
        ..passive
    }
}
