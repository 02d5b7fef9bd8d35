//! Boundaries, rigid bodies, and how they move.

use meniscus_geometry::{Shape, Side, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a boundary acts on the fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Response {
    /// Push out and reflect (M §3.4).
    Reflect {
        /// Share of the normal speed that comes back, 0 to 1.
        #[serde(default)]
        restitution: f64,
        /// Friction coefficient, 0 or more.
        #[serde(default)]
        friction: f64,
    },
    /// Spring and damper: `a = (k_s d − k_d v·n) n` (T 4). Where it is too soft, the surface itself
    /// stops the centres of particles.
    Spring {
        /// `k_s` in s⁻².
        stiffness: f64,
        /// `k_d` in s⁻¹.
        damping: f64,
    },
    /// A layer of boundary particles, which the fluid's density and pressure take into account
    /// (Akinci 2012).
    Particles {
        /// The wall's viscosity in parts of the fluid's: 0 lets it slip, 1 holds it like more fluid
        /// that moves with the wall.
        #[serde(default)]
        friction: f64,
        /// The fluid at the wall moves with it: the friction is such that the layer stands in for
        /// all of the fluid's mirror image (Morris et al. 1997).
        #[serde(default)]
        no_slip: bool,
    },
}

impl Default for Response {
    fn default() -> Self {
        Self::Reflect { restitution: 0.0, friction: 0.0 }
    }
}

/// A solid that particles collide with. Their centres keep a particle radius from it: a quarter of that from
/// walls of particles under incompressible solvers, unless bodies move freely; springs give way, up to the surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boundary {
    /// Its shape.
    pub shape: Shape,
    /// On which side the fluid is (a plane has its normal for that).
    #[serde(default = "inside")]
    pub side: Side,
    /// Velocity of the wall in m/s: it moves.
    #[serde(default)]
    pub velocity: Vec3,
    /// How it moves besides: one motion after another.
    #[serde(default)]
    pub motion: Vec<Motion>,
    /// How it acts on the fluid; where absent, it reflects under Müller's solver, and has boundary
    /// particles under others.
    #[serde(default)]
    pub response: Option<Response>,
}

fn inside() -> Side {
    Side::Inside
}

/// How a solid moves. Exactly one kind is named: `motion = [{ sway = { … } }]`. Where no centre is
/// named, turns are about the middle of the solid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Motion {
    /// At a constant velocity.
    Translate {
        /// In m/s.
        velocity: Vec3,
    },
    /// To and fro: a (sin(2πt/T + φ) − sin φ).
    Sway {
        /// a in m.
        amplitude: Vec3,
        /// T in s.
        period: f64,
        /// φ in degrees.
        #[serde(default)]
        phase: f64,
    },
    /// Round and round, at a constant speed.
    Rotate {
        /// A point on the axis, in m.
        #[serde(default)]
        center: Option<Vec3>,
        /// Direction of the axis, of any length but 0.
        axis: Vec3,
        /// In rad/s.
        speed: f64,
    },
    /// A turn to and fro: by α sin(2πt/T).
    Rock {
        /// A point on the axis, in m.
        #[serde(default)]
        center: Option<Vec3>,
        /// Direction of the axis, of any length but 0.
        axis: Vec3,
        /// α in degrees.
        angle: f64,
        /// T in s.
        period: f64,
    },
    /// Through places and turns at given times, smoothly; at rest before the first and after the last.
    Keyframes {
        /// A point on the axis of the turns, in m.
        #[serde(default)]
        center: Option<Vec3>,
        /// Direction of the axis of the turns.
        #[serde(default = "upward")]
        axis: Vec3,
        /// Places and turns, in the order of their times.
        frames: Vec<Keyframe>,
    },
}

fn upward() -> Vec3 {
    [0.0, 1.0, 0.0]
}

/// A place and a turn at a time, relative to where the solid is in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// In s.
    pub time: f64,
    /// Way from where it is in the scene, in m.
    #[serde(default)]
    pub position: Vec3,
    /// Turn in degrees; whole turns count.
    #[serde(default)]
    pub angle: f64,
}

/// A turn about an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Direction of the axis, of any length but 0.
    pub axis: Vec3,
    /// In degrees.
    pub angle: f64,
}

/// A rigid body of boundary particles. The fluid acts on it, and it on the fluid, with the same
/// forces (Akinci 2012); it collides with other bodies and with walls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Its name in files of bodies; `body_1`, `body_2`, … where absent.
    #[serde(default)]
    pub name: Option<String>,
    /// Its shape, where it is at the start but for `rotation`; a mesh must be closed.
    pub shape: Shape,
    /// How it is turned at the start, about its middle (a mesh's is its centre of mass).
    #[serde(default)]
    pub rotation: Option<Turn>,
    /// Density in kg/m³ (kg/m² in 2-D). This, or its mass, for a body that moves freely.
    #[serde(default)]
    pub density: Option<f64>,
    /// Mass in kg (kg/m in 2-D).
    #[serde(default)]
    pub mass: Option<f64>,
    /// Velocity at the start in m/s.
    #[serde(default)]
    pub velocity: Vec3,
    /// Angular velocity at the start in rad/s.
    #[serde(default)]
    pub angular_velocity: Vec3,
    /// Share of the normal speed that comes back from contacts, 0 to 1; of two bodies the larger
    /// counts.
    #[serde(default)]
    pub restitution: f64,
    /// Coulomb's friction coefficient of contacts; of two bodies the larger counts.
    #[serde(default = "wooden")]
    pub friction: f64,
    /// Its viscosity in parts of the fluid's: 0 lets the fluid slip along it, 1 holds it like more
    /// fluid that moves with the body.
    #[serde(default)]
    pub drag: f64,
    /// It stays where it is, and the forces on it are only measured.
    #[serde(default)]
    pub fixed: bool,
    /// It moves like this, whatever the forces, which are only measured.
    #[serde(default)]
    pub motion: Vec<Motion>,
}

impl Body {
    /// A body at rest that slips, of wood's friction, and without a mass yet.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            name: None,
            shape,
            rotation: None,
            density: None,
            mass: None,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            restitution: 0.0,
            friction: wooden(),
            drag: 0.0,
            fixed: false,
            motion: Vec::new(),
        }
    }

    /// Whether forces move it.
    #[must_use]
    pub fn is_free(&self) -> bool {
        !self.fixed && self.motion.is_empty()
    }
}

fn wooden() -> f64 {
    0.4
}
