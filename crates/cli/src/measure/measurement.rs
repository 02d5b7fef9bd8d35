//! Running a scene with every pass timed.

use std::time::{Duration, Instant};

use meniscus::{
    FluidMesh, Gpu, PassTime, Scene, Simulation, SurfaceOptions, Timings,
    blocking::block_on,
    raw::{
        Machine,
        model::{control::LoopReport, surface::SurfaceControl},
    },
};

use super::{Device, heat::Heater, neighbours};
use crate::Failure;

/// Numbers of steps and extractions to make.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Simulated time in s that is computed before the warm-up.
    pub(crate) from: f64,
    /// Number of steps that are not measured.
    pub(crate) warm_up: u32,
    /// Number of steps that are measured.
    pub(crate) steps: u32,
    /// Number of extractions of the surface.
    pub(crate) extractions: u32,
    /// Wall time after which no further step begins, of which the warm-up gets a quarter, and the same for
    /// extractions. At least one step of each kind and one extraction are made.
    pub(crate) limit: Option<Duration>,
}

/// A stage of the step's list.
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) label: String,
    pub(crate) invocations: u64,
    /// Least number of bytes that it must move.
    pub(crate) bytes: u64,
}

/// Raw measurements, and the times of steps that follow from them.
#[derive(Debug)]
pub(crate) struct Measurement {
    pub(crate) device: Device,
    pub(crate) title: String,
    /// Number of particles, with those of walls.
    pub(crate) particles: u32,
    /// Number of particles of fluid.
    pub(crate) fluid: u32,
    pub(crate) neighbours_per_particle: f64,
    /// Stages of a step, in order.
    pub(crate) stages: Vec<Stage>,
    /// Number of steps measured.
    pub(crate) step_count: u32,
    pub(crate) warm_up: u32,
    pub(crate) submissions: u64,
    /// Simulated time of all measured steps in s.
    pub(crate) simulated: f64,
    /// Wall time of all measured steps.
    pub(crate) wall: Duration,
    /// Results of the solver's loops in the measured steps, by name.
    pub(crate) loops: Vec<(&'static str, LoopReport)>,
    /// Whether the device can time passes.
    pub(crate) timed: bool,
    /// Time of each step in s, from its first pass to the end of its last, or wall time.
    pub(crate) step_times: Vec<f64>,
    /// Times of every pass of every measured step, in order.
    pub(crate) times: Vec<PassTime>,
    /// Measurements of the surface's extraction, if requested.
    pub(crate) surface: Option<SurfaceMeasurement>,
}

/// Measurements of the surface's extraction.
#[derive(Debug)]
pub(crate) struct SurfaceMeasurement {
    pub(crate) stages: Vec<Stage>,
    /// Number of cells of the grid.
    pub(crate) cells: u32,
    pub(crate) found: SurfaceControl,
    /// Times of every pass of every extraction.
    pub(crate) times: Vec<Vec<PassTime>>,
}

impl SurfaceMeasurement {
    /// Extracts the surface repeatedly, after an extraction that allocates memory for it.
    fn take(
        gpu: &Gpu,
        simulation: &Simulation,
        options: &SurfaceOptions,
        effort: &Effort,
    ) -> Result<Self, Failure> {
        let mut surface = FluidMesh::new(gpu, simulation, options)?;
        let found = block_on(gpu, surface.fit(simulation))?;
        let mut taken = Vec::new();
        if let Some(mut timings) = Timings::new(gpu)? {
            let begin = Instant::now();
            let late = |limit| begin.elapsed() >= limit;
            while taken.is_empty()
                || taken.len() < effort.extractions as usize && !effort.limit.is_some_and(late)
            {
                taken.push(block_on(gpu, surface.extract_timed(&mut timings))?);
            }
        }
        Ok(Self {
            stages: stages(
                surface.machine(),
                "surface",
                simulation.control().particle_count,
                u32::MAX,
            ),
            cells: simulation.setup().params.grid.cell_count,
            found,
            times: taken,
        })
    }

    /// Time of each extraction in s; none if the device cannot time passes.
    pub(crate) fn extraction_times(&self) -> Vec<f64> {
        self.times.iter().filter_map(|passes| duration(passes)).collect()
    }
}

/// Time from the first pass to the end of the last, in s.
fn duration(passes: &[PassTime]) -> Option<f64> {
    Some(passes.last()?.end - passes.first()?.start)
}

/// Number of cells that have something to do, of a grid's.
fn busy_cells(gpu: &Gpu, simulation: &Simulation) -> Result<u32, Failure> {
    const BLOCKS: &str = "busy_blocks";
    if simulation.machine().buffer(BLOCKS).is_none() {
        return Ok(u32::MAX);
    }
    let (_, arrays) = block_on(gpu, simulation.machine().read(&[BLOCKS]))?;
    let count = arrays[BLOCKS].first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    Ok(8 * count)
}

/// Stages of a list, in order; `busy`: of the cells that have something to do.
fn stages(machine: &Machine, list: &str, particles: u32, busy: u32) -> Vec<Stage> {
    let stages = machine.stages(list).zip(machine.traffic(list, particles, busy));
    let stage = |((label, invocations), (_, bytes)): ((&str, u64), (&str, u64))| Stage {
        label: label.to_owned(),
        invocations,
        bytes,
    };
    stages.map(stage).collect()
}

/// Steps made, with their times.
#[derive(Debug, Default)]
struct Steps {
    /// Time of each step in s.
    each: Vec<f64>,
    /// Times of every pass.
    passes: Vec<PassTime>,
}

impl Steps {
    /// Makes up to `most` steps, at least one, and begins none after `end`.
    fn make(
        gpu: &Gpu,
        simulation: &mut Simulation,
        most: u32,
        end: Option<Instant>,
    ) -> Result<Self, Failure> {
        let (begin, mut steps) = (Instant::now(), Self::default());
        while steps.count() < most {
            let mut count = simulation.steps_per_submission().min(most - steps.count());
            match end.map(|end| end.saturating_duration_since(Instant::now())) {
                None => {}
                Some(_) if steps.count() == 0 => count = 1,
                Some(Duration::ZERO) => break,
                // Half of what the time that is left suffices for: later steps may need more iterations.
                Some(left) => {
                    let each = begin.elapsed().as_secs_f64() / f64::from(steps.count());
                    count = count.min((left.as_secs_f64() / (2.0 * each)) as u32).max(1);
                }
            }
            let begin = Instant::now();
            block_on(gpu, simulation.step(count))?;
            steps.add(count, begin.elapsed(), simulation.take_times());
        }
        Ok(steps)
    }

    fn count(&self) -> u32 {
        self.each.len() as u32
    }

    /// Adds `count` steps that took `wall`.
    fn add(&mut self, count: u32, wall: Duration, passes: Vec<PassTime>) {
        let recordings: Vec<_> = recordings(&passes).into_iter().filter_map(duration).collect();
        if recordings.len() == count as usize {
            self.each.extend(recordings);
        } else {
            // A step that takes long, or needs more memory, is recorded again until it is complete. A
            // device that cannot time passes has no recordings.
            let all = match recordings.is_empty() {
                true => wall.as_secs_f64(),
                false => recordings.iter().sum(),
            };
            self.each.extend((0..count).map(|_| all / f64::from(count)));
        }
        self.passes.extend(passes);
    }
}

/// Times of each recording of the step's list, usually one for each step.
fn recordings(times: &[PassTime]) -> Vec<&[PassTime]> {
    let Some(first) = times.first() else { return Vec::new() };
    let starts = (0..times.len()).filter(|i| times[*i].label == first.label);
    let starts: Vec<_> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([times.len()]);
    starts.iter().zip(ends).map(|(start, end)| &times[*start..end]).collect()
}

impl Measurement {
    /// Makes steps after a warm-up, then extracts the surface if requested.
    pub(crate) fn take(
        gpu: &Gpu,
        mut scene: Scene,
        effort: &Effort,
        surface: Option<&SurfaceOptions>,
    ) -> Result<Self, Failure> {
        // Put all steps into one frame, so that none is shortened and submissions are full.
        let longest = scene.time.step.unwrap_or(scene.time.max_step);
        scene.time.fps = 0.5 / (effort.from + longest * f64::from(effort.warm_up + effort.steps));
        let mut heater = Heater::new(gpu)?;
        let mut simulation = block_on(gpu, Simulation::new(gpu, &scene))?;
        while simulation.time() < effort.from {
            let count = simulation.steps_per_submission();
            block_on(gpu, simulation.step(count))?;
        }
        let timed = simulation.set_timed(true)?;
        heater.heat(gpu)?;
        let start = Instant::now();
        let end = |share: u32| effort.limit.map(|limit| start + limit / share);
        let warm_up = Steps::make(gpu, &mut simulation, effort.warm_up, end(4))?.count();

        let earlier = simulation.control().loops;
        let before = (simulation.submissions(), simulation.time());
        let begin = Instant::now();
        let steps = Steps::make(gpu, &mut simulation, effort.steps, end(1))?;
        let wall = begin.elapsed();
        let simulated = simulation.time() - before.1;
        let submissions = simulation.submissions() - before.0;
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
        let surface =
            surface.map(|options| SurfaceMeasurement::take(gpu, &simulation, options, effort));
        Ok(Self {
            device: Device::of(gpu),
            title: scene.title,
            particles,
            fluid: particles.saturating_sub(simulation.setup().wall_particles()),
            neighbours_per_particle: neighbours::mean(&state, &simulation.setup().params),
            stages: stages(simulation.machine(), "step", particles, busy_cells(gpu, &simulation)?),
            step_count: steps.count(),
            warm_up,
            submissions,
            simulated,
            wall,
            loops,
            timed,
            step_times: steps.each,
            times: steps.passes,
            surface: surface.transpose()?,
        })
    }

    /// Pass times of each recording of the step's list.
    pub(crate) fn recordings(&self) -> Vec<&[PassTime]> {
        recordings(&self.times)
    }
}
