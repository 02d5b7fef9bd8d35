//! A scene of the laws with a solver: variants of it, and their runs.

use std::collections::BTreeMap;

use glam::DVec3;
use meniscus::{BodyReport, FrameReport, Gpu, Simulation};
use meniscus_formats::{LoadOptions, load_text};
use meniscus_methods::{Registry, Space};
use meniscus_model::{Scene, State, probes, scene::Body};
use toml::Table;

use super::Case;
use crate::{device::block_on, scenes};

/// A scene with a solver on a device.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "its users build it")]
pub struct Trial<'a> {
    /// Device.
    pub gpu: &'a Gpu,
    /// Scene.
    pub case: &'a Case,
    /// Name of the solver.
    pub solver: &'a str,
}

/// A run of a scene.
pub(super) struct Run {
    /// The scene that ran.
    pub(super) scene: Scene,
    /// Its state at the start.
    pub(super) first: State,
    /// The ends of its frames, from the start on.
    pub(super) frames: Vec<Frame>,
}

/// The end of a frame.
pub(super) struct Frame {
    pub(super) report: FrameReport,
    pub(super) bodies: Vec<BodyReport>,
    /// Names of the solids on which forces are measured, the impulses in N s that the fluid gave to them in this frame.
    pub(super) impulses: Vec<(String, DVec3)>,
    /// Names of the values of probes, and the values.
    pub(super) probes: Vec<(String, f64)>,
    /// Mean places of the fluids that fly, in m.
    pub(super) flying: Vec<DVec3>,
    /// Largest distance of particles from the plane z = 0 in m, and speed along z in m/s.
    pub(super) off_plane: f64,
    /// Mean temperature of the air in K, 0 of what has none.
    pub(super) temperature: f64,
}

impl Trial<'_> {
    /// The scene with a change of its keys.
    pub(super) fn scene(&self, change: impl FnOnce(&mut Table)) -> Scene {
        let mut keys = self.case.keys.clone();
        keys.insert("solver".into(), self.solver.into());
        change(&mut keys);
        let options = LoadOptions::default();
        let path = self.case.path.to_string_lossy();
        let loaded = load_text(&path, &keys.to_string(), &options);
        loaded.unwrap_or_else(|error| panic!("{}: {error}", self.case.name)).scene
    }

    /// A run of the scene with a change of its keys, to its end.
    pub(super) fn run(&self, change: impl FnOnce(&mut Table)) -> Run {
        let scene = self.scene(change);
        let mut simulation = scenes::start(self.gpu, &scene);
        let first = scenes::state(self.gpu, &simulation);
        let mut frames = vec![self.frame(&scene, &mut simulation, &first)];
        while simulation.time() < scene.time.until - 1e-6 {
            let ended = block_on(self.gpu, simulation.next_frame());
            ended.unwrap_or_else(|error| panic!("{}, {}: {error}", self.case.name, self.solver));
            let state = scenes::state(self.gpu, &simulation);
            frames.push(self.frame(&scene, &mut simulation, &state));
        }
        Run { scene, first, frames }
    }

    fn frame(&self, scene: &Scene, simulation: &mut Simulation, state: &State) -> Frame {
        let report = block_on(self.gpu, simulation.report());
        let report = report.unwrap_or_else(|error| panic!("{}: {error}", self.case.name));
        let setup = simulation.setup();
        let duration = if simulation.time() > 0.0 { setup.frame_duration } else { 0.0 };
        let forces = simulation.forces();
        let impulses =
            forces.into_iter().map(|one| (one.name, duration * DVec3::from(one.mean_force)));
        let columns = probes::columns(scene, setup.chosen.family());
        let values = probes::values(scene, setup, state);
        let count = state.particle_count().min(state.position().len());
        let off = |i: usize| state.position()[i][2].abs().max(state.velocity()[i][2].abs());
        let off_plane = (0..count).map(|i| f64::from(off(i))).fold(0.0, f64::max);
        let quantities = simulation.quantities();
        let heat: Vec<_> = quantities.into_iter().filter(|one| one.name == "temperature").collect();
        let heat = block_on(self.gpu, simulation.measure(&heat));
        let heat = heat.unwrap_or_else(|error| panic!("{}: {error}", self.case.name));
        Frame {
            bodies: simulation.bodies(),
            impulses: impulses.collect(),
            probes: columns.into_iter().map(|column| column.name).zip(values).collect(),
            flying: self.flying(scene, state),
            off_plane,
            temperature: heat.first().map_or(0.0, |measured| measured.mean),
            report,
        }
    }

    /// Mean places in m of the fluids that fly: particles have their numbers in the order of the scene.
    fn flying(&self, scene: &Scene, state: &State) -> Vec<DVec3> {
        let Some(flight) = &self.case.head.flies else { return Vec::new() };
        let count = |number: usize| {
            let fluid = &scene.fluids[number];
            fluid.particles(scene.spacing(), scene.dimensions, scene.seed).len() as u32
        };
        let mean = |number: &usize| {
            let first: u32 = (0..*number).map(count).sum();
            let own = first..first + count(*number);
            let all = state.fluid().filter(|particle| own.contains(&particle.id));
            let (sum, found) = all.fold((DVec3::ZERO, 0), |(sum, found), particle| {
                (sum + DVec3::from(particle.position), found + 1)
            });
            sum / f64::from(found)
        };
        flight.fluids.iter().map(mean).collect()
    }
}

impl Run {
    /// Its last frame.
    pub(super) fn end(&self) -> &Frame {
        self.frames.last().expect("a run has a first frame")
    }

    /// Whether it is on a grid, whose cells stand still.
    pub(super) fn is_on_grid(&self) -> bool {
        let chosen = Registry::standard().choose(&self.scene);
        chosen.is_ok_and(|chosen| chosen.family().space == Space::Box)
    }

    /// Length in m by which places are judged: the largest extent of fluid at the start, or of the domain without any.
    pub(super) fn length(&self) -> f64 {
        let FrameReport { bounds_min, bounds_max, .. } = &self.frames[0].report;
        let extent = (DVec3::from(*bounds_max) - DVec3::from(*bounds_min)).max_element();
        let domain = self.scene.domain.as_ref();
        let domain = domain.map_or(0.0, |domain| {
            (DVec3::from(domain.max) - DVec3::from(domain.min)).max_element()
        });
        if extent > 0.0 { extent } else { domain }
    }

    /// Speed in m/s by which speeds are judged: that of a fall by the length, or the largest in the scene.
    pub(super) fn speed(&self) -> f64 {
        let fall = (2.0 * DVec3::from(self.scene.gravity).length() * self.length()).sqrt();
        let given = self.frames.iter().map(|frame| frame.report.max_speed).fold(0.0, f64::max);
        fall.max(if fall > 0.0 { 0.0 } else { given }).max(1e-9)
    }

    /// Impulses in N s that the fluid gave to each solid in the run, by name.
    pub(super) fn impulses(&self) -> BTreeMap<&str, DVec3> {
        let mut sums = BTreeMap::new();
        for (name, impulse) in self.frames.iter().flat_map(|frame| &frame.impulses) {
            *sums.entry(name.as_str()).or_default() += *impulse;
        }
        sums
    }

    /// Impulse in N s by which impulses are judged: that of the fluid's weight in the run.
    pub(super) fn impulse(&self) -> f64 {
        let end = &self.end().report;
        let weight = self.frames[0].report.mass * DVec3::from(self.scene.gravity).length();
        (weight * end.time).max(1e-9)
    }
}

/// Mass of a body in kg (in 2-D, per metre).
pub(super) fn mass(body: &Body, dimensions: u32) -> f64 {
    let volume = body.shape.bulk(dimensions).map_or(0.0, |bulk| bulk.volume);
    body.mass.or(body.density.map(|density| density * volume)).unwrap_or(0.0)
}
