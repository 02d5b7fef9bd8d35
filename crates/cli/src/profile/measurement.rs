//! Running a scene with every pass timed.

use std::time::{Duration, Instant};

use meniscus::{
    Gpu, PassTime, Simulation, Surface, SurfaceOptions, Timings,
    blocking::block_on,
    machine::Machine,
    model::{Scene, control::LoopReport, surface::SurfaceControl},
    space::PARTICLES,
};

use super::neighbours;
use crate::Failure;

/// Largest number of surface extractions; otherwise there are as many as steps.
const MOST_EXTRACTIONS: u32 = 20;

/// A stage of the step's list.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) label: String,
    pub(super) invocations: u64,
    /// Least number of bytes that it must move.
    pub(super) bytes: u64,
}

/// Raw measurements; no field is derived from another.
#[derive(Debug)]
pub(super) struct Measurement {
    pub(super) adapter: String,
    /// Driver and its version.
    pub(super) driver: String,
    pub(super) title: String,
    pub(super) particles: u32,
    pub(super) neighbours_per_particle: f64,
    /// Stages of a step, in order.
    pub(super) stages: Vec<Stage>,
    /// Number of steps measured.
    pub(super) step_count: u32,
    pub(super) warm_up: u32,
    pub(super) submissions: u64,
    /// Simulated time of all measured steps in s.
    pub(super) simulated: f64,
    /// Wall time of all measured steps.
    pub(super) wall: Duration,
    /// Results of the solver's loops in the measured steps, by name.
    pub(super) loops: Vec<(&'static str, LoopReport)>,
    /// Whether the device can time passes.
    pub(super) timed: bool,
    /// Times of every pass of every measured step, in order.
    pub(super) times: Vec<PassTime>,
    /// Measurements of the surface's extraction, if requested.
    pub(super) surface: Option<SurfaceMeasurement>,
}

/// Measurements of the surface's extraction.
#[derive(Debug)]
pub(super) struct SurfaceMeasurement {
    pub(super) stages: Vec<Stage>,
    /// Number of cells of the grid.
    pub(super) cells: u32,
    pub(super) found: SurfaceControl,
    /// Times of every pass of every extraction.
    pub(super) times: Vec<Vec<PassTime>>,
}

impl SurfaceMeasurement {
    /// Extracts the surface `times` times, after an extraction that allocates memory for it.
    fn take(
        gpu: &Gpu,
        simulation: &Simulation,
        options: &SurfaceOptions,
        times: u32,
    ) -> Result<Self, Failure> {
        let mut surface = Surface::new(gpu, simulation, options)?;
        let found = block_on(gpu, surface.fit(simulation))?;
        let mut taken = Vec::new();
        if let Some(mut timings) = Timings::new(gpu)? {
            for _ in 0..times {
                taken.push(block_on(gpu, surface.extract_timed(&mut timings))?);
            }
        }
        Ok(Self {
            stages: stages(surface.machine(), "surface", simulation.control().particle_count),
            cells: simulation.setup().params.grid.cell_count,
            found,
            times: taken,
        })
    }
}

/// Stages of a list, in order.
fn stages(machine: &Machine, list: &str, particles: u32) -> Vec<Stage> {
    let stages = machine.stages(list).zip(machine.traffic(list, PARTICLES.space, particles));
    let stage = |((label, invocations), (_, bytes)): ((&str, u64), (&str, u64))| Stage {
        label: label.to_owned(),
        invocations,
        bytes,
    };
    stages.map(stage).collect()
}

impl Measurement {
    /// Runs `steps` steps after a warm-up, then extracts the surface if requested.
    pub(super) fn take(
        gpu: &Gpu,
        mut scene: Scene,
        steps: u32,
        surface: Option<&SurfaceOptions>,
    ) -> Result<Self, Failure> {
        let warm_up = (steps / 5).max(5);
        // Put all steps into one frame, so that none is shortened and submissions are full.
        let longest = scene.time.step.unwrap_or(scene.time.max_step);
        scene.time.fps = 0.5 / (longest * f64::from(steps + warm_up));
        let mut simulation = block_on(gpu, Simulation::new(gpu, &scene))?;
        let timed = simulation.set_timed(true)?;
        block_on(gpu, simulation.step(warm_up))?;
        simulation.take_times();

        let earlier = simulation.control().loops;
        let before = (simulation.submissions(), simulation.time());
        let begin = Instant::now();
        block_on(gpu, simulation.step(steps))?;
        let wall = begin.elapsed();
        let simulated = simulation.time() - before.1;
        let submissions = simulation.submissions() - before.0;
        let times = simulation.take_times();
        // All steps are in one frame, whose loop statistics accumulate.
        let found = simulation.control().loops.iter().zip(&earlier).map(|(now, then)| LoopReport {
            iterations: now.iterations - then.iterations,
            exhausted: now.exhausted - then.exhausted,
            residual_sum: now.residual_sum - then.residual_sum,
            residual_max: now.residual_max,
        });
        let loops = simulation.setup().chosen.loops().into_iter().zip(found).collect();
        let state = block_on(gpu, simulation.read())?;

        let particles = state.control.particle_count;
        let surface = surface.map(|options| {
            SurfaceMeasurement::take(gpu, &simulation, options, steps.min(MOST_EXTRACTIONS))
        });
        Ok(Self {
            adapter: gpu.info().name.clone(),
            driver: format!("{} {}", gpu.info().driver, gpu.info().driver_info).trim().to_owned(),
            title: scene.title,
            particles,
            neighbours_per_particle: neighbours::mean(&state, &simulation.setup().params),
            stages: stages(simulation.machine(), "step", particles),
            step_count: steps,
            warm_up,
            submissions,
            simulated,
            wall,
            loops,
            timed,
            times,
            surface: surface.transpose()?,
        })
    }

    /// Pass times of each step.
    pub(super) fn steps(&self) -> Vec<&[PassTime]> {
        let Some(first) = self.stages.first() else { return Vec::new() };
        let starts = (0..self.times.len()).filter(|i| self.times[*i].label == first.label);
        let starts: Vec<_> = starts.collect();
        let ends = starts.iter().skip(1).copied().chain([self.times.len()]);
        starts.iter().zip(ends).map(|(start, end)| &self.times[*start..end]).collect()
    }
}
