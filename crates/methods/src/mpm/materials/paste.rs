//! Paste: a liquid whose viscosity depends on how fast it is sheared, with a yield stress (Herschel, Bulkley 1926;
//! Papanastasiou 1987): power laws, Bingham's plastics, mud, ketchup, cream.

use super::{Look, MaterialNumber, Model, water};
use crate::Key;

/// Viscosity η = K γ̇^(n−1) + Y (1 − e^(−m γ̇))/γ̇ with the yield stress Y, m = M/Y, at most M, the material's `viscosity`; pressure
/// as of water.
pub const MODEL: Model = Model {
    source: "Herschel, Bulkley 1926; Papanastasiou 1987",
    help: "a liquid that thins or thickens when it is sheared, or yields",
    keys: &[
        water::SOUND,
        water::PULLING,
        Key::number(
            "consistency",
            [0.0, Key::LARGEST],
            1.0,
            "Consistency K of paste: its viscosity at 1/s without a yield stress.",
        )
        .unit("Pa sⁿ"),
        Key::number(
            "exponent",
            [0.1, 3.0],
            1.0,
            "Exponent n of paste: below 1 it thins when it is sheared, above 1 it thickens.",
        ),
        Key::number(
            "yield_stress",
            [0.0, Key::LARGEST],
            0.0,
            "Shear stress of paste below which it hardly flows.",
        )
        .unit("Pa"),
    ],
    numbers: &[
        water::STIFFNESS,
        water::LARGEST,
        water::PULLED,
        MaterialNumber::new("consistency", "K in Pa sⁿ", |own| own.number("consistency")),
        MaterialNumber::new("exponent", "n", |own| own.number("exponent")),
        MaterialNumber::new("yield_stress", "Yield stress in Pa", |own| own.number("yield_stress")),
    ],
    flow: &["consistency", "exponent", "yield_stress"],
    sound: water::sound,
    softens: "sound_speed",
    problem: |own, fastest| {
        if own.material.viscosity.is_none_or(|largest| largest <= 0.0) {
            return Some(("viscosity", super::LARGEST_VISCOSITY.to_owned()));
        }
        water::problem(own, fastest)
    },
    viscous: true,
    is_stiff: true,
    look: Look::Glossy,
    color: [0.80, 0.67, 0.50],
    ..Model::new("paste")
};
