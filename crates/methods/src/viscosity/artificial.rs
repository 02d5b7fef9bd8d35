//! Monaghan 1992: artificial viscosity between approaching particles.

use crate::{Axis, Key, Method, Number};

/// α h c between approaching particles, in addition to other viscosities.
pub const METHOD: Method = Method {
    source: "Monaghan 1992; Becker, Teschner 2007",
    help: "damps the approach of particles",
    keys: &[&[Key::number(
        "alpha",
        [0.0, 1.0],
        0.1,
        "α of artificial viscosity, 0.08 to 0.5 in Becker and Teschner's paper.",
    )]],
    numbers: &[
        Number::new("alpha", "α of artificial viscosity", |scene| scene.number("viscosity.alpha")),
        Number::new(
            "speed",
            "speed of sound in m/s, or in an incompressible fluid the expected speed",
            |scene| scene.chosen.sound_speed(scene).unwrap_or(scene.expected_speed),
        ),
    ],
    term: Some("viscosity_artificial"),
    ..Method::new("artificial", Axis::Viscosity)
};
