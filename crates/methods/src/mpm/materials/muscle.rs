//! Muscle: jelly that pulls along its fibres by itself, in time (after the soft robots of Hu et al. 2019).

use std::f64::consts::TAU;

use super::{LAMBDA, Look, MaterialNumber, Model, Own, SHEAR};
use crate::Key;

/// τ = jelly's + a(t) (F m)(F m)ᵀ, a(t) = pull · sin(2π t/period + phase), fibres along m at rest.
pub const MODEL: Model = Model {
    source: "Hu et al. 2019, ChainQueen",
    help: "an elastic solid that contracts and stretches along its fibres by a sine of time",
    keys: &[
        super::youngs_modulus(1e5),
        super::poisson_ratio(0.3),
        Key::number(
            "pull",
            [0.0, Key::LARGEST],
            2e4,
            "Largest stress of a muscle along its fibres.",
        )
        .unit("Pa"),
        Key::number("period", [Key::POSITIVE, Key::LARGEST], 0.5, "Time in which a muscle contracts and stretches.")
            .unit("s"),
        Key::number("phase", [-360.0, 360.0], 0.0, "Phase of a muscle's sine at the start; at 0 it begins to contract.")
            .unit("degrees"),
        Key::number(
            "fibre_angle",
            [-180.0, 180.0],
            90.0,
            "Direction of a muscle's fibres at rest in the plane of x and y, from x: 90 is upright.",
        )
        .unit("degrees"),
    ],
    numbers: &[
        LAMBDA,
        SHEAR,
        MaterialNumber::new("pull", "Largest stress along the fibres in Pa", |own| own.number("pull")),
        MaterialNumber::new("rate", "2π over the period, in 1/s", |own| TAU / own.number("period")),
        MaterialNumber::new("phase", "phase in rad", |own| own.number("phase").to_radians()),
        MaterialNumber::new("along_x", "x of the fibres", |own| fibre(own).cos()),
        MaterialNumber::new("along_y", "y of the fibres", |own| fibre(own).sin()),
    ],
    is_stiff: true,
    sound: |own| {
        let own_sound = super::p_wave(own);
        (own_sound * own_sound + own.number("pull") / own.material.rest_density).sqrt()
    },
    bears: |own| own.number("youngs_modulus"),
    softens: "youngs_modulus",
    works: true,
    look: Look::Glossy,
    color: [0.76, 0.2, 0.25],
    ..Model::new("muscle")
};

/// Angle of the fibres in rad.
fn fibre(own: &Own<'_>) -> f64 {
    own.number("fibre_angle").to_radians()
}
