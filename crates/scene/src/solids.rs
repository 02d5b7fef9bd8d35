//! Boundaries, rigid bodies, and their motions.

use std::sync::Arc;

use meniscus_geometry::bounds::{axis, planar, positive, spin};
use meniscus_geometry::{Content, Shape, Side, Vec3, mesh::Frames};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Response of a boundary to particles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Response {
    /// Push out and reflect (M §3.4).
    Reflect {
        /// Coefficient of restitution, 0 to 1.
        #[serde(default)]
        #[schemars(range(min = 0.0, max = 1.0))]
        restitution: f64,
        /// Friction coefficient, at least 0.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        friction: f64,
    },
    /// Spring and damper: `a = (k_s d − k_d v·n) n` (T 4). If the spring is too soft, the surface
    /// itself stops the centres of particles.
    Spring {
        /// `k_s` in s⁻².
        #[schemars(range(min = 0.0))]
        stiffness: f64,
        /// `k_d` in s⁻¹.
        #[schemars(range(min = 0.0))]
        damping: f64,
    },
    /// A layer of boundary particles, which contributes to density and pressure (Akinci 2012).
    Particles {
        /// Viscosity of the wall relative to the fluid's: 0 is free slip, 1 acts like more fluid
        /// that moves with the wall.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        friction: f64,
        /// No slip: the fluid at the wall moves with it. The friction is set so that the layer
        /// stands for all of the fluid's mirror image (Morris et al. 1997).
        #[serde(default)]
        no_slip: bool,
    },
    /// No particles: the wall's share of each particle's density, by its distance from the wall, so that fluid at rest stays at
    /// rest. Curvature is neglected, and of a mesh the nearest face counts.
    Volume {
        /// Viscosity of the wall relative to the fluid's, as of boundary particles.
        #[serde(default)]
        #[schemars(range(min = 0.0))]
        friction: f64,
        /// No slip: the fluid at the wall moves with it.
        #[serde(default)]
        no_slip: bool,
    },
}

/// A solid that particles collide with. Particle centres stay a particle radius away, or a quarter
/// of it from walls that act by particles or volume with incompressible solvers, unless bodies move freely;
/// springs give way, up to the surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Boundary {
    /// Name in tables of forces (`run --forces`), which with SPH have boundaries of `response.particles`.
    #[serde(default)]
    pub name: Option<String>,
    /// Shape. An open mesh is a sheet one particle spacing thick, with fluid on both sides.
    pub shape: Shape,
    /// Side of the fluid: inside of a container, outside of an obstacle; a plane has its normal instead.
    #[serde(default = "inside")]
    pub side: Side,
    /// Velocity of the wall in m/s.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub velocity: Vec3,
    /// Additional motions, applied in order: several sways make irregular waves.
    #[serde(default)]
    pub motion: Vec<Motion>,
    /// Response to particles. Absent: by volume with friction 0; by particles of sheets, and with the solvers `muller` and
    /// `wcsph`, the viscosity `implicit` and the tension `near_surface`.
    #[serde(default)]
    pub response: Option<Response>,
    /// Contact with the nodes of a grid method: `separate` if absent, with the friction of `response.reflect`. Without that either,
    /// the friction is 0, or the tangent of the friction angle in a scene of sand alone.
    #[serde(default)]
    pub contact: Option<Contact>,
    /// Contact angle in degrees of a liquid with surface tension, at a wall of particles or on a grid: below 90 it wets the wall. Absent: 90.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 180.0))]
    pub contact_angle: Option<f64>,
    /// Largest suction in Pa by which the wall holds fluid that would come off it, with the solvers of SPH: no air comes between a
    /// film and a wall, so water that runs over a statue follows it. It acts on fluid within two spacings dx, by at most
    /// suction / (2 ρ dx): 1000 is enough for 2 m/s round a radius of 7 cm with dx = 8 mm. Absent: 0, pressures only push.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e6))]
    pub suction: Option<f64>,
    /// Temperature in K above the ambient's at which it keeps the air beside it, with `smoke.thermal_diffusivity`. Absent: no
    /// heat flows through it.
    #[serde(default)]
    #[schemars(range(min = -293.0, max = 1e4))]
    pub temperature: Option<f64>,
    /// Flux of heat in W/m² into the air beside it, instead of a temperature; below 0 it cools.
    #[serde(default)]
    #[schemars(range(min = -1e6, max = 1e6))]
    pub heat_flux: Option<f64>,
}

impl Boundary {
    /// Fixed container.
    #[must_use]
    pub fn container(shape: Shape) -> Self {
        Self {
            name: None,
            shape,
            side: Side::Inside,
            velocity: [0.0; 3],
            motion: Vec::new(),
            response: None,
            contact: None,
            contact_angle: None,
            suction: None,
            temperature: None,
            heat_flux: None,
        }
    }

    /// Frames of a boundary that changes its shape.
    #[must_use]
    pub fn frames(&self) -> Option<Deformation<'_>> {
        self.motion.iter().find_map(|motion| match motion {
            Motion::Frames { fps, repeats, poses, .. } => {
                Some(Deformation { frames: poses.get()?, fps: *fps, repeats: *repeats })
            }
            _ => None,
        })
    }
}

/// Change of a boundary's shape.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "it has no other parts")]
pub struct Deformation<'a> {
    /// Frames, placed in the scene.
    pub frames: &'a Arc<Frames>,
    /// Frames per second.
    pub fps: f64,
    /// Whether the first frame comes after the last one again.
    pub repeats: bool,
}

impl Deformation<'_> {
    /// Vertices in m at a time in s.
    #[must_use]
    pub fn at(&self, time: f64) -> Vec<glam::DVec3> {
        self.frames.at(time * self.fps, self.repeats)
    }

    /// Largest speed in m/s of a vertex from one frame to the next.
    #[must_use]
    pub fn fastest(&self) -> f64 {
        self.frames.longest_way(self.repeats) * self.fps
    }
}

/// Contact of a boundary with the nodes of a grid method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Contact {
    /// What touches it moves with it.
    Sticky,
    /// What touches it glides along it, and does not come off.
    Slip,
    /// What touches it glides along it with friction, and may come off.
    Separate,
}

fn inside() -> Side {
    Side::Inside
}

/// Motion of a solid. Exactly one kind is given: `motion = [{ sway = { … } }]`. Rotations are about
/// the solid's centre if no centre is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Motion {
    /// Constant velocity.
    Translate {
        /// Velocity in m/s.
        #[schemars(transform = planar)]
        velocity: Vec3,
    },
    /// Oscillation: a (sin(2πt/T + φ) − sin φ).
    Sway {
        /// a in m.
        #[schemars(transform = planar)]
        amplitude: Vec3,
        /// T in s.
        #[schemars(transform = positive)]
        period: f64,
        /// φ in degrees.
        #[serde(default)]
        phase: f64,
    },
    /// Rotation at a constant speed.
    Rotate {
        /// A point on the axis, in m.
        #[serde(default)]
        #[schemars(transform = planar)]
        center: Option<Vec3>,
        /// Direction of the axis, of any length but 0.
        #[schemars(transform = axis)]
        axis: Vec3,
        /// Angular speed in rad/s.
        speed: f64,
    },
    /// Rotational oscillation by α (sin(2πt/T + φ) − sin φ).
    Rock {
        /// A point on the axis, in m.
        #[serde(default)]
        #[schemars(transform = planar)]
        center: Option<Vec3>,
        /// Direction of the axis, of any length but 0.
        #[schemars(transform = axis)]
        axis: Vec3,
        /// α in degrees.
        angle: f64,
        /// T in s.
        #[schemars(transform = positive)]
        period: f64,
        /// φ in degrees: at −90 it starts at rest, as a flap that makes waves should.
        #[serde(default)]
        #[schemars(range(min = -360.0, max = 360.0))]
        phase: f64,
    },
    /// Keyframes: motion through positions and rotations at given times; at rest before the first and after the last.
    Keyframes {
        /// Motion between keyframes.
        #[serde(default = "monotone")]
        interpolation: Interpolation,
        /// A point on the axis of rotation, in m.
        #[serde(default)]
        #[schemars(transform = planar)]
        center: Option<Vec3>,
        /// Direction of the axis of rotation.
        #[serde(default = "upward")]
        axis: Vec3,
        /// Keyframes in the order of time.
        frames: Vec<Keyframe>,
    },
    /// Measured motion: a curve through the rows of a CSV file, time in s, displacements x, y, z in m and perhaps an
    /// angle in degrees; where its ends are before the first row and after the last.
    Table {
        /// Motion between rows.
        #[serde(default = "smooth")]
        interpolation: Interpolation,
        /// Path of the file, relative to the scene's.
        file: String,
        /// A point on the axis of rotation, in m.
        #[serde(default)]
        #[schemars(transform = planar)]
        center: Option<Vec3>,
        /// Direction of the axis of rotation.
        #[serde(default = "upward")]
        axis: Vec3,
        /// Rows of the file, once it was read.
        #[serde(skip)]
        #[schemars(skip)]
        rows: Content<Vec<Keyframe>>,
    },
    /// Change of the shape of a boundary that is a mesh: one file for each frame, with the same vertices and triangles, or one
    /// file of glTF with its animation, each placed as the mesh is. Vertices move on curves through the frames; other motions
    /// move the whole.
    Frames {
        /// Files by a pattern with one `*`, as in "walk/*.obj", in the order of the numbers or names in its place; or one
        /// animated file, as "walk.glb"; relative to the scene's.
        files: String,
        /// Name of the animation of a file of glTF; its first one if absent.
        #[serde(default)]
        animation: Option<String>,
        /// Frames per second, also those at which an animation is read.
        #[serde(default = "film_rate")]
        #[schemars(transform = positive)]
        fps: f64,
        /// Whether the first frame comes after the last one again; else it rests there.
        #[serde(default, rename = "loop")]
        repeats: bool,
        /// Frames of the files, placed in the scene, once they were read.
        #[serde(skip)]
        #[schemars(skip)]
        poses: Content<Frames>,
    },
}

impl Motion {
    /// Rocking about an axis through `center`, or the solid's own: by an angle in degrees, with a period in s.
    #[must_use]
    pub fn rock(center: Option<Vec3>, axis: Vec3, angle: f64, period: f64) -> Self {
        Self::Rock { center, axis, angle, period, phase: 0.0 }
    }

    /// Motion through the rows of a table, in the order of time, about an axis through the centre or `center`.
    #[must_use]
    pub fn table(rows: Vec<Keyframe>, center: Option<Vec3>, axis: Vec3) -> Self {
        let interpolation = Interpolation::Smooth;
        Self::Table { interpolation, file: String::new(), center, axis, rows: Content::of(rows) }
    }
}

/// Motion between keyframes: cubic Hermite curves, which differ in their slopes at the keyframes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Interpolation {
    /// Every coordinate and the angle stay between the two keyframes around: no overshoot, and rest between equal ones
    /// (Fritsch, Carlson 1980).
    Monotone,
    /// The slopes are those of the chords of the neighbours (Catmull, Rom 1974): the curve passes its turning points
    /// between the keyframes, as a measured motion does.
    Smooth,
}

fn monotone() -> Interpolation {
    Interpolation::Monotone
}

fn smooth() -> Interpolation {
    Interpolation::Smooth
}

fn film_rate() -> f64 {
    24.0
}

fn upward() -> Vec3 {
    [0.0, 1.0, 0.0]
}

/// Position and rotation at a time, relative to the solid's place in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Keyframe {
    /// Time in s.
    pub time: f64,
    /// Displacement from the place in the scene, in m.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub position: Vec3,
    /// Rotation in degrees; full turns count.
    #[serde(default)]
    pub angle: f64,
}

/// Rotation about an axis.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Turn {
    /// Direction of the axis, of any length but 0.
    #[schemars(transform = axis)]
    pub axis: Vec3,
    /// Angle in degrees.
    pub angle: f64,
}

/// A rigid body sampled with boundary particles. The fluid and the body act on each other with
/// equal and opposite forces (Akinci 2012); it collides with other bodies and with walls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name in files of bodies; `body_1`, `body_2`, … if absent.
    #[serde(default)]
    pub name: Option<String>,
    /// Shape at its initial place, before `rotation`; a mesh must be closed.
    pub shape: Shape,
    /// Initial rotation about the centre (the centre of mass of a mesh).
    #[serde(default)]
    pub rotation: Option<Turn>,
    /// Density in kg/m³ (kg/m² in 2-D), at least 1 % of the lightest fluid's. A freely moving body needs this or a mass.
    #[serde(default)]
    #[schemars(transform = positive)]
    pub density: Option<f64>,
    /// Mass in kg (kg/m in 2-D).
    #[serde(default)]
    #[schemars(transform = positive)]
    pub mass: Option<f64>,
    /// Initial velocity in m/s.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub velocity: Vec3,
    /// Initial angular velocity in rad/s.
    #[serde(default)]
    #[schemars(transform = spin)]
    pub angular_velocity: Vec3,
    /// Coefficient of restitution of contacts, 0 to 1; of two bodies the larger counts.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: f64,
    /// Coulomb friction coefficient of contacts; of two bodies the larger counts.
    #[serde(default = "wooden")]
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Viscosity of the surface relative to the fluid's: 0 is free slip, 1 acts like more fluid
    /// that moves with the body. With material points, the surface's friction coefficient.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub drag: f64,
    /// Contact angle in degrees of a liquid with surface tension near the surface; 90 if absent.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 180.0))]
    pub contact_angle: Option<f64>,
    /// Contact with the nodes of material points: `separate` if absent, with `drag` as friction coefficient.
    #[serde(default)]
    pub contact: Option<Contact>,
    /// Direction of a hinge through the centre of mass, about which alone it turns: a principal axis of its inertia, as along an
    /// edge of a box or the axis of a wheel. Absent: it moves freely.
    #[serde(default)]
    #[schemars(transform = axis)]
    pub hinge: Option<Vec3>,
    /// Fixed body: forces on it are only measured.
    #[serde(default)]
    pub fixed: bool,
    /// Prescribed motion, the sum of what is listed; forces are only measured.
    #[serde(default)]
    pub motion: Vec<Motion>,
}

impl Body {
    /// A body at rest without drag, with the friction of wood, and without a mass yet.
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
            contact_angle: None,
            contact: None,
            hinge: None,
            fixed: false,
            motion: Vec::new(),
        }
    }

    /// Name of the body, or `body_1`, `body_2`, … by its index in the scene.
    #[must_use]
    pub fn name_or_number(&self, index: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("body_{}", index + 1))
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
