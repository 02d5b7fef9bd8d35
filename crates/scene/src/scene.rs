//! Scenes: the description of a simulation, in SI units and standard terms.
//!
//! Serde reads and writes them, schemars generates their JSON Schema; unknown keys are errors.

use std::collections::BTreeMap;

use glam::DVec3;
use meniscus_geometry::bounds::{direction, endless, heading, planar, positive, spin};
use meniscus_geometry::{Mouth, Packing, Shape, Vec3};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::fields::Initial;
use crate::forces::Force;
use crate::joints::{Joint, Mooring};
use crate::kernel::Kernel;
use crate::openings::{FlowTable, Inlet, Outlet};
use crate::picture::{Camera, Light};
use crate::probes::Probe;
use crate::settings::{Settings, Value};
use crate::solids::{Body, Boundary, Motion};

/// Largest number of materials in a scene.
pub const MAX_MATERIALS: usize = 16;

/// Description of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[non_exhaustive]
pub struct Scene {
    /// One line that describes the scene.
    pub title: String,
    /// Number of dimensions. In 2-D, z is 0 everywhere and may be left out of vectors, densities are in kg/m², and there are no
    /// cylinders.
    #[schemars(extend("enum" = [2, 3]))]
    pub dimensions: u32,
    /// Name of the pressure solver.
    pub solver: String,
    /// Half the particle spacing (the distance of neighbours at rest), in m.
    #[schemars(transform = positive)]
    pub particle_radius: f64,
    /// Support radius h of the kernel in m, more than 2 and at most 8 particle radii. Absent: 5.6 particle radii for the kernel
    /// `wendland_c2`, 4 for the others.
    pub support_radius: Option<f64>,
    /// Smoothing kernel. Absent: `muller` for the solver of that name, `cubic_spline` for the others.
    pub kernel: Option<Kernel>,
    /// Gravity in m/s².
    #[schemars(transform = planar)]
    pub gravity: Vec3,
    /// Normalise summed densities, pressure gradients and viscous forces by their values on the
    /// rest lattice, so that fluid at rest has its rest density, a column hydrostatic pressure, and
    /// a shear flow its viscosity.
    pub calibrate_density: bool,
    /// Fluids may fill places that others fill already, where particles fly apart; else that is an error.
    pub allow_overlap: bool,
    /// Which random displacements fluids with `jitter` have: runs that differ in it alone are samples of one experiment.
    pub seed: u32,
    /// Copies of the scene that run in one step, each in a world of its own.
    #[schemars(range(min = 1, max = 65535))]
    pub worlds: u32,
    /// Region where fluid is expected. It sets the size of the grid but does not confine the fluid. Absent: the bounds of all
    /// fluid, bodies and solids except planes, and of the jets of emitters.
    pub domain: Option<Domain>,
    /// Room for what a program adds while the scene runs.
    pub capacity: Option<Capacity>,
    /// Frames and time steps.
    pub time: Time,
    /// Values of the methods' keys, in their own tables: `[wcsph]`, `[viscosity]`, … Readers of
    /// files fill them in, since only methods know their keys.
    #[serde(skip)]
    #[schemars(skip)]
    pub settings: Settings,
    /// Camera for rendering. Absent: a view of the whole scene.
    pub camera: Option<Camera>,
    /// Light and background of pictures.
    pub light: Option<Light>,
    /// Fluid materials, by name.
    #[serde(rename = "material")]
    pub materials: Vec<Material>,
    /// Regions filled with fluid at the start.
    #[serde(rename = "fluid")]
    pub fluids: Vec<Fluid>,
    /// Solids that particles collide with.
    #[serde(rename = "boundary")]
    pub boundaries: Vec<Boundary>,
    /// Rigid bodies with two-way coupling to the fluid.
    #[serde(rename = "body")]
    pub bodies: Vec<Body>,
    /// What holds rigid bodies together, or to the world.
    #[serde(rename = "joint")]
    pub joints: Vec<Joint>,
    /// Mooring lines of rigid bodies.
    #[serde(rename = "mooring")]
    pub moorings: Vec<Mooring>,
    /// Force fields: accelerations in addition to gravity.
    #[serde(rename = "force")]
    pub forces: Vec<Force>,
    /// Sources of fluid.
    #[serde(rename = "emitter")]
    pub emitters: Vec<Emitter>,
    /// Regions that remove fluid.
    #[serde(rename = "drain")]
    pub drains: Vec<Drain>,
    /// Open boundaries through which fluid comes in.
    #[serde(rename = "inlet")]
    pub inlets: Vec<Inlet>,
    /// Open boundaries through which fluid leaves.
    #[serde(rename = "outlet")]
    pub outlets: Vec<Outlet>,
    /// Sources of smoke.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    /// Vortices of the air at the start, with smoke.
    #[serde(rename = "vortex")]
    pub vortices: Vec<Vortex>,
    /// Fields of the air at the start, with smoke.
    pub initial: Option<Initial>,
    /// What a run measures beside its log.
    #[serde(rename = "probe")]
    pub probes: Vec<Probe>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            title: String::new(),
            dimensions: 3,
            solver: "dfsph".to_owned(),
            particle_radius: 0.0125,
            support_radius: None,
            kernel: None,
            gravity: [0.0, -9.81, 0.0],
            calibrate_density: true,
            allow_overlap: false,
            seed: 0,
            worlds: 1,
            domain: None,
            capacity: None,
            time: Time::default(),
            settings: Settings::default(),
            camera: None,
            light: None,
            materials: Vec::new(),
            fluids: Vec::new(),
            boundaries: Vec::new(),
            bodies: Vec::new(),
            joints: Vec::new(),
            moorings: Vec::new(),
            forces: Vec::new(),
            emitters: Vec::new(),
            drains: Vec::new(),
            inlets: Vec::new(),
            outlets: Vec::new(),
            sources: Vec::new(),
            vortices: Vec::new(),
            initial: None,
            probes: Vec::new(),
        }
    }
}

/// Region where fluid is expected.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Domain {
    /// Lower corner in m.
    pub min: Vec3,
    /// Upper corner in m.
    pub max: Vec3,
    /// Periodic axes: fluid that leaves at one end re-enters at the other, 3 h away or more.
    #[serde(default)]
    pub periodic: [bool; 3],
}

/// Room for what a program adds while the scene runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    /// Most particles of fluid at once, for which there is memory from the start.
    #[schemars(range(min = 1))]
    pub particles: u32,
}

/// Frames and time steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Time {
    /// Frames (log lines, particle files) per simulated second.
    #[schemars(transform = positive, range(max = 1e5))]
    pub fps: f64,
    /// End time of a run in s.
    #[schemars(range(min = 0.0))]
    pub until: f64,
    /// Fixed time step in s; adaptive if absent.
    #[schemars(transform = positive)]
    pub step: Option<f64>,
    /// Largest adaptive step in s. Steps become shorter, down to an eighth, while a pressure solver
    /// does not converge.
    #[schemars(transform = positive)]
    pub max_step: f64,
    /// Smallest step in s; a smaller one is a failure.
    #[schemars(transform = positive)]
    pub min_step: f64,
    /// Factor on every limit of the adaptive step (sound, speed, pressure, acceleration, viscosity, tension), at most 2; of
    /// liquids on a grid the cells that particles move in a step, at most 4.
    #[schemars(transform = positive)]
    pub cfl: f64,
    /// Time in s from the start on in which the fluid settles: its velocities die out, and rigid bodies are held. Without it the
    /// lattice in which fluid starts sways for seconds.
    #[schemars(range(min = 0.0))]
    pub settle: f64,
}

impl Default for Time {
    fn default() -> Self {
        Self {
            fps: 60.0,
            until: 2.0,
            step: None,
            max_step: 0.005,
            min_step: 1e-8,
            cfl: 1.0,
            settle: 0.0,
        }
    }
}

/// Material of a fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Material {
    /// Name that fluids and emitters refer to.
    pub name: String,
    /// Rest density in kg/m³ (kg/m² in 2-D). Readers of files set that of the model (snow 400, sand 1600).
    #[serde(default = "water_density")]
    #[schemars(transform = positive)]
    pub rest_density: f64,
    /// Dynamic viscosity μ in Pa·s. If absent, the artificial viscosity that keeps the flow smooth
    /// at this resolution: ρ0 α h c / (2(d + 2)) with α = 0.1 (Monaghan 2005), or ρ0 h v / 200 with
    /// the incompressible solvers, where v is the expected speed.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub viscosity: Option<f64>,
    /// Surface tension σ in N/m; 0.0728 of water in air.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub surface_tension: f64,
    /// Colour of the liquid and its particles, as "#rrggbb" or as sRGB from 0 to 1. Absent: that of water, or of the model, and
    /// particles by speed.
    #[serde(default, deserialize_with = "color")]
    #[schemars(with = "Option<Color>")]
    pub color: Option<[f64; 3]>,
    /// Absorption and scattering of light in a liquid with a colour, relative to those of a clear one: 30 of chocolate.
    /// Absent: 1.
    #[serde(default)]
    #[schemars(range(min = 0.01, max = 1000.0))]
    pub opacity: Option<f64>,
    /// Index of refraction of a liquid in pictures and files: 1.36 of alcohol, 1.47 of oil. Absent: that of water, 1.333.
    #[serde(default)]
    #[schemars(range(min = 1.0, max = 3.0))]
    pub refractive_index: Option<f64>,
    /// Model of the material point method; water if absent.
    #[serde(default)]
    pub model: Option<String>,
    /// Values of the keys of its model, by their names.
    #[serde(skip)]
    #[schemars(skip)]
    pub keys: BTreeMap<String, Value>,
}

fn water_density() -> f64 {
    1000.0
}

impl Material {
    /// Material with this name, the density of water, and the viscosity that keeps the flow smooth
    /// at the scene's resolution.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            rest_density: water_density(),
            viscosity: None,
            surface_tension: 0.0,
            color: None,
            opacity: None,
            refractive_index: None,
            model: None,
            keys: BTreeMap::new(),
        }
    }

    /// Keys of the material point method that it names.
    pub fn point_keys(&self) -> impl Iterator<Item = &str> {
        let model = self.model.as_ref().map(|_| "model");
        model.into_iter().chain(self.keys.keys().map(String::as_str))
    }
}

/// Linear value of an sRGB component, both from 0 to 1 (IEC 61966-2-1).
#[must_use]
pub fn to_linear(x: f64) -> f64 {
    if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// A body of fluid at the start, filled on a lattice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fluid {
    /// Name of the material; the first one if absent.
    #[serde(default)]
    pub material: Option<String>,
    /// Shape to fill.
    pub shape: Shape,
    /// Shapes in it that stay empty, such as bubbles.
    #[serde(default)]
    pub holes: Vec<Shape>,
    /// Packing of the particles, for a box.
    #[serde(default)]
    pub packing: Packing,
    /// Initial velocity in m/s.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub velocity: Vec3,
    /// Initial angular velocity about the centre of mass, in rad/s.
    #[serde(default)]
    #[schemars(transform = spin)]
    pub angular_velocity: Vec3,
    /// Random displacement of each particle, in particle spacings (0 to 0.5).
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 0.5))]
    pub jitter: f64,
}

impl Fluid {
    /// Fluid of the first material, at rest.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            material: None,
            shape,
            holes: Vec::new(),
            packing: Packing::default(),
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            jitter: 0.0,
        }
    }

    /// World coordinates in m of the particles, `spacing` m apart; `seed` chooses their displacements by `jitter`.
    #[must_use]
    pub fn particles(&self, spacing: f64, dimensions: u32, seed: u32) -> Vec<Vec3> {
        let mut all = self.shape.particles(self.packing, spacing, dimensions, self.jitter, seed);
        let is_in = |hole: &Shape, x: &Vec3| hole.depth((*x).into(), dimensions) > 0.0;
        all.retain(|x| !self.holes.iter().any(|hole| is_in(hole, x)));
        all
    }

    /// Upper bound on the number of particles that [`particles`](Self::particles) makes, without
    /// making them.
    #[must_use]
    pub fn particle_count(&self, spacing: f64, dimensions: u32) -> f64 {
        let packed = self.shape.count_packed(self.packing, spacing, dimensions);
        packed.unwrap_or_else(|| self.shape.count(spacing, dimensions))
    }
}

/// A colour as scene files give it: sRGB from 0 to 1, or as in "#f0a32a".
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a colour, as in \"#f0a32a\" or [0.94, 0.64, 0.16]")]
pub(crate) enum Color {
    Parts(#[schemars(inner(range(min = 0.0, max = 1.0)))] [f64; 3]),
    Code(String),
}

/// Reads a colour.
pub(crate) fn color<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<[f64; 3]>, D::Error> {
    let code = match Color::deserialize(deserializer)? {
        Color::Parts(parts) => return Ok(Some(parts)),
        Color::Code(code) => code,
    };
    let digits = code.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let Some(number) = number else {
        return Err(serde::de::Error::custom(format!(
            "{code:?} is no colour: six hexadecimal digits after #, as in \"#f0a32a\""
        )));
    };
    Ok(Some([16, 8, 0].map(|shift| f64::from(number >> shift & 0xff) / 255.0)))
}

/// A source of fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emitter {
    /// Name of the material; the first one if absent.
    #[serde(default)]
    pub material: Option<String>,
    /// Shape of the mouth. The width is horizontal; in 2-D there is no height.
    pub mouth: Mouth,
    /// Centre of the mouth in m.
    #[schemars(transform = planar)]
    pub center: Vec3,
    /// Velocity in m/s; the mouth is perpendicular to it.
    #[schemars(transform = heading)]
    pub velocity: Vec3,
    /// Volume per time in L/s (in 2-D, per metre of depth). If given, the velocity has the size that delivers it, and
    /// `velocity` only gives the direction.
    #[serde(default)]
    #[schemars(transform = positive)]
    pub rate: Option<f64>,
    /// Start time in s.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub start: f64,
    /// End time in s. Absent: never.
    #[serde(default = "infinite")]
    #[schemars(transform = endless)]
    pub end: f64,
    /// Direction of the mouth's height. Absent: vertical or, for a vertical velocity, horizontal so that the width is along x.
    #[serde(default)]
    #[schemars(transform = direction)]
    pub up: Option<Vec3>,
    /// Total number of particles to emit; unlimited if absent.
    #[serde(default)]
    pub max_particles: Option<u32>,
    /// Limit on the number of live particles in addition to those at the start; emission pauses at
    /// the limit until drains have made room.
    #[serde(default)]
    pub max_live: Option<u32>,
}

impl Emitter {
    /// A mouth at a place in m that emits the first material with a velocity in m/s, without end.
    #[must_use]
    pub fn new(mouth: Mouth, center: Vec3, velocity: Vec3) -> Self {
        Self {
            material: None,
            mouth,
            center,
            velocity,
            rate: None,
            start: 0.0,
            end: infinite(),
            up: None,
            max_particles: None,
            max_live: None,
        }
    }

    /// Velocity in m/s with which particles, `spacing` m apart, leave the mouth.
    #[must_use]
    pub fn outflow(&self, spacing: f64, dimensions: u32) -> DVec3 {
        let velocity = DVec3::from(self.velocity);
        self.rate.map_or(velocity, |rate| {
            let area = self.mouth.area(spacing, dimensions);
            velocity.normalize_or_zero() * (1e-3 * rate / area)
        })
    }

    /// Time in s between layers of particles, `spacing` m apart.
    #[must_use]
    pub fn interval(&self, spacing: f64, dimensions: u32) -> f64 {
        self.mouth.gap(spacing, dimensions) / self.outflow(spacing, dimensions).length()
    }
}

fn infinite() -> f64 {
    f64::INFINITY
}

/// Region that removes fluid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drain {
    /// Shape of the region.
    pub shape: Shape,
    /// Whether to remove the fluid outside the region, rather than inside.
    #[serde(default)]
    pub outside: bool,
}

/// Region in which smoke, heat and wind are kept up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Shape of the region.
    pub shape: Shape,
    /// Density of the smoke: 1 is dense.
    #[serde(default = "one")]
    #[schemars(range(min = 0.0, max = 1e3))]
    pub density: f64,
    /// Temperature above that of the surroundings, in K.
    #[serde(default)]
    #[schemars(range(min = -250.0, max = 5e3))]
    pub temperature: f64,
    /// Share of fuel, which burns where it is hotter than `smoke.ignition`.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 1e3))]
    pub fuel: f64,
    /// Velocity in m/s; if absent, what the flow has.
    #[serde(default)]
    #[schemars(transform = planar)]
    pub velocity: Option<Vec3>,
    /// Motion of the region: a translation, a sway, or both.
    #[serde(default)]
    pub motion: Vec<Motion>,
    /// Start time in s.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub start: f64,
    /// End time in s. Absent: never.
    #[serde(default = "infinite")]
    #[schemars(transform = endless)]
    pub end: f64,
}

impl Source {
    /// Dense smoke as warm as its surroundings, for all time.
    #[must_use]
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            density: 1.0,
            temperature: 0.0,
            fuel: 0.0,
            velocity: None,
            motion: Vec::new(),
            start: 0.0,
            end: f64::INFINITY,
        }
    }
}

fn one() -> f64 {
    1.0
}

/// A vortex of the air at the start. Exactly one kind is given: `[[vortex]]` with `ring = { … }`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Vortex {
    /// A ring, which moves along its axis: vorticity Γ/(π δ²) exp(−r²/δ²) around a circle, r the distance from it.
    Ring {
        /// Centre of the circle in m.
        center: Vec3,
        /// Direction of its motion, of any length but 0.
        #[schemars(transform = direction)]
        axis: Vec3,
        /// Radius of the circle in m.
        #[schemars(transform = positive)]
        radius: f64,
        /// δ in m.
        #[schemars(transform = positive)]
        core: f64,
        /// Γ in m²/s.
        circulation: f64,
    },
    /// A straight vortex along z, counter-clockwise: vorticity Γ/(π δ²) exp(−r²/δ²).
    Column {
        /// A point on the axis, in m.
        center: Vec3,
        /// δ in m.
        #[schemars(transform = positive)]
        core: f64,
        /// Γ in m²/s.
        circulation: f64,
    },
}

impl Scene {
    /// Particle spacing at rest, in m.
    #[must_use]
    pub fn spacing(&self) -> f64 {
        2.0 * self.particle_radius
    }

    /// Length of a frame in s.
    #[must_use]
    pub fn frame_duration(&self) -> f64 {
        1.0 / self.time.fps
    }

    /// Index of the material with this name, 0 without a name; `None` if there is none.
    #[must_use]
    pub fn material_index(&self, name: Option<&str>) -> Option<usize> {
        match name {
            None => (!self.materials.is_empty()).then_some(0),
            Some(name) => self.materials.iter().position(|material| material.name == name),
        }
    }

    /// All motions of solids, with the paths of their keys.
    pub fn motions_mut(&mut self) -> impl Iterator<Item = (String, &mut Motion)> {
        let boundaries = self.boundaries.iter_mut().map(|boundary| &mut boundary.motion);
        let bodies = self.bodies.iter_mut().map(|body| &mut body.motion);
        let named = |key: &'static str| move |(i, motions)| (format!("{key}[{i}].motion"), motions);
        let all = boundaries.enumerate().map(named("boundary"));
        all.chain(bodies.enumerate().map(named("body"))).flat_map(
            |(path, motions): (String, &mut Vec<Motion>)| {
                let each = motions.iter_mut().enumerate();
                each.map(move |(k, motion)| (format!("{path}[{k}]"), motion))
            },
        )
    }

    /// All tables of inflow, with the paths of their keys.
    pub fn flow_tables_mut(&mut self) -> impl Iterator<Item = (String, &mut FlowTable)> {
        let inlets = self.inlets.iter_mut().enumerate();
        inlets.filter_map(|(i, inlet)| Some((format!("inlet[{i}].table"), inlet.table.as_mut()?)))
    }

    /// All shapes, with the paths of their keys.
    pub fn shapes_mut(&mut self) -> impl Iterator<Item = (String, &mut Shape)> {
        fn named<'a>(
            key: &'static str,
            shapes: impl Iterator<Item = &'a mut Shape>,
        ) -> impl Iterator<Item = (String, &'a mut Shape)> {
            shapes.enumerate().map(move |(i, shape)| (format!("{key}[{i}].shape"), shape))
        }
        let fluids = self.fluids.iter_mut().enumerate().flat_map(|(i, fluid)| {
            let holes = fluid.holes.iter_mut().enumerate();
            let holes = holes.map(move |(k, hole)| (format!("fluid[{i}].holes[{k}]"), hole));
            std::iter::once((format!("fluid[{i}].shape"), &mut fluid.shape)).chain(holes)
        });
        fluids
            .chain(named("boundary", self.boundaries.iter_mut().map(|wall| &mut wall.shape)))
            .chain(named("body", self.bodies.iter_mut().map(|body| &mut body.shape)))
            .chain(named("drain", self.drains.iter_mut().map(|drain| &mut drain.shape)))
            .chain(named("source", self.sources.iter_mut().map(|source| &mut source.shape)))
    }
}
