//! Jelly: an elastic solid, fixed corotated (Stomakhin, Howes, Schroeder, Teran 2012).

use super::{LAMBDA, Look, Model, SHEAR};

/// τ = 2G (σ − 1) σ + λ J (J − 1) in principal axes.
pub const MODEL: Model = Model {
    source: "Stomakhin, Howes, Schroeder, Teran 2012",
    help: "an elastic solid: fixed corotated elasticity",
    keys: &[super::youngs_modulus(1e5), super::poisson_ratio(0.3)],
    numbers: &[LAMBDA, SHEAR],
    is_stiff: true,
    sound: super::p_wave,
    // Its energy at σ = 0 is about E/2.
    bears: |own| own.number("youngs_modulus"),
    softens: "youngs_modulus",
    look: Look::Glossy,
    color: [0.91, 0.30, 0.24],
    ..Model::new("jelly")
};
