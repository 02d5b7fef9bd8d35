//! A scene on the GPU: steps, frames, read-back, checkpoints.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use meniscus_methods::{
    ListError, Registry,
    lists::step,
    passes::RESIDUALS,
    space::{Flag, NEIGHBOUR_SPACE, NEIGHBOURS},
    tables::Extra,
};
use meniscus_model::{
    Control, Params, Scene, Setup, State,
    control::FRAME_END,
    diagnostics::Diagnostics,
    params::{Body, CountParams, Joint, MAX_FORCE_FIELDS, MAX_LOOPS, MaterialParams},
    scene::MAX_PARTICLES,
    shared::{decode, encode_uniform},
};

use crate::{
    Error, Failure, FoamReport, FrameReport, Gpu, OpeningReport, PassTime, Timings,
    machine::Machine, pacing::Pacing, shaders::Shaders,
};

mod cells;
mod distances;
mod frames;
mod hand;
mod joints;
mod life;
mod particles;
mod place;
mod program;
mod put;
mod quantities;
mod query;
mod resume;
mod show;
mod worlds;

use frames::Course;
pub use frames::{Budget, Progress};
use hand::Hand;
pub use hand::Pull;
pub use particles::Particles;
use program::Program;
pub use program::{ForceField, KinematicTarget};
use query::Queries;
pub use query::{FluidAt, MAX_QUERIES, Queried, Query, QueryBuffers};
pub use show::{Shown, ShownFoam, ShownParticle};

/// Initial number of recorded iterations of a loop.
const FIRST_ITERATIONS: u32 = 4;
/// Number of read-backs of Control used to predict the iterations to record. Of independent counts the next exceeds the most of the
/// last m with probability 1/(m + 1): then the step stalls, and all that is recorded behind it does nothing.
const MEMORY: usize = 8;

/// Running simulation of a scene on a device.
#[derive(Debug)]
pub struct Simulation {
    gpu: Gpu,
    machine: Machine,
    /// Shaders of the distances of what changes its shape; `None` if nothing does.
    shaders: Option<Shaders>,
    setup: Setup,
    control: Control,
    timings: Option<Timings>,
    times: Vec<PassTime>,
    pacing: Pacing,
    /// Most iterations of each loop in recent submissions.
    iterations: VecDeque<[u32; MAX_LOOPS]>,
    submissions: u64,
    hand: Hand,
    program: Program,
    course: Course,
    /// Made by the first query.
    queries: Option<Queries>,
    /// Whether solids have moved, or may.
    solids_move: bool,
    /// Whether nothing has run since the arrays were empty.
    is_fresh: bool,
    /// Solids as last read back, with forces and torques on them in the last step without those of pressure; only in
    /// scenes with bodies or measured boundaries.
    bodies: Vec<Body>,
    forces: Vec<[[f32; 4]; 2]>,
    /// Forces and torques of pressure alone on each solid in the last step.
    pressures: Vec<[[f32; 4]; 2]>,
    /// Impulses and angular impulses on solids since the start of the frame, of all and of pressure alone.
    impulses: Vec<[[f32; 4]; 4]>,
    /// Joints as last read back.
    joints: Vec<Joint>,
}

impl Simulation {
    /// Simulation of a scene at time 0.
    ///
    /// # Errors
    /// An invalid scene or one that does not fit, a device error.
    pub async fn new(gpu: &Gpu, scene: &Scene) -> Result<Self, Error> {
        Self::with_shaders(gpu, scene, &Shaders::standard()).await
    }

    /// Like [`Simulation::new`], with shader files that may have been changed.
    ///
    /// # Errors
    /// As [`Simulation::new`], and shaders that do not compile.
    pub async fn with_shaders(gpu: &Gpu, scene: &Scene, shaders: &Shaders) -> Result<Self, Error> {
        Self::with_methods(gpu, scene, shaders, &Registry::standard()).await
    }

    /// Like [`Simulation::with_shaders`], with the caller's own methods.
    ///
    /// # Errors
    /// As [`Simulation::with_shaders`].
    pub async fn with_methods(
        gpu: &Gpu,
        scene: &Scene,
        shaders: &Shaders,
        registry: &Registry,
    ) -> Result<Self, Error> {
        let mut simulation = Self::without_state(gpu, scene, shaders, registry).await?;
        simulation.finish_frame().await?;
        Ok(simulation)
    }

    /// Simulation whose fields are 0 and whose particles are as the scene says: nothing has run.
    async fn without_state(
        gpu: &Gpu,
        scene: &Scene,
        shaders: &Shaders,
        registry: &Registry,
    ) -> Result<Self, Error> {
        let setup = Setup::with_methods(scene, registry).map_err(Error::Scene)?;
        let shaders = shaders.clone().for_scene(&setup).with_methods(registry);
        let lists = step::lists(&setup.scope());
        let machine =
            Machine::new(gpu, &shaders, &setup.counts(), &lists, &Extra::of(&setup.chosen))?;
        check_loops(&machine, &setup)?;
        quantities::check(&machine, &setup)?;
        machine.write_params(&setup.params);
        for (name, bytes) in setup.uploads() {
            machine.write(name, &bytes)?;
        }
        machine.write_control(&setup.control);
        distances::bake(&machine, &shaders, &setup)?;
        let mut simulation = Self {
            gpu: gpu.clone(),
            machine,
            shaders: (!setup.deforming.is_empty()).then_some(shaders),
            control: setup.control,
            setup,
            timings: None,
            times: Vec::new(),
            pacing: Pacing::of(gpu.info().device_type),
            iterations: VecDeque::new(),
            submissions: 0,
            hand: Hand::default(),
            program: Program::default(),
            course: Course::default(),
            queries: None,
            solids_move: false,
            is_fresh: true,
            bodies: Vec::new(),
            joints: Vec::new(),
            forces: Vec::new(),
            pressures: Vec::new(),
            impulses: Vec::new(),
        };
        simulation.program.count_fields(scene.forces.len());
        simulation.program.max_step = simulation.setup.params.time.max_step;
        let Setup { emitters, emitter_points, .. } = &simulation.setup;
        simulation.program.mouths = (emitters.clone(), emitter_points.clone());
        gpu.compiled().await?;
        simulation.hand.min_speed = simulation.setup.params.time.min_speed;
        simulation.set_course()?;
        Ok(simulation)
    }

    /// Setup: the initial data made from the scene. It is [raw](crate::raw).
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Control as last read back. It is [raw](crate::raw).
    #[must_use]
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Simulated time in s, as last read back.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.control.time(self.setup.frame_duration)
    }

    /// Submissions made so far.
    #[must_use]
    pub fn submissions(&self) -> u64 {
        self.submissions
    }

    /// Buffers and stages, for drawing and inspection. They are [raw](crate::raw).
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Sets the target duration of a submission: drawing on the same device waits for at most one.
    /// The default is [`SUBMISSION_TIME`](crate::SUBMISSION_TIME); results do not depend on it.
    pub fn set_submission_time(&mut self, time: Duration) {
        self.pacing.set_target(time);
    }

    /// Sets a fixed number of steps per submission; results do not depend on it.
    pub fn set_steps_per_submission(&mut self, steps: u32) {
        self.pacing.fix(steps);
    }

    /// Number of steps that the next submission may hold.
    #[must_use]
    pub fn steps_per_submission(&self) -> u32 {
        self.pacing.steps()
    }

    /// Changes parameters (gravity, force fields, materials …) from the next submission on. They are [raw](crate::raw).
    ///
    /// # Errors
    /// [`Error::Options`] with the name of a parameter on which buffers and lists depend: the grid,
    /// counts (except that of force fields), dimensions, particle radius, kernel, the frame's length, the share of the
    /// first drift; or with the group of one that is set to no number or an infinite one. Nothing is changed then.
    pub fn set_params(&mut self, change: impl FnOnce(&mut Params)) -> Result<(), Error> {
        let (old, mut params) = (self.setup.params, self.setup.params);
        change(&mut params);
        let force_fields = params.counts.force_fields;
        let fixed = [
            ("grid", params.grid == old.grid),
            ("counts", params.counts == CountParams { force_fields, ..old.counts }),
            ("world.particle_radius", params.world.particle_radius == old.world.particle_radius),
            ("kernel", params.kernel == old.kernel),
            ("world.dimensions", params.world.dimensions == old.world.dimensions),
            ("time.frame_duration", params.time.frame_duration == old.time.frame_duration),
            ("time.first_drift", params.time.first_drift == old.time.first_drift),
        ];
        if let Some((name, _)) = fixed.iter().find(|(_, same)| !same) {
            return Err(Error::Options(format!(
                "params.{name} cannot change: the simulation's arrays and lists were made for it"
            )));
        }
        if params.world.gravity != old.world.gravity && params.gravities == old.gravities {
            params.set_gravities(&[params.world.gravity]);
        }
        // Only what has a NaN differs from itself.
        let same = params;
        let sound = [
            ("world", params.world == same.world),
            ("time", params.time == same.time),
            ("sph", params.sph == same.sph),
            ("pull", params.pull == same.pull),
            ("loops", params.loops == same.loops),
            ("force_fields", params.force_fields == same.force_fields),
            ("materials", params.materials == same.materials),
            ("methods", params.methods == same.methods),
            ("gravities", params.gravities == same.gravities),
        ];
        if let Some((name, _)) = sound.iter().find(|(_, is_sound)| !is_sound) {
            return Err(Error::Options(format!("params.{name} has a value that is not a number")));
        }
        if let Some(name) = made_infinite(&old, &params) {
            return Err(Error::Options(format!("params.{name} has a value that is infinite")));
        }
        if force_fields > MAX_FORCE_FIELDS as u32 {
            return Err(Error::Options(format!(
                "params.counts.force_fields is {force_fields}, expected at most {MAX_FORCE_FIELDS}"
            )));
        }
        self.program.count_fields(force_fields as usize);
        self.write_params(params);
        Ok(())
    }

    /// Writes the parameters to the GPU.
    fn write_params(&mut self, mut params: Params) {
        let materials = &params.materials;
        let same = |m: &MaterialParams| m.mass == 0.0 || m.viscosity == materials[0].viscosity;
        params.sph.mixed_viscosity = u32::from(!materials.iter().all(same));
        self.setup.params = params;
        self.machine.write_params(&params);
    }

    /// Starts or stops timing passes; returns whether the device can.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn set_timed(&mut self, timed: bool) -> Result<bool, Error> {
        self.timings = if timed { Timings::new(&self.gpu)? } else { None };
        Ok(self.timings.is_some())
    }

    /// Pass times that have arrived since the last call, while timing is on: usually of all
    /// submissions so far, in a browser perhaps without the last.
    pub fn take_times(&mut self) -> Vec<PassTime> {
        std::mem::take(&mut self.times)
    }

    /// Advances by `count` steps, across frames.
    ///
    /// # Errors
    /// [`Error::Failed`] if the simulation fails, [`Error::Device`].
    pub async fn step(&mut self, count: u32) -> Result<(), Error> {
        self.land().await?;
        let last = self.control.step.saturating_add(count);
        while self.control.step < last {
            self.submit(last - self.control.step).await?;
        }
        Ok(())
    }

    /// Makes one submission of steps, none past the estimated end of the current or next frame.
    /// Returns the number of steps made.
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub async fn advance(&mut self) -> Result<u32, Error> {
        self.advance_by(u32::MAX).await
    }

    /// Like [`Simulation::advance`], with at most this many steps; at least one.
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub async fn advance_by(&mut self, most: u32) -> Result<u32, Error> {
        self.land().await?;
        let before = self.control.step;
        self.submit(self.expected_steps().min(most.max(1))).await?;
        Ok(self.control.step - before)
    }

    /// Runs to the end of the current frame, or of the next one.
    ///
    /// # Errors
    /// As [`Simulation::step`].
    pub async fn next_frame(&mut self) -> Result<(), Error> {
        self.land().await?;
        self.finish_frame().await
    }

    /// Runs whole frames until simulated time reaches `time` in s.
    ///
    /// # Errors
    /// As [`Simulation::step`]; [`Error::Options`] for a time that is not finite.
    pub async fn run_until(&mut self, time: f64) -> Result<(), Error> {
        if !time.is_finite() {
            return Err(Error::Options(format!(
                "a simulation runs until a finite time in s, not {time}"
            )));
        }
        while self.time() < time - 1e-6 * self.setup.frame_duration {
            self.next_frame().await?;
        }
        Ok(())
    }

    /// Diagnostics of the current state.
    ///
    /// # Errors
    /// [`Error::Failed`] if the simulation has failed, [`Error::Device`].
    pub async fn report(&mut self) -> Result<FrameReport, Error> {
        self.machine.submit("report")?;
        let has_foam = self.setup.foam > 0;
        let has_openings = !self.setup.openings.is_empty();
        let mut read = vec!["diagnostics"];
        read.extend(["foam_state", "foam_tally"].into_iter().filter(|_| has_foam));
        let has_close = self.setup.chosen.sph().is_some();
        read.extend(["close_count"].into_iter().filter(|_| has_close));
        read.extend(self.machine.buffer("loop_residuals").map(|_| "loop_residuals"));
        read.extend(["opening_counts"].into_iter().filter(|_| has_openings));
        let (control, arrays) = self.machine.read(&read).await?;
        if control.failure != 0 {
            return Err(Error::Failed(Failure::of(&control, &self.setup)));
        }
        let sums = decode::<Diagnostics>(&arrays["diagnostics"])
            .map_err(|error| malformed("diagnostics", &error))?;
        let sums = sums.first().copied().unwrap_or_default();
        let words = |name| -> Vec<u32> { bytemuck::pod_collect_to_vec(&arrays[name]) };
        let foam = has_foam.then(|| FoamReport::of(&words("foam_state"), &words("foam_tally")));
        let openings = match has_openings {
            true => OpeningReport::all(&words("opening_counts"), &self.setup),
            false => Vec::new(),
        };
        let report = FrameReport::of(control, &sums, &self.setup);
        let close =
            has_close.then(|| f64::from(words("close_count")[0]) / f64::from(report.fluid.max(1)));
        let residuals = match arrays.get("loop_residuals") {
            Some(bytes) => {
                residuals(&bytemuck::pod_collect_to_vec(bytes), self.machine.loops().len())
            }
            None => Vec::new(),
        };
        Ok(FrameReport { close, foam, openings, residuals, ..report })
    }

    /// Reads Control and every persistent buffer: the complete state for resuming. Targets that are not reached, and what was
    /// set after them, are not in it.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read(&self) -> Result<State, Error> {
        let (mut control, arrays) = self.machine.read(&self.persistent()).await?;
        // It is of the last submission, not of the simulation.
        control.most_iterations = Default::default();
        // Targets are the program's.
        control.targets_reached = 0;
        if !control.stalled() {
            control.stop_time = FRAME_END;
        }
        let words = |bytes: Vec<u8>| bytemuck::pod_collect_to_vec(&bytes);
        Ok(State {
            control,
            frame_duration: self.setup.frame_duration,
            center: self.setup.center.to_array(),
            gravity: self.gravity_at(&control),
            steered: self.program.steered(),
            arrays: arrays
                .into_iter()
                .map(|(name, bytes)| (name, words(bytes)))
                .collect::<BTreeMap<_, _>>(),
        })
    }

    /// Start time of the current frame, or of the last one.
    fn frame_start(&self) -> f64 {
        f64::from(self.control.frame.saturating_sub(1)) * self.setup.frame_duration
    }

    /// Ensures at least `slots` particle slots; allocates `wanted` if it has to grow.
    fn make_room(
        &mut self,
        slots: u32,
        wanted: usize,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), Error> {
        if slots <= self.setup.params.counts.capacity {
            return Ok(());
        }
        if slots > MAX_PARTICLES {
            return Err(Error::TooLarge(format!(
                "emitters and inlets would make it more than {MAX_PARTICLES} particles: give emitters \
                 max_particles or max_live"
            )));
        }
        self.setup.params.counts.capacity = slots.max(wanted.min(MAX_PARTICLES as usize) as u32);
        let counts = self.setup.counts();
        let neighbours = counts.get(NEIGHBOURS)?.max(self.machine.counts().get(NEIGHBOURS)?);
        self.machine.grow(&counts.with(NEIGHBOUR_SPACE, neighbours), encoder)?;
        self.machine.write_params(&self.setup.params);
        Ok(())
    }

    /// The same between submissions.
    fn make_room_now(&mut self, slots: u32, wanted: usize) -> Result<(), Error> {
        let gpu = self.gpu.clone();
        gpu.caught(|| {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            self.make_room(slots, wanted, &mut encoder)?;
            gpu.queue().submit([encoder.finish()]);
            Ok(())
        })?
    }

    /// Distances of what changes its shape, at the end of the frame that begins at `start` s, and if `both`, at its start.
    fn bake_frame(&self, start: f64, both: bool) -> Result<(), Error> {
        match &self.shaders {
            Some(shaders) => {
                distances::bake_frame(&self.machine, shaders, &self.setup, start, both)
            }
            None => Ok(()),
        }
    }

    /// Reads Control, and bodies if the scene has any.
    async fn read_control(&mut self) -> Result<(), Error> {
        let (control, arrays) = self.machine.read(&self.solids_read()).await?;
        self.take_back(control, arrays)
    }

    /// Runs to the end of the frame under way, or of the next one.
    async fn finish_frame(&mut self) -> Result<(), Error> {
        let frame = self.frame_to_end();
        while self.control.frame < frame
            || self.control.frame == frame && self.control.frame_done != 1
        {
            let steps = self.expected_steps();
            self.submit(steps).await?;
        }
        Ok(())
    }

    /// Number of the frame under way, or of the next one if the last is complete.
    fn frame_to_end(&self) -> u32 {
        self.control.frame + u32::from(self.control.frame_done == 1)
    }

    /// Number of steps of the current length to the end of the frame; at least one.
    fn expected_steps(&self) -> u32 {
        let elapsed = if self.control.frame_done == 1 { 0.0 } else { self.control.time_in_frame };
        let remaining = self.setup.params.time.frame_duration - elapsed;
        let dt = if self.control.primed == 0 { remaining } else { self.step_length() };
        (remaining / dt * 0.99).ceil().clamp(1.0, 1e6) as u32
    }

    /// Length of the next step in s, as far as it is known.
    fn step_length(&self) -> f32 {
        match self.control.dt {
            _ if self.setup.params.time.fixed_step > 0.0 => self.setup.params.time.fixed_step,
            dt if dt > 0.0 => dt,
            _ => self.setup.params.time.max_step,
        }
    }

    /// Iterations to record for each loop: the most that the last submissions needed. A loop that needs more goes on in the
    /// next one, with as many as it had so far, which costs a read-back; one that needs less wastes dispatches of nothing, 4 µs each
    /// on a GPU.
    fn expected_iterations(&self) -> [u32; MAX_LOOPS] {
        std::array::from_fn(|k| {
            let most = self.iterations.iter().map(|needed| needed[k]).max();
            let expected = most.unwrap_or(FIRST_ITERATIONS);
            ((f64::from(expected) * self.pacing.share()) as u32).max(1)
        })
    }

    /// Host flags of the next submission.
    fn flags(&mut self) -> Vec<Flag> {
        let counts = &self.setup.params.counts;
        let by_hand = [self.hand.offset, self.hand.velocity].iter().any(|v| *v != glam::Vec3::ZERO);
        let driven = self.setup.motions.iter().any(|motions| !motions.is_empty());
        self.solids_move |=
            by_hand || driven || self.program.steers() || counts.driven < counts.colliders;
        self.setup.flags(self.solids_move || std::mem::take(&mut self.is_fresh))
    }

    /// Submits at most `steps` steps, none past the end of the frame, waits for them, and reads Control.
    async fn submit(&mut self, steps: u32) -> Result<(), Error> {
        self.sound()?;
        let before = self.control;
        self.aim_at_end_of(self.frame_to_end())?;
        let gpu = self.gpu.clone();
        gpu.caught(|| {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            self.release(&mut encoder)?;
            self.record_steps(&mut encoder, steps.min(self.pacing.steps()), false)?;
            if let Some(timings) = &mut self.timings {
                timings.resolve(&mut encoder);
            }
            gpu.queue().submit([encoder.finish()]);
            Ok::<_, Error>(())
        })??;
        if let Some(timings) = &mut self.timings {
            timings.submitted(self.submissions)?;
        }
        self.land().await?;
        if let Some(timings) = &mut self.timings {
            self.times.extend(timings.take()?);
        }
        self.sound()?;
        let still = Control { residual: before.residual, ..self.control } == before;
        if still {
            return Err(Error::Device("the device made no progress".into()));
        }
        Ok(())
    }
}

/// Residuals of the first of these loops after each iteration, from `loop_residuals`.
fn residuals(kept: &[f32], loops: usize) -> Vec<Vec<f64>> {
    let of = |kept: &[f32]| {
        let count = (kept[0] as usize).min(kept.len() - 1);
        kept[1..=count].iter().map(|residual| f64::from(*residual)).collect()
    };
    kept.chunks_exact(RESIDUALS as usize).take(loops).map(of).collect()
}

/// The group of parameters of which a number has become infinite.
fn made_infinite(old: &Params, new: &Params) -> Option<&'static str> {
    let words = |params| -> Vec<u32> { bytemuck::pod_collect_to_vec(&encode_uniform(params)) };
    let is_infinite = |word: u32| f32::from_bits(word).is_infinite();
    let at = words(old)
        .into_iter()
        .zip(words(new))
        .position(|(before, now)| now != before && is_infinite(now))?;
    let group = Params::STRUCT.offsets.partition_point(|offset| *offset <= 4 * at as u64);
    Some(Params::STRUCT.fields[group - 1].name)
}

/// Checks that the solver's loops are in the order of their limits in `params.loops`.
fn check_loops(machine: &Machine, setup: &Setup) -> Result<(), Error> {
    let declared = setup.chosen.loops();
    if machine.loops() == declared {
        return Ok(());
    }
    let [lists, declared] = [machine.loops().join(", "), declared.join(", ")];
    Err(ListError(format!("the step has the loops {lists}, but {declared} are declared")).into())
}

fn malformed(buffer: &str, error: &dyn std::fmt::Display) -> Error {
    Error::Device(format!("{buffer} came back malformed: {error}"))
}
