//! The description of a simulation as people write it: SI units, the field's names.
//!
//! Serde reads and writes it, schemars makes its JSON Schema; every unknown key is refused.
//! [`Scene::problems`] says what is wrong with one, each with the path of the key at fault, so
//! that a reader of scene files can name the line.

use std::sync::Arc;

use glam::{DQuat, DVec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::mesh::{Solid, TriangleMesh};

pub use crate::scene_check::{MAX_PARTICLES, overlaps};

/// A vector in metres, metres per second, … as the key says.
pub type Vec3 = [f64; 3];

/// A whole simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Scene {
    /// One line that says what is to be seen.
    pub title: String,
    /// 3, or 2: then z is 0 everywhere.
    pub dimensions: u32,
    /// The pressure solver.
    pub solver: Solver,
    /// Half the particle spacing, in m.
    pub particle_radius: f64,
    /// Kernel support radius h in m; 4 · `particle_radius` where absent.
    pub support_radius: Option<f64>,
    /// The smoothing kernel; where absent, Müller's three for his solver, the cubic spline for others.
    pub kernel: Option<Kernel>,
    /// Gravity in m/s².
    pub gravity: Vec3,
    /// Divide summed densities, pressure gradients and viscous forces by what the rest lattice gives
    /// in place of 1, so that fluid at rest has rest density, a column of it hydrostatic pressure,
    /// and a shear flow its viscosity.
    pub calibrate_density: bool,
    /// Where the fluid is expected; the grid is sized by it, but nothing stops at it.
    pub domain: Option<Domain>,
    /// Frames and time steps.
    pub time: Time,
    /// Müller's equation of state and surface.
    pub muller: Muller,
    /// The Tait equation of the solver "wcsph".
    pub wcsph: Wcsph,
    /// How well the solver "pcisph" solves.
    pub pcisph: Iterations,
    /// How well the solver "iisph" solves.
    pub iisph: Iterations,
    /// How well the solver "dfsph" solves.
    pub dfsph: Dfsph,
    /// From where pictures are taken; from where all is seen where absent.
    pub camera: Option<Camera>,
    /// Fluids, by name.
    #[serde(rename = "material")]
    pub materials: Vec<Material>,
    /// What is filled with fluid at the start.
    #[serde(rename = "fluid")]
    pub fluids: Vec<Fluid>,
    /// Solids that particles collide with.
    #[serde(rename = "boundary")]
    pub boundaries: Vec<Boundary>,
    /// Rigid bodies, which the fluid moves and which move it.
    #[serde(rename = "body")]
    pub bodies: Vec<Body>,
    /// External accelerations besides gravity.
    #[serde(rename = "force")]
    pub forces: Vec<Force>,
    /// Sources of fluid.
    #[serde(rename = "emitter")]
    pub emitters: Vec<Emitter>,
    /// Regions that remove fluid.
    #[serde(rename = "drain")]
    pub drains: Vec<Drain>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: String::new(),
            dimensions: 3,
            solver: Solver::Muller,
            particle_radius: 0.0125,
            support_radius: None,
            kernel: None,
            gravity: [0.0, -9.81, 0.0],
            calibrate_density: true,
            domain: None,
            time: Time::default(),
            muller: Muller::default(),
            wcsph: Wcsph::default(),
            pcisph: Iterations::default(),
            iisph: Iterations::default(),
            dfsph: Dfsph::default(),
            camera: None,
            materials: Vec::new(),
            fluids: Vec::new(),
            boundaries: Vec::new(),
            bodies: Vec::new(),
            forces: Vec::new(),
            emitters: Vec::new(),
            drains: Vec::new(),
        }
    }
}

/// The pressure solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Solver {
    /// Müller, Charypar, Gross 2003: equation of state p = k(ρ − ρ0), leap-frog.
    Muller,
    /// Becker, Teschner 2007: the Tait equation p = B((ρ/ρ0)^γ − 1), leap-frog.
    Wcsph,
    /// Solenthaler, Pajarola 2009: pressures from predicted densities, semi-implicit Euler.
    Pcisph,
    /// Ihmsen et al. 2014: pressures from a linear system, semi-implicit Euler.
    Iisph,
    /// Bender, Koschier 2015: divergence-free and constant-density solvers, semi-implicit Euler.
    Dfsph,
}

/// The smoothing kernel; its support radius is h.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Kernel {
    /// Müller's three: poly6 for density, spiky for pressure, the viscosity kernel (M 20–22).
    Muller,
    /// The cubic spline (Monaghan 1992).
    CubicSpline,
    /// Wendland's C2 (1995).
    WendlandC2,
}

impl Kernel {
    /// Every kernel by its name in scene files.
    pub const ALL: &[(&str, Kernel)] = &[
        ("muller", Kernel::Muller),
        ("cubic_spline", Kernel::CubicSpline),
        ("wendland_c2", Kernel::WendlandC2),
    ];

    /// The name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kernel)| *kernel == self).map_or("?", |(name, _)| name)
    }
}

impl Solver {
    /// Every solver by its name in scene files.
    pub const ALL: &[(&str, Solver)] = &[
        ("muller", Solver::Muller),
        ("wcsph", Solver::Wcsph),
        ("pcisph", Solver::Pcisph),
        ("iisph", Solver::Iisph),
        ("dfsph", Solver::Dfsph),
    ];

    /// Whether it finds pressures by iteration, so that there is no sound.
    #[must_use]
    pub fn is_incompressible(self) -> bool {
        matches!(self, Self::Pcisph | Self::Iisph | Self::Dfsph)
    }

    /// What its loops solve for, in the order of `params.loops`.
    #[must_use]
    pub fn loops(self) -> &'static [&'static str] {
        match self {
            Self::Muller | Self::Wcsph => &[],
            Self::Pcisph | Self::Iisph => &["pressure"],
            Self::Dfsph => &["divergence", "density"],
        }
    }

    /// The name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, solver)| *solver == self).map_or("?", |(name, _)| name)
    }
}

/// The region where fluid is expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// Lower corner in m.
    pub min: Vec3,
    /// Upper corner in m.
    pub max: Vec3,
    /// Axes on which what leaves at one end comes back at the other.
    #[serde(default)]
    pub periodic: [bool; 3],
}

/// Frames and time steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Time {
    /// Frames (log lines, particle files) per simulated second.
    pub fps: f64,
    /// Simulated time at which a run ends, in s.
    pub until: f64,
    /// Fixed time step in s; adaptive where absent.
    pub step: Option<f64>,
    /// Largest adaptive step in s. Steps become shorter, to an eighth, while a pressure solver does not
    /// converge.
    pub max_step: f64,
    /// A smaller step than this, in s, is a failure.
    pub min_step: f64,
    /// Factor on every limit of the adaptive step (sound, speed, acceleration, viscosity, tension).
    pub cfl: f64,
}

impl Default for Time {
    fn default() -> Self {
        Self { fps: 60.0, until: 2.0, step: None, max_step: 0.005, min_step: 1e-8, cfl: 1.0 }
    }
}

/// Müller's equation of state and surface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Muller {
    /// Stiffness k of p = k(ρ − ρ0) in m²/s²; the square of the speed of sound where absent.
    pub stiffness: Option<f64>,
    /// Speed of sound c in m/s; 10 · max(√(2 g H), v0) where absent, H the fluid's height.
    pub sound_speed: Option<f64>,
    /// Keep negative pressures (fluid under tension pulls); they are set to 0 by default.
    pub negative_pressure: bool,
    /// Surface tension acts where the colour field's gradient exceeds this, in m⁻¹; 0.5 / h where
    /// absent.
    pub surface_threshold: Option<f64>,
}

/// The Tait equation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Wcsph {
    /// γ in p = B((ρ/ρ0)^γ − 1), B = ρ0 c²/γ.
    pub gamma: f64,
    /// Speed of sound c in m/s; 10 · max(√(2 g H), v0) where absent, H the fluid's height.
    pub sound_speed: Option<f64>,
    /// Keep negative pressures; they are set to 0 by default.
    pub negative_pressure: bool,
    /// How densities are found.
    pub density: Density,
    /// α of artificial viscosity, which slows particles that approach each other (ST 5, 6; 0.08 to
    /// 0.5 in Becker and Teschner's paper). It comes on top of the materials' viscosity.
    pub alpha: f64,
    /// ε of the velocity filter XSPH, 0.01 to 0.1 where it is used.
    pub xsph: f64,
}

/// How densities are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Density {
    /// By summation over neighbours, anew in each step (ST 7).
    #[default]
    Summation,
    /// From rest density on, by the continuity equation (ST 2). Surfaces have rest density too, but
    /// errors add up over time.
    Continuity,
}

impl Default for Wcsph {
    fn default() -> Self {
        Self {
            gamma: 7.0,
            sound_speed: None,
            negative_pressure: false,
            density: Density::Summation,
            alpha: 0.0,
            xsph: 0.0,
        }
    }
}

/// How well a solver with one loop solves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Iterations {
    /// Mean compression at the end of a step, in percent, at which iterations stop.
    pub max_error: f64,
    /// Iterations that are made at least.
    pub min_iterations: u32,
    /// Iterations that are made at most.
    pub max_iterations: u32,
}

impl Default for Iterations {
    fn default() -> Self {
        Self { max_error: 0.01, min_iterations: 2, max_iterations: 100 }
    }
}

/// How well DFSPH solves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Dfsph {
    /// Mean compression at the end of a step, in percent, at which the density solver stops.
    pub max_error: f64,
    /// Mean change of compression in a step, in percent, at which the divergence solver stops.
    pub max_divergence_error: f64,
    /// Iterations that each solver makes at least.
    pub min_iterations: u32,
    /// Iterations that each solver makes at most.
    pub max_iterations: u32,
}

impl Default for Dfsph {
    fn default() -> Self {
        Self { max_error: 0.01, max_divergence_error: 0.1, min_iterations: 2, max_iterations: 100 }
    }
}

/// From where pictures are taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    /// Where it is, in m.
    pub eye: Vec3,
    /// What it looks at, in m.
    pub target: Vec3,
    /// Vertical angle of view in degrees.
    #[serde(default = "normal_view")]
    pub fov: f64,
}

fn normal_view() -> f64 {
    35.0
}

/// A fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// The name that fluids and emitters refer to.
    pub name: String,
    /// Density at rest in kg/m³ (kg/m² in 2-D).
    #[serde(default = "water_density")]
    pub rest_density: f64,
    /// Dynamic viscosity μ in Pa·s. Where absent, the artificial one that keeps this resolution
    /// smooth: ρ0 α h c / (2(d + 2)) with α = 0.1 (Monaghan 2005), or ρ0 h v / 200 of the
    /// incompressible solvers, v the largest speed to expect.
    #[serde(default)]
    pub viscosity: Option<f64>,
    /// Surface tension σ in N/m.
    #[serde(default)]
    pub surface_tension: f64,
}

fn water_density() -> f64 {
    1000.0
}

/// A solid or filled shape. Exactly one of them is named: `shape.box = { min = …, max = … }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Shape {
    /// A box between two corners, along the axes.
    Box {
        /// Lower corner in m.
        min: Vec3,
        /// Upper corner in m.
        max: Vec3,
    },
    /// A sphere (a disc in 2-D).
    Sphere {
        /// Centre in m.
        center: Vec3,
        /// Radius in m.
        radius: f64,
    },
    /// A plane; the fluid is on the side that the normal points to.
    Plane {
        /// A point on it, in m.
        point: Vec3,
        /// Normal, of any length but 0.
        normal: Vec3,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// Centre of one end in m.
        start: Vec3,
        /// Centre of the other end in m.
        end: Vec3,
        /// Radius in m.
        radius: f64,
    },
    /// A triangle mesh.
    Mesh(MeshShape),
    /// The very particles of a file; for fluids.
    Points(Points),
    /// A cylinder with round ends.
    Capsule {
        /// Centre of one end's hemisphere in m.
        start: Vec3,
        /// Centre of the other end's hemisphere in m.
        end: Vec3,
        /// Radius in m.
        radius: f64,
    },
}

impl Shape {
    /// The solid of a mesh that was read.
    #[must_use]
    pub fn mesh(&self) -> Option<&Arc<Solid>> {
        match self {
            Self::Mesh(mesh) => mesh.content.get(),
            _ => None,
        }
    }
}

/// A turn about an axis through the origin.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rotation {
    /// Direction of the axis, of any length but 0.
    pub axis: Vec3,
    /// Degrees, counter-clockwise as seen from the axis' end.
    pub angle: f64,
}

impl Default for Rotation {
    fn default() -> Self {
        Self { axis: [0.0, 1.0, 0.0], angle: 0.0 }
    }
}

/// What the file that a scene names held when it was read. Scenes that name the same files are
/// equal.
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

    /// The content, once it was read.
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

fn unscaled() -> Vec3 {
    [1.0; 3]
}

/// A triangle mesh, scaled, then turned, then moved. A closed one is a solid; an open one is a sheet
/// one particle spacing thick.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeshShape {
    /// Its file (OBJ, PLY, STL, glTF), in m; the path is relative to the scene's.
    pub file: String,
    /// Factors along the file's axes.
    #[serde(default = "unscaled")]
    pub scale: Vec3,
    /// How it is turned.
    #[serde(default)]
    pub rotation: Rotation,
    /// How far it is moved, in m.
    #[serde(default)]
    pub translation: Vec3,
    /// The file's triangles, placed ([`MeshShape::fill_in`]).
    #[serde(skip)]
    pub content: Content<Solid>,
}

impl MeshShape {
    /// A mesh as its file has it, whose content is still to be read.
    #[must_use]
    pub fn new(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            scale: unscaled(),
            rotation: Rotation::default(),
            translation: [0.0; 3],
            content: Content::default(),
        }
    }

    /// Places the triangles that the file held. Again after any change of the place.
    pub fn fill_in(&mut self, mesh: &TriangleMesh) {
        let Rotation { axis, angle } = self.rotation;
        let placed = mesh.placed(self.scale, axis, angle.to_radians(), self.translation);
        self.content = Content::of(Solid::new(placed));
    }
}

/// Particles of a file, scaled, then turned, then moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// Its file (BGEO, PLY, CSV), in m; the path is relative to the scene's.
    pub file: String,
    /// Factors along the file's axes.
    #[serde(default = "unscaled")]
    pub scale: Vec3,
    /// How they are turned.
    #[serde(default)]
    pub rotation: Rotation,
    /// How far they are moved, in m.
    #[serde(default)]
    pub translation: Vec3,
    /// The file's particles, placed ([`Points::fill_in`]).
    #[serde(skip)]
    pub content: Content<Vec<Vec3>>,
}

impl Points {
    /// Places the points that the file held. Again after any change of the place.
    pub fn fill_in(&mut self, points: &[Vec3]) {
        let axis = DVec3::from(self.rotation.axis).normalize_or(DVec3::Y);
        let turn = DQuat::from_axis_angle(axis, self.rotation.angle.to_radians());
        let (scale, move_by) = (DVec3::from(self.scale), DVec3::from(self.translation));
        let place = |p: &Vec3| (turn * (DVec3::from(*p) * scale) + move_by).to_array();
        self.content = Content::of(points.iter().map(place).collect());
    }
}

/// How the particles of a box of fluid lie at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// A cubic (square) lattice.
    #[default]
    Cubic,
    /// Square layers, each √3/2 spacings above the last and moved by half a spacing in x and z.
    Staggered,
    /// Nearly the densest: layers √3/2 spacings apart, their rows √6/3 spacings apart.
    Hexagonal,
}

/// A body of fluid at the start, filled on a lattice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fluid {
    /// Name of its material; the first one where absent.
    #[serde(default)]
    pub material: Option<String>,
    /// What is filled.
    pub shape: Shape,
    /// How its particles lie, where the shape is a box.
    #[serde(default)]
    pub packing: Packing,
    /// Velocity at the start in m/s.
    #[serde(default)]
    pub velocity: Vec3,
    /// Angular velocity about its centre of mass at the start, in radians per second.
    #[serde(default)]
    pub angular_velocity: Vec3,
    /// Random displacement of each particle, as a fraction of the spacing (0 to 0.5).
    #[serde(default)]
    pub jitter: f64,
}

impl Fluid {
    /// Fluid of the first material, at rest.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            material: None,
            shape,
            packing: Packing::default(),
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            jitter: 0.0,
        }
    }
}

/// On which side of a boundary the fluid is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The shape is a container.
    Inside,
    /// The shape is an obstacle.
    Outside,
}

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

/// An external acceleration besides gravity. Exactly one kind is named:
/// `[[force]]` with `rotation = { … }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Force {
    /// The same everywhere.
    Uniform {
        /// m/s².
        acceleration: Vec3,
    },
    /// Towards a point: s (r0 − r)/|r0 − r| · max(0, 1 − |r0 − r|/R).
    Attract {
        /// r0 in m.
        center: Vec3,
        /// s in m/s²; negative repels.
        strength: f64,
        /// R in m.
        radius: f64,
    },
    /// A swirl about an axis: s (â × (r − r0)), tapering to 0 at the radius.
    Rotation {
        /// A point on the axis, in m.
        center: Vec3,
        /// Direction of the axis, of any length but 0.
        axis: Vec3,
        /// s in s⁻².
        strength: f64,
        /// Distance from the axis in m at which it has tapered to 0.
        radius: f64,
    },
}

/// The mouth of an emitter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Mouth {
    /// A rectangle, in m.
    Rectangle {
        /// Width in m.
        width: f64,
        /// Height in m (ignored in 2-D).
        height: f64,
    },
    /// A circle, in m.
    Circle {
        /// Radius in m.
        radius: f64,
    },
    /// A square lattice of particles, cut to a circle.
    Disc {
        /// Particles across it.
        across: u32,
    },
}

/// A source of fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emitter {
    /// Name of its material; the first one where absent.
    #[serde(default)]
    pub material: Option<String>,
    /// Shape of the mouth.
    pub mouth: Mouth,
    /// Centre of the mouth in m.
    pub center: Vec3,
    /// Velocity in m/s; the mouth is perpendicular to it.
    pub velocity: Vec3,
    /// Time at which it starts, in s.
    #[serde(default)]
    pub start: f64,
    /// Time at which it ends, in s.
    #[serde(default = "infinite")]
    pub end: f64,
    /// Direction of the mouth's height; vertical where absent. If it emits in that direction, the
    /// mouth's width is along x.
    #[serde(default)]
    pub up: Option<Vec3>,
    /// Particles that it may emit altogether; any number where absent.
    #[serde(default)]
    pub max_particles: Option<u32>,
    /// It pauses while there would be more particles than this besides those at the start, until
    /// drains have made room.
    #[serde(default)]
    pub max_live: Option<u32>,
}

fn infinite() -> f64 {
    f64::INFINITY
}

/// A region that removes the fluid that enters it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drain {
    /// The region.
    pub shape: Shape,
    /// Whether what leaves the region is removed, rather than what enters it.
    #[serde(default)]
    pub outside: bool,
}

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Problem {
    /// The key at fault, as in `fluid[0].shape.box.min`.
    pub path: String,
    /// What was found and what is expected, as a sentence without a full stop.
    pub message: String,
}

impl Problem {
    /// A problem of the key at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl Scene {
    /// The smoothing kernel, the solver's own where none is named.
    #[must_use]
    pub fn kernel(&self) -> Kernel {
        self.kernel.unwrap_or(match self.solver {
            Solver::Muller => Kernel::Muller,
            _ => Kernel::CubicSpline,
        })
    }

    /// How a boundary acts on the fluid, in the solver's own way where none is named.
    #[must_use]
    pub fn response(&self, boundary: &Boundary) -> Response {
        boundary.response.clone().unwrap_or(match self.solver {
            Solver::Muller => Response::default(),
            _ => Response::Particles { friction: 0.0, no_slip: false },
        })
    }

    /// Kernel support radius h in m.
    #[must_use]
    pub fn support_radius(&self) -> f64 {
        self.support_radius.unwrap_or(4.0 * self.particle_radius)
    }

    /// Distance of neighbouring particles at rest, in m.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        2.0 * self.particle_radius
    }

    /// Length of a frame in s.
    #[must_use]
    pub fn frame_duration(&self) -> f64 {
        1.0 / self.time.fps
    }

    /// Number of the material that `name` stands for: the first one when absent.
    #[must_use]
    pub fn material_index(&self, name: Option<&str>) -> Option<usize> {
        match name {
            None => (!self.materials.is_empty()).then_some(0),
            Some(name) => self.materials.iter().position(|material| material.name == name),
        }
    }

    /// Every shape, with the path of its key.
    pub fn shapes_mut(&mut self) -> impl Iterator<Item = (String, &mut Shape)> {
        fn named<'a>(
            key: &'static str,
            shapes: impl Iterator<Item = &'a mut Shape>,
        ) -> impl Iterator<Item = (String, &'a mut Shape)> {
            shapes.enumerate().map(move |(i, shape)| (format!("{key}[{i}].shape"), shape))
        }
        named("fluid", self.fluids.iter_mut().map(|fluid| &mut fluid.shape))
            .chain(named("boundary", self.boundaries.iter_mut().map(|wall| &mut wall.shape)))
            .chain(named("body", self.bodies.iter_mut().map(|body| &mut body.shape)))
            .chain(named("drain", self.drains.iter_mut().map(|drain| &mut drain.shape)))
    }

    /// Everything that is wrong with the scene; empty when it can be simulated.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        crate::scene_check::problems(self)
    }
}
