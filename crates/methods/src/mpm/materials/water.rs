//! Water of material points: a weakly compressible fluid (Monaghan 1994).

use super::{Look, MaterialNumber, Model, Own};
use crate::Key;

/// γ of the equation of state p = B (J^−γ − 1).
const GAMMA: f64 = 7.0;

/// Largest J of water that does not pull. Of drops that fly apart it grows, and must fall to 1 before they resist: with
/// a limit of 1 a dam's water ended 24 % too high after 5 s, with 1.1, 1.5 and 4 6, 3 and 1 %.
const LOOSE: f64 = 4.0;

/// Key of the speed of sound.
pub(super) const SOUND: Key = Key::derived(
    "sound_speed",
    "m/s",
    |scene| 10.0 * scene.expected_speed,
    "10 · max(√(2 g H), v0), H the fluid's height",
    "Speed of sound c, of liquids of the material point method.",
);

/// Key of negative pressures.
pub(super) const PULLING: Key = Key::flag(
    PULLS,
    "Whether a liquid of the material point method resists being pulled apart, by a tenth of its volume.",
);

/// B of the shader.
pub(super) const STIFFNESS: MaterialNumber =
    MaterialNumber::new("stiffness", "B = ρ0 c²/γ in Pa", |own| {
        let c = sound(own);
        own.rest_density * c * c / GAMMA
    });

/// Largest J of the shader.
pub(super) const LARGEST: MaterialNumber =
    MaterialNumber::new("largest_volume", "Largest J = V/V0", |own| {
        if own.flag(PULLS) { 1.1 } else { LOOSE }
    });

/// Whether it pulls, for the shader.
pub(super) const PULLED: MaterialNumber = MaterialNumber::new(
    "pulls",
    "1 if the liquid under tension pulls; else its pressure is not below 0",
    |own| f64::from(u8::from(own.flag(PULLS))),
);

/// A speed of sound that is too low.
pub(super) fn problem(own: &Own<'_>, fastest: f64) -> Option<(&'static str, String)> {
    let c = own.named("sound_speed")?.number().filter(|c| *c < fastest)?;
    let message = format!(
        "must be at least {fastest:.4} m/s, the largest speed to expect, not {c} m/s; ten times that keeps the \
         water's density within 1 %"
    );
    Some(("sound_speed", message))
}

/// p = B (J^−γ − 1), B = ρ0 c²/γ.
pub const MODEL: Model = Model {
    source: "Monaghan 1994",
    help: "a weakly compressible fluid",
    keys: &[SOUND, PULLING],
    numbers: &[STIFFNESS, LARGEST, PULLED],
    sound,
    softens: "sound_speed",
    problem,
    viscous: true,
    look: Look::Liquid,
    color: [0.13, 0.42, 0.80],
    ..Model::new("water")
};

/// Name of that key.
const PULLS: &str = "negative_pressure";

/// Speed of sound in m/s.
pub(super) fn sound(own: &Own<'_>) -> f64 {
    let named = own.named("sound_speed").and_then(meniscus_scene::Value::number);
    named.unwrap_or(10.0 * own.expected_speed)
}
