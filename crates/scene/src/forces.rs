//! Force fields.

use meniscus_geometry::{
    Vec3,
    bounds::{axis, planar, positive},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest number of force fields in a scene, in addition to gravity.
pub const MAX_FORCE_FIELDS: usize = 8;

/// Acceleration in addition to gravity. Exactly one kind is given: `[[force]]` with `rotation = { … }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Force {
    /// Uniform acceleration.
    Uniform {
        /// Acceleration in m/s².
        #[schemars(transform = planar)]
        acceleration: Vec3,
    },
    /// Attraction to a point: s (r0 − r)/|r0 − r| · max(0, 1 − |r0 − r|/R).
    Attract {
        /// r0 in m.
        #[schemars(transform = planar)]
        center: Vec3,
        /// s in m/s²; negative repels.
        strength: f64,
        /// R in m.
        #[schemars(transform = positive)]
        radius: f64,
    },
    /// Rotation about an axis: s (â × (r − r0)), tapering to 0 at the radius.
    Rotation {
        /// A point on the axis, in m.
        center: Vec3,
        /// Direction of the axis, of any length but 0.
        #[schemars(transform = axis)]
        axis: Vec3,
        /// s in s⁻².
        strength: f64,
        /// Distance from the axis in m at which the force has tapered to 0.
        #[schemars(transform = positive)]
        radius: f64,
    },
    /// A sponge, in which waves die: −r s² v, with s the way from the start to the end, 0 before and 1 beyond. An r of three times
    /// the waves' angular frequency, over a wavelength, takes nearly all.
    Sponge {
        /// Where it begins, in m.
        #[schemars(transform = planar)]
        start: Vec3,
        /// From where on it is full, in m.
        #[schemars(transform = planar)]
        end: Vec3,
        /// r in s⁻¹.
        #[schemars(transform = positive)]
        rate: f64,
    },
    /// Wind in smoke, which it moves and makes: full at the centre, tapering to nothing at the radius.
    Wind {
        /// Centre in m.
        #[schemars(transform = planar)]
        center: Vec3,
        /// Velocity in m/s.
        #[schemars(transform = planar)]
        velocity: Vec3,
        /// Radius in m.
        #[schemars(transform = positive)]
        radius: f64,
        /// Density of the smoke that it makes.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        density: f64,
    },
}
