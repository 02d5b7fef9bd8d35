//! Snow, which yields when it is compressed or stretched, and hardens (Stomakhin et al. 2013).

use super::{LAMBDA, MaterialNumber, Model, SHEAR};
use crate::Key;

/// Jelly whose principal stretches are kept between 1 − θc and 1 + θs, with moduli times e^(ξ (1 − `J_p`)).
pub const MODEL: Model = Model {
    source: "Stomakhin et al. 2013",
    help: "snow, which yields when it is compressed or stretched, and hardens",
    keys: &[
        super::youngs_modulus(1.4e5),
        super::poisson_ratio(0.2),
        Key::number("hardening", [0.0, 100.0], 10.0, "Hardening ξ of snow (10)."),
        Key::number(
            "critical_compression",
            [0.0, 0.5],
            0.025,
            "Compression θc at which snow yields (0.025).",
        ),
        Key::number(
            "critical_stretch",
            [0.0, 0.5],
            0.0075,
            "Stretch θs at which snow yields (0.0075).",
        ),
    ],
    numbers: &[
        LAMBDA,
        SHEAR,
        MaterialNumber::new("hardening", "ξ", |own| own.number("hardening")),
        MaterialNumber::new("compression", "θc", |own| own.number("critical_compression")),
        MaterialNumber::new("stretch", "θs", |own| own.number("critical_stretch")),
    ],
    is_stiff: true,
    sound: super::p_wave,
    softens: "youngs_modulus",
    rest_density: 400.0,
    color: [0.93, 0.95, 0.98],
    ..Model::new("snow")
};
