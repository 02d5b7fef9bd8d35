//! Methods for viscosity: those that a scene names in `viscosity.model`.

use meniscus_scene::Scene;

use crate::Method;

pub mod artificial;
pub mod implicit;
pub mod morris;
pub mod muller;
pub mod pairwise;
pub mod xsph;

/// All, in the order in which forces are summed.
pub(crate) const METHODS: [&Method; 6] = [
    &muller::METHOD,
    &morris::METHOD,
    &pairwise::METHOD,
    &implicit::METHOD,
    &artificial::METHOD,
    &xsph::METHOD,
];

/// Kinematic viscosity in m²/s from which a liquid is thick, a thousand times that of water.
const THICK: f64 = 1e-3;

/// Numbers of the materials that are thick and whose flow under their weight is viscous at the scale of particles: (ν²/g)^⅓, the
/// thickness of a film whose Reynolds number is about 1, is more than a spacing.
fn thick(scene: &Scene) -> impl Iterator<Item = usize> + '_ {
    let g = scene.gravity.iter().map(|axis| axis * axis).sum::<f64>().sqrt();
    let is_thick = move |viscosity: f64, density: f64| {
        let nu = viscosity / density;
        g > 0.0 && nu >= THICK && (nu * nu / g).cbrt() > scene.spacing()
    };
    let all = scene.materials.iter().enumerate();
    all.filter(move |(_, own)| own.viscosity.is_some_and(|mu| is_thick(mu, own.rest_density)))
        .map(|(number, _)| number)
}
