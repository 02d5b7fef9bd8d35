//! Shapes from files: their placement and their content.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::{Check, Vec3, check::LARGEST};

/// Rotation about an axis through the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "its keys are those of scene files")]
pub struct Rotation {
    /// Direction of the axis, of any length but 0.
    #[schemars(transform = crate::bounds::direction)]
    pub axis: Vec3,
    /// Angle in degrees, counter-clockwise seen from the tip of the axis.
    pub angle: f64,
}

impl Default for Rotation {
    fn default() -> Self {
        Self { axis: [0.0, 1.0, 0.0], angle: 0.0 }
    }
}

/// Content of a file that a scene refers to, once it was read. Scenes that refer to the same files
/// are equal.
#[derive(Debug)]
pub struct Content<T>(Option<Arc<T>>);

impl<T> Clone for Content<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Content<T> {
    /// Content that was read.
    #[must_use]
    pub fn of(content: T) -> Self {
        Self(Some(Arc::new(content)))
    }

    /// The content, if it was read.
    #[must_use]
    pub fn get(&self) -> Option<&Arc<T>> {
        self.0.as_ref()
    }
}

impl<T> Default for Content<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> PartialEq for Content<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

pub(crate) fn unscaled() -> Vec3 {
    [1.0; 3]
}

/// Scale as scene files give it: one factor, or one for each axis.
#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a factor, as in 0.001, or one for each axis, as in [1, 1, 2]"
)]
pub(crate) enum Scale {
    Uniform(f64),
    Axes(Vec3),
}

/// Reads a scale.
pub(crate) fn scale<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec3, D::Error> {
    Ok(match Scale::deserialize(deserializer)? {
        Scale::Uniform(factor) => [factor; 3],
        Scale::Axes(factors) => factors,
    })
}

/// Reads a rotation, with an error that says what to write in place of three angles.
pub(crate) fn rotation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rotation, D::Error> {
    struct Keys;

    impl<'de> Visitor<'de> for Keys {
        type Value = Rotation;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("{ axis = [x, y, z], angle = degrees }")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rotation, A::Error> {
            Rotation::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_any(Keys)
}

/// Placement of a file's content: scaled, then rotated, then moved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    pub(crate) scale: Vec3,
    pub(crate) rotation: Rotation,
    pub(crate) translation: Vec3,
}

impl Placement {
    /// World position of a point of the file.
    pub(crate) fn of(&self, p: Vec3) -> Vec3 {
        let axis = DVec3::from(self.rotation.axis).normalize_or(DVec3::Y);
        let turn = DQuat::from_axis_angle(axis, self.rotation.angle.to_radians());
        (turn * (DVec3::from(p) * DVec3::from(self.scale)) + DVec3::from(self.translation)).into()
    }

    /// Reports problems; returns whether there are none.
    pub(crate) fn check(&self, key: &str, check: &mut Check) -> bool {
        let scale_key = format!("{key}.scale");
        let sound = self.scale.iter().all(|factor| factor.abs() >= 1.0 / LARGEST);
        if !sound {
            check.report(scale_key, "must not be 0 in any component");
        }
        sound
    }
}
