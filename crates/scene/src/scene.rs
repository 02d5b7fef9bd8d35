//! The description of a simulation as people write it: SI units, the field's names.
//!
//! Serde reads and writes it, schemars makes its JSON Schema; every unknown key is refused.

use meniscus_geometry::{Mouth, Packing, Shape, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::Kernel;
use crate::settings::Settings;
use crate::solids::{Body, Boundary};

/// Most materials a scene can have.
pub const MAX_MATERIALS: usize = 16;
/// Most force fields a scene can have besides gravity.
pub const MAX_FORCE_FIELDS: usize = 8;

/// A whole simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Scene {
    /// One line that says what is to be seen.
    pub title: String,
    /// 3, or 2: then z is 0 everywhere.
    pub dimensions: u32,
    /// Name of the pressure solver.
    pub solver: String,
    /// Half the particle spacing, in m.
    pub particle_radius: f64,
    /// Kernel support radius h in m; 4 · `particle_radius` where absent.
    pub support_radius: Option<f64>,
    /// The smoothing kernel; the solver's own where absent.
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
    /// Values of the methods' keys, in tables of their own: `[wcsph]`, `[viscosity]`, … Readers of files fill them
    /// in, since only methods know their keys.
    #[serde(skip)]
    #[schemars(skip)]
    pub settings: Settings,
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
            solver: "muller".to_owned(),
            particle_radius: 0.0125,
            support_radius: None,
            kernel: None,
            gravity: [0.0, -9.81, 0.0],
            calibrate_density: true,
            domain: None,
            time: Time::default(),
            settings: Settings::default(),
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

    /// World coordinates in m of its particles, `spacing` m apart; `seed` is its number.
    #[must_use]
    pub fn particles(&self, spacing: f64, dimensions: u32, seed: u32) -> Vec<Vec3> {
        self.shape.particles(self.packing, spacing, dimensions, self.jitter, seed)
    }

    /// At least as many particles as [`particles`](Self::particles) makes, found without making them.
    #[must_use]
    pub fn particle_count(&self, spacing: f64, dimensions: u32) -> f64 {
        let packed = self.shape.count_packed(self.packing, spacing, dimensions);
        packed.unwrap_or_else(|| self.shape.count(spacing, dimensions))
    }
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

impl Scene {
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
}
