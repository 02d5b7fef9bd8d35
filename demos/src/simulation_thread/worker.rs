//! The simulation thread's main loop.

use std::{
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError},
    },
    time::{Duration, Instant},
};

use meniscus::{
    Error, Gpu, Shaders, State, SurfaceOptions, blocking::block_on, raw::model::control::LoopReport,
};
use meniscus_live::{Chosen, Pace, Run};
use meniscus_render::Mode;

use super::{
    command::Command,
    update::{Condition, Mailbox, Stats, Summary},
};

/// Interval between diagnostics.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
/// Interval between checkpoints, from which a scene resumes after the device was lost.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);
/// Larger states are not checkpointed.
const MAX_CHECKPOINT_BYTES: u64 = 256 << 20;
/// Number of failed submissions in a row after which the simulation stops.
const MAX_CONSECUTIVE_FAILURES: u32 = 3;
/// Averaging time of the rates, in s.
const RATE_WINDOW: f64 = 0.5;

/// State of the thread.
pub(super) struct Worker {
    gpu: Gpu,
    mailbox: Arc<Mailbox>,
    inbox: Receiver<Command>,
    shaders: Shaders,
    run: Option<Run>,
    /// The scene that could not be set up, if no other is running: a reset tries again.
    failed_scene: Option<Chosen>,
    playing: bool,
    /// Play as soon as there is a scene.
    play_when_ready: bool,
    pace: Pace,
    mode: (Mode, SurfaceOptions),
    lockstep: bool,
    /// In lockstep, the frame has not been drawn yet.
    awaiting_draw: bool,
    /// The window has drawn the last surface, so the next one can be computed.
    ready_for_surface: bool,
    timed: bool,
    /// Failed submissions in a row on a device that still works.
    consecutive_failures: u32,
    rates: Rates,
    last_report: Option<Instant>,
    last_checkpoint: Instant,
}

/// Reason for ending the loop.
enum Exit {
    /// The window was closed.
    Closed,
    /// The device was lost.
    DeviceLost(String),
}

impl Worker {
    pub(super) fn new(
        gpu: Gpu,
        mailbox: Arc<Mailbox>,
        inbox: Receiver<Command>,
        shaders: Shaders,
    ) -> Self {
        Self {
            gpu,
            mailbox,
            inbox,
            shaders,
            run: None,
            failed_scene: None,
            playing: false,
            play_when_ready: false,
            pace: Pace::new(),
            mode: Default::default(),
            lockstep: false,
            awaiting_draw: false,
            ready_for_surface: true,
            timed: false,
            consecutive_failures: 0,
            rates: Rates::default(),
            last_report: None,
            last_checkpoint: Instant::now(),
        }
    }

    /// Runs until the window closes or the device is lost.
    pub(super) fn work(&mut self, chosen: Chosen, from: Option<State>) {
        let mailbox = Arc::clone(&self.mailbox);
        let guard = mailbox.device_lock.lock();
        let loaded = self.load(chosen, from.as_ref());
        drop(guard);
        let result = loaded.and_then(|()| self.run_loop());
        if let Err(Exit::DeviceLost(message)) = result {
            self.mailbox.publish(|update| update.condition = Condition::DeviceLost(message));
        }
    }

    fn run_loop(&mut self) -> Result<(), Exit> {
        let mailbox = Arc::clone(&self.mailbox);
        loop {
            while let Some(command) = self.next_command()? {
                let _guard = mailbox.device_lock.lock();
                self.execute(command)?;
            }
            let _guard = mailbox.device_lock.lock();
            let now = Instant::now();
            let Some(run) = &mut self.run else { continue };
            if self.pace.wait(now, run.simulation().time()).is_some() {
                continue;
            }
            let frame = run.simulation().control().frame;
            self.advance(async |run| run.advance().await)?;
            let ended = self.run.as_ref().is_some_and(|run| {
                let control = run.simulation().control();
                control.frame_done == 1 || control.frame != frame
            });
            self.awaiting_draw = self.lockstep && ended;
            if self.ready_for_surface || self.awaiting_draw {
                self.update_surface()?;
            }
            if self.awaiting_draw {
                self.mailbox.publish(|update| update.waiting = true);
            }
            self.keep_checkpoint()?;
        }
    }

    /// Next command, waiting for one if there is nothing else to do; `None` when it is time for a
    /// step.
    fn next_command(&mut self) -> Result<Option<Command>, Exit> {
        let time = self.run.as_ref().map(|run| run.simulation().time());
        let idle = !self.playing || self.awaiting_draw || time.is_none();
        if idle {
            return self.inbox.recv().map(Some).map_err(|_| Exit::Closed);
        }
        let wait = time.and_then(|time| self.pace.wait(Instant::now(), time));
        match wait {
            None => match self.inbox.try_recv() {
                Ok(command) => Ok(Some(command)),
                Err(TryRecvError::Empty) => Ok(None),
                Err(TryRecvError::Disconnected) => Err(Exit::Closed),
            },
            Some(wait) => match self.inbox.recv_timeout(wait) {
                Ok(command) => Ok(Some(command)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(Exit::Closed),
            },
        }
    }

    fn execute(&mut self, command: Command) -> Result<(), Exit> {
        match command {
            Command::Load(chosen) => return self.load(*chosen, None),
            Command::Reset => return self.reset(),
            Command::Play(playing) => return self.play(playing),
            Command::Step => {
                self.play(false)?;
                self.advance(async |run| run.step().await)?;
                self.update_surface()?;
            }
            Command::Frame => {
                self.play(false)?;
                self.advance(async |run| run.frame().await)?;
                self.update_surface()?;
            }
            Command::TimeScale(scale) => self.pace.set_scale(scale),
            Command::Tune(tuning) => {
                if let Some(run) = &mut self.run {
                    run.tune(*tuning);
                }
            }
            Command::Hand(command) => {
                let gpu = &self.gpu;
                let found = self.run.as_mut().map(|run| block_on(gpu, run.hand(command)));
                let found = self.report_error(found.transpose())?.flatten().flatten();
                if found.is_some() {
                    self.mailbox.publish(|update| update.grabbed = found);
                }
            }
            Command::Show(mode, options) => {
                self.mode = (mode, options);
                return self.show();
            }
            Command::Drawn { recorded } => {
                self.ready_for_surface = true;
                let frame = self.run.as_ref().map(|run| run.simulation().control().frame);
                if self.awaiting_draw && recorded == frame {
                    self.awaiting_draw = false;
                    self.mailbox.set(|update| update.waiting = false);
                }
            }
            Command::Lockstep(on) => {
                self.lockstep = on;
                self.awaiting_draw = false;
                self.mailbox.set(|update| update.waiting = false);
            }
            Command::Time(timed) => {
                self.timed = timed;
                let result = self.run.as_mut().map(|run| run.set_timed(timed));
                self.report_error(result.transpose())?;
            }
            Command::Shaders(shaders) => return self.reload(*shaders),
        }
        Ok(())
    }

    fn play(&mut self, playing: bool) -> Result<(), Exit> {
        let failed = self.run.as_ref().is_some_and(|run| run.simulation().control().failure != 0);
        self.play_when_ready = playing;
        self.playing = playing && !failed && self.run.is_some();
        self.pace.restart();
        self.rates = Rates::default();
        let playing = self.playing;
        self.mailbox.publish(|update| update.playing = playing);
        if playing { Ok(()) } else { self.update_surface() }
    }

    /// Creates the surface data that the view mode needs.
    fn show(&mut self) -> Result<(), Exit> {
        let (gpu, mode) = (&self.gpu, self.mode);
        let result = self.run.as_mut().map(|run| block_on(gpu, run.show(mode)));
        self.report_error(result.transpose())?;
        self.publish_fluid();
        Ok(())
    }

    /// Recomputes the surface, if the view mode has one.
    fn update_surface(&mut self) -> Result<(), Exit> {
        let Some(run) = self.run.as_mut().filter(|run| run.has_surface()) else { return Ok(()) };
        let result = block_on(&self.gpu, run.extract());
        self.report_error(result)?;
        self.ready_for_surface = false;
        self.publish_fluid();
        Ok(())
    }

    /// Publishes the current buffers to draw from.
    fn publish_fluid(&self) {
        let Some(run) = &self.run else { return };
        let (fluid, memory) = (run.fluid(), run.memory());
        self.mailbox.publish(|update| {
            update.fluid = Some(fluid);
            update.memory = Arc::new(memory);
            update.revision += 1;
        });
    }

    /// Sets up a scene; the previous one stays if that fails.
    fn load(&mut self, chosen: Chosen, from: Option<&State>) -> Result<(), Exit> {
        self.mailbox.publish(|update| update.condition = Condition::Loading);
        let gpu = &self.gpu;
        let other = match (&mut self.run, from) {
            (Some(run), None) => block_on(gpu, run.with_transfer(&chosen, &self.shaders)),
            _ => Ok(None),
        };
        let run = match other {
            Ok(Some(run)) => Ok(run),
            Ok(None) => block_on(gpu, Run::new(gpu, chosen.clone(), from, &self.shaders)),
            Err(error) => Err(error),
        };
        self.failed_scene = (run.is_err() && self.run.is_none()).then_some(chosen);
        self.install(run)
    }

    fn reset(&mut self) -> Result<(), Exit> {
        let Some(run) = &self.run else {
            let failed = self.failed_scene.take();
            return failed.map_or(Ok(()), |chosen| self.load(chosen, None));
        };
        let run = block_on(&self.gpu, run.again(None, &self.shaders));
        self.install(run)
    }

    /// Resumes with other shaders, or keeps the current ones if those do not compile.
    fn reload(&mut self, shaders: Shaders) -> Result<(), Exit> {
        let Some(run) = &self.run else {
            self.shaders = shaders;
            return self.reset();
        };
        let result = block_on(&self.gpu, async {
            let state = run.state().await?;
            run.again(Some(&state), &shaders).await
        });
        match result {
            Ok(run) => {
                self.shaders = shaders;
                self.install(Ok(run))?;
                self.notify(Ok("shaders reloaded".into()));
                Ok(())
            }
            Err(error) => {
                self.check_device(&error)?;
                self.notify(Err(format!("{error}; keeping the last shaders that compiled")));
                Ok(())
            }
        }
    }

    /// Makes a run the current one, or reports why it could not be set up.
    fn install(&mut self, run: Result<Run, Error>) -> Result<(), Exit> {
        let mut run = match run {
            Ok(run) => run,
            Err(error) => {
                self.check_device(&error)?;
                let condition = match &self.run {
                    None => Condition::Broken(error.to_string()),
                    Some(_) => {
                        self.notify(Err(error.to_string()));
                        Condition::Ready
                    }
                };
                self.mailbox.publish(|update| update.condition = condition);
                return Ok(());
            }
        };
        let timed = run.set_timed(self.timed);
        self.report_error(timed)?;
        let shown = block_on(&self.gpu, run.show(self.mode));
        self.report_error(shown)?;
        self.pace.restart();
        self.rates = Rates::default();
        self.last_report = None;
        self.awaiting_draw = false;
        self.mailbox.keep(None);
        let summary = Arc::new(Summary {
            tuning: run.scene_tuning().clone(),
            fps: run.scene().time.fps,
            can_time: self.gpu.has_timestamps(),
        });
        self.run = Some(run);
        let stats = self.stats()?;
        self.publish_fluid();
        self.playing = self.play_when_ready;
        let playing = self.playing;
        self.mailbox.publish(|update| {
            update.condition = Condition::Ready;
            update.summary = Some(summary);
            update.stats = stats;
            update.epoch += 1;
            update.playing = playing;
            update.times.clear();
        });
        Ok(())
    }

    /// Advances the simulation with `how` and publishes the result.
    fn advance(
        &mut self,
        how: impl AsyncFnOnce(&mut Run) -> Result<u32, Error>,
    ) -> Result<(), Exit> {
        let Some(run) = &mut self.run else { return Ok(()) };
        let before = run.simulation().time();
        let result = block_on(&self.gpu, how(run));
        let times = run.simulation_mut().take_times();
        let passed = run.simulation().time() - before;
        // A surface stays valid until it is recomputed; particles change in place.
        let fresh = !run.has_surface();
        let fluid = run.fluid();
        let failed = match result {
            Ok(steps) => {
                self.consecutive_failures = 0;
                self.rates.learn(steps, passed, Instant::now());
                None
            }
            Err(error) => {
                self.check_device(&error)?;
                self.consecutive_failures += 1;
                let over = matches!(error, Error::Failed(_))
                    || self.consecutive_failures > MAX_CONSECUTIVE_FAILURES;
                if over {
                    self.playing = false;
                } else {
                    self.notify(Err(error.to_string()));
                }
                over.then(|| error.to_string())
            }
        };
        let stats = if failed.is_none() { Some(self.stats()?) } else { None };
        let playing = self.playing;
        self.mailbox.publish(|update| {
            update.times.extend(times);
            update.playing = playing;
            if fresh {
                update.fluid = Some(fluid);
                update.revision += 1;
            }
            if let Some(stats) = stats {
                update.stats = stats;
            }
            if let Some(message) = failed {
                update.condition = Condition::Failed(message);
            }
        });
        Ok(())
    }

    fn stats(&mut self) -> Result<Stats, Exit> {
        let now = Instant::now();
        let due = self.last_report.is_none_or(|at| now - at > REPORT_INTERVAL) || !self.playing;
        let report = match &mut self.run {
            Some(run) if due => Some(block_on(&self.gpu, run.report())),
            _ => None,
        };
        if due {
            self.last_report = Some(now);
        }
        let report = self.report_error(report.transpose())?.flatten().map(|(report, found)| {
            found.into_iter().for_each(|text| self.notify(Err(text)));
            report
        });
        let Some(run) = &self.run else { return Ok(Stats::default()) };
        let (simulation, control) = (run.simulation(), run.simulation().control());
        let (steps, pace) = self.rates.per_second();
        let particles = run.count();
        let mut stats = Stats {
            time: simulation.time(),
            frame: control.frame,
            dt: control.dt.into(),
            particles,
            steps_per_second: steps,
            particle_steps_per_second: steps * f64::from(particles),
            pace,
            steps_per_submission: simulation.steps_per_submission(),
            loops: loops(run),
            report,
        };
        if stats.report.is_none() {
            self.mailbox.peek(|update| stats.report = update.stats.report.clone());
        }
        Ok(stats)
    }

    /// Takes a checkpoint from time to time, to resume from after the device was lost.
    fn keep_checkpoint(&mut self) -> Result<(), Exit> {
        let Some(run) = &self.run else { return Ok(()) };
        let between = run.simulation().control().frame_done == 1;
        if !between
            || self.last_checkpoint.elapsed() < CHECKPOINT_INTERVAL
            || run.state_bytes() > MAX_CHECKPOINT_BYTES
        {
            return Ok(());
        }
        let state = block_on(&self.gpu, run.state());
        let state = self.report_error(state)?;
        self.last_checkpoint = Instant::now();
        self.mailbox.keep(state);
        Ok(())
    }

    /// Shows a message to the user.
    fn notify(&self, message: Result<String, String>) {
        self.mailbox.publish(|update| update.messages.push(message));
    }

    /// The value. An error is shown to the user, or ends the thread if the device was lost.
    fn report_error<T>(&self, result: Result<T, Error>) -> Result<Option<T>, Exit> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                self.check_device(&error)?;
                self.notify(Err(error.to_string()));
                Ok(None)
            }
        }
    }

    fn check_device(&self, error: &Error) -> Result<(), Exit> {
        let dead =
            matches!(error, Error::Device(_) | Error::DeviceLost(_)) && self.gpu.check().is_err();
        if dead { Err(Exit::DeviceLost(error.to_string())) } else { Ok(()) }
    }
}

/// Loops of the solver, with their iterations and their error in percent in a step of this frame.
fn loops(run: &Run) -> Vec<(String, f64, f64)> {
    let control = run.simulation().control();
    let steps = f64::from(control.steps_in_frame.max(1));
    let names = run.simulation().setup().chosen.loops();
    let of = |(name, found): (&str, &LoopReport)| {
        (
            name.to_owned(),
            f64::from(found.iterations) / steps,
            f64::from(found.residual_sum) / steps,
        )
    };
    names.into_iter().zip(&control.loops).map(of).collect()
}

/// Averages over the recent past.
#[derive(Debug, Default)]
struct Rates {
    since: Option<Instant>,
    steps: f64,
    simulated: f64,
    last: (f64, f64),
}

impl Rates {
    fn learn(&mut self, steps: u32, simulated: f64, now: Instant) {
        let since = *self.since.get_or_insert(now);
        self.steps += f64::from(steps);
        self.simulated += simulated;
        let elapsed = (now - since).as_secs_f64();
        if elapsed > RATE_WINDOW {
            self.last = (self.steps / elapsed, self.simulated / elapsed);
            (self.since, self.steps, self.simulated) = (Some(now), 0.0, 0.0);
        }
    }

    /// Steps and simulated seconds per real second.
    fn per_second(&self) -> (f64, f64) {
        self.last
    }
}
