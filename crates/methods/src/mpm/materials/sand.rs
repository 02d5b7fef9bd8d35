//! Dry sand, which yields by its friction angle (Klár et al. 2016; volume correction of Tampubolon et al. 2017).

use meniscus_scene::Value;

use super::{LAMBDA, Look, MaterialNumber, Model, Own, SHEAR};
use crate::Key;

/// Drucker and Prager's cone in Hencky strain, τ = 2G ln σ + λ tr ln σ.
pub const MODEL: Model = Model {
    source: "Klár et al. 2016",
    help: "dry sand, which yields by its friction angle",
    keys: &[
        super::youngs_modulus(3.5e5),
        super::poisson_ratio(0.3),
        Key::number("friction_angle", [Key::POSITIVE, 80.0], 30.0, "Friction angle of sand (30).")
            .unit("degrees"),
        Key::numbers(
            "hardening_angles",
            4,
            [0.0, 80.0],
            "h0, h1, h2, h3 of sand whose friction angle is h0 + (h1 q − h3) exp(−h2 q) degrees, q its plastic strain.",
        ),
    ],
    numbers: &[
        LAMBDA,
        SHEAR,
        MaterialNumber::new(
            "h0",
            "h0 in rad of the friction angle h0 + (h1 q − h3) e^(−h2 q)",
            |own| angles(own)[0].to_radians(),
        ),
        MaterialNumber::new("h1", "h1 in rad", |own| angles(own)[1].to_radians()),
        MaterialNumber::new("h2", "h2", |own| angles(own)[2]),
        MaterialNumber::new("h3", "h3 in rad", |own| angles(own)[3].to_radians()),
    ],
    sound: super::p_wave,
    // A bed that holds a heap is as rough as its sand.
    roughness: |own| angles(own)[0].to_radians().tan(),
    softens: "youngs_modulus",
    look: Look::Grains,
    rest_density: 1600.0,
    color: [0.86, 0.70, 0.43],
    ..Model::new("sand")
};

/// h0 to h3 in degrees, h2 a number.
fn angles(own: &Own<'_>) -> [f64; 4] {
    match own.named("hardening_angles") {
        Some(Value::Numbers(angles)) if angles.len() == 4 => {
            [angles[0], angles[1], angles[2], angles[3]]
        }
        _ => [own.number("friction_angle"), 0.0, 0.0, 0.0],
    }
}
