//! Joints between rigid bodies, and mooring lines.

use glam::DVec3;
use meniscus_geometry::{
    Vec3,
    bounds::{axis, heading, planar, positive},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Body, Scene};

/// What holds a rigid body to another one, or to the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Name in the log and in Python; `joint_1`, `joint_2`, … if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// Names of the two bodies, at least one of which moves freely; of one body that is held to the world.
    pub bodies: Vec<String>,
    /// How it holds them.
    pub kind: JointKind,
    /// Whether the two touch each other. Absent: only those of a spring and of a rope do. Bodies that are held together through
    /// others do not touch either.
    #[serde(default)]
    pub touch: Option<bool>,
}

/// Kinds of joints. Points and directions are in the world, at the start.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum JointKind {
    /// Two points stay together: a shoulder, a pendulum's pivot.
    Ball {
        /// The point in m.
        #[schemars(transform = planar)]
        at: Vec3,
    },
    /// The bodies turn about one axis: a door, an elbow, a wheel. The angle is that of the first body as seen from the second,
    /// counterclockwise about the axis, and 0 at the start.
    Hinge {
        /// A point on the axis in m.
        #[schemars(transform = planar)]
        at: Vec3,
        /// Direction of the axis.
        #[schemars(transform = axis)]
        axis: Vec3,
        /// Least and largest angle in degrees, within ±180.
        #[serde(default)]
        limits: Option<[f64; 2]>,
        /// Motor about the axis: a speed in rad/s and a torque in N m.
        #[serde(default)]
        motor: Option<Motor>,
    },
    /// The bodies move along one axis and do not turn against each other: a piston, a heave plate's rail. The way is that of the
    /// first body as seen from the second, and 0 at the start.
    Slider {
        /// Direction of the axis.
        #[schemars(transform = heading)]
        axis: Vec3,
        /// Least and largest way in m.
        #[serde(default)]
        limits: Option<[f64; 2]>,
        /// Motor along the axis: a speed in m/s and a force in N.
        #[serde(default)]
        motor: Option<Motor>,
    },
    /// The bodies are glued together.
    Fixed {},
    /// A spring with a damper between two points.
    Spring {
        /// A point of the first body, and one of the second or of the world, in m.
        ends: [Vec3; 2],
        /// Stiffness in N/m.
        #[schemars(range(min = 0.0))]
        stiffness: f64,
        /// Damping in N s/m.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        damping: f64,
        /// Length in m without force; that at the start if absent.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        length: Option<f64>,
        /// Least and largest length in m.
        #[serde(default)]
        limits: Option<[f64; 2]>,
    },
    /// A rope without weight between two points, which only pulls.
    Rope {
        /// A point of the first body, and one of the second or of the world, in m.
        ends: [Vec3; 2],
        /// Length in m; the distance at the start if absent.
        #[serde(default)]
        #[schemars(transform = positive)]
        length: Option<f64>,
    },
}

/// A motor, which keeps a speed as far as its force or torque allows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motor {
    /// Speed of the first body as seen from the second, in rad/s or m/s; 0 is a brake.
    pub speed: f64,
    /// Largest torque in N m, or force in N.
    #[schemars(transform = positive)]
    pub most: f64,
}

/// A heavy line from a body to an anchor on the floor, which hangs as a catenary at any moment (quasi-static) and whose lower part
/// lies on the floor where it is long enough. It does not stretch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mooring {
    /// Name in the log and in Python; `mooring_1`, `mooring_2`, … if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// Name of the body, which moves freely.
    pub body: String,
    /// Where the line is made fast to the body at the start, in m.
    #[schemars(transform = planar)]
    pub fairlead: Vec3,
    /// The anchor on the floor, below the fairlead, in m.
    #[schemars(transform = planar)]
    pub anchor: Vec3,
    /// Length in m.
    #[schemars(transform = positive)]
    pub length: f64,
    /// Weight in water in N per metre of line.
    #[schemars(transform = positive)]
    pub weight: f64,
}

impl Joint {
    /// Name of the joint, or `joint_1`, `joint_2`, … by its index in the scene.
    #[must_use]
    pub fn name_or_number(&self, index: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("joint_{}", index + 1))
    }

    /// Whether the bodies touch each other.
    #[must_use]
    pub fn touches(&self) -> bool {
        let apart = matches!(self.kind, JointKind::Spring { .. } | JointKind::Rope { .. });
        self.touch.unwrap_or(apart)
    }
}

impl JointKind {
    /// Points of the first body and of the second or the world, at the start; `middle` is the first body's.
    #[must_use]
    pub fn ends(&self, middle: DVec3) -> [DVec3; 2] {
        match self {
            Self::Ball { at } | Self::Hinge { at, .. } => [DVec3::from(*at); 2],
            Self::Slider { .. } | Self::Fixed {} => [middle; 2],
            Self::Spring { ends, .. } | Self::Rope { ends, .. } => ends.map(DVec3::from),
        }
    }
}

impl Mooring {
    /// Name of the mooring, or `mooring_1`, `mooring_2`, … by its index in the scene.
    #[must_use]
    pub fn name_or_number(&self, index: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("mooring_{}", index + 1))
    }
}

impl Scene {
    /// Index and body of a name: the scene's, or `body_1`, `body_2`, ….
    #[must_use]
    pub fn body(&self, name: &str) -> Option<(usize, &Body)> {
        self.bodies.iter().enumerate().find(|(k, body)| body.name_or_number(*k) == name)
    }
}
