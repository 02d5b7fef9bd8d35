//! The thread's loop.

use std::{
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError},
    },
    time::{Duration, Instant},
};

use meniscus::{Error, Gpu, SurfaceOptions, model::State, shaders::Shaders};
use meniscus_render::Mode;

use super::{
    command::Command,
    news::{Condition, Desk, Figures},
    pace::Pace,
    run::Run,
};
use crate::scene_choice::Chosen;

/// How often the sums over all particles are formed.
const REPORTS: Duration = Duration::from_millis(250);
/// How often a state is kept to go on from after the device was lost.
const CHECKPOINTS: Duration = Duration::from_secs(10);
/// States larger than this are not kept.
const LARGEST_CHECKPOINT: u64 = 256 << 20;
/// A device may refuse this many submissions in a row.
const MOST_STUMBLES: u32 = 3;
/// Rates are means over about this long.
const RATES: f64 = 0.5;

/// What the thread has.
pub(super) struct Worker {
    gpu: Gpu,
    desk: Arc<Desk>,
    inbox: Receiver<Command>,
    shaders: Shaders,
    run: Option<Run>,
    /// A scene that could not be set up, when there is no other: a reset tries again.
    failed: Option<Chosen>,
    playing: bool,
    /// Whether to play as soon as there is something to play.
    eager: bool,
    pace: Pace,
    mode: (Mode, SurfaceOptions),
    lockstep: bool,
    /// In lockstep, a frame waits to be drawn.
    undrawn: bool,
    /// The window has drawn the surface that it was given, and can do with another one.
    hungry: bool,
    timed: bool,
    /// Failures in a row of a device that is still there.
    stumbles: u32,
    rates: Rates,
    reported: Option<Instant>,
    kept: Instant,
}

/// Why the loop ends.
enum End {
    /// The window has closed.
    Closed,
    /// The device is gone.
    DeviceLost(String),
}

impl Worker {
    pub(super) fn new(
        gpu: Gpu,
        desk: Arc<Desk>,
        inbox: Receiver<Command>,
        shaders: Shaders,
    ) -> Self {
        Self {
            gpu,
            desk,
            inbox,
            shaders,
            run: None,
            failed: None,
            playing: false,
            eager: false,
            pace: Pace::new(),
            mode: Default::default(),
            lockstep: false,
            undrawn: false,
            hungry: true,
            timed: false,
            stumbles: 0,
            rates: Rates::default(),
            reported: None,
            kept: Instant::now(),
        }
    }

    /// Runs until the window closes or the device is lost.
    pub(super) fn work(&mut self, chosen: Chosen, from: Option<State>) {
        let desk = Arc::clone(&self.desk);
        let turn = desk.turns.begin();
        let loaded = self.load(chosen, from.as_ref());
        drop(turn);
        let result = loaded.and_then(|()| self.go_on());
        if let Err(End::DeviceLost(sentence)) = result {
            self.desk.publish(|news| news.condition = Condition::DeviceLost(sentence));
        }
    }

    fn go_on(&mut self) -> Result<(), End> {
        let desk = Arc::clone(&self.desk);
        loop {
            while let Some(command) = self.next_command()? {
                let _turn = desk.turns.begin();
                self.obey(command)?;
            }
            let _turn = desk.turns.begin();
            let now = Instant::now();
            let Some(run) = &mut self.run else { continue };
            if self.pace.wait(now, run.simulation.time()).is_some() {
                continue;
            }
            let frame = run.simulation.control().frame;
            self.advance(Run::advance)?;
            let ended = self.run.as_ref().is_some_and(|run| {
                let control = run.simulation.control();
                control.frame_done == 1 || control.frame != frame
            });
            self.undrawn = self.lockstep && ended;
            if self.hungry || self.undrawn {
                self.refresh()?;
            }
            if self.undrawn {
                self.desk.publish(|news| news.waiting = true);
            }
            self.keep_checkpoint()?;
        }
    }

    /// The next command, after a wait where there is nothing else to do; `None` when there is.
    fn next_command(&mut self) -> Result<Option<Command>, End> {
        let time = self.run.as_ref().map(|run| run.simulation.time());
        let idle = !self.playing || self.undrawn || time.is_none();
        if idle {
            return self.inbox.recv().map(Some).map_err(|_| End::Closed);
        }
        let wait = time.and_then(|time| self.pace.wait(Instant::now(), time));
        match wait {
            None => match self.inbox.try_recv() {
                Ok(command) => Ok(Some(command)),
                Err(TryRecvError::Empty) => Ok(None),
                Err(TryRecvError::Disconnected) => Err(End::Closed),
            },
            Some(wait) => match self.inbox.recv_timeout(wait) {
                Ok(command) => Ok(Some(command)),
                Err(RecvTimeoutError::Timeout) => Ok(None),
                Err(RecvTimeoutError::Disconnected) => Err(End::Closed),
            },
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), End> {
        match command {
            Command::Load(chosen) => return self.load(*chosen, None),
            Command::Reset => return self.reset(),
            Command::Play(playing) => return self.play(playing),
            Command::Step => {
                self.play(false)?;
                self.advance(Run::step)?;
                self.refresh()?;
            }
            Command::Frame => {
                self.play(false)?;
                self.advance(Run::frame)?;
                self.refresh()?;
            }
            Command::TimeScale(scale) => self.pace.set_scale(scale),
            Command::Tune(tuning) => {
                if let Some(run) = &mut self.run {
                    run.tune(*tuning);
                }
            }
            Command::Grab { origin, direction } => {
                let found = self.run.as_ref().map(|run| run.pick(origin, direction));
                let found = self.unless_lost(found.transpose())?.flatten().flatten();
                self.desk.publish(|news| news.grabbed = found);
            }
            Command::Grip(grip) => {
                if let Some(run) = &mut self.run {
                    run.grip(grip);
                }
            }
            Command::Pull(pull) => {
                if let Some(run) = &mut self.run {
                    run.pull(pull);
                }
            }
            Command::MoveTank(wanted) => {
                if let Some(run) = &mut self.run {
                    run.tank = wanted;
                }
            }
            Command::Show(mode, options) => {
                self.mode = (mode, options);
                return self.show();
            }
            Command::Drawn { filmed } => {
                self.hungry = true;
                let frame = self.run.as_ref().map(|run| run.simulation.control().frame);
                if self.undrawn && filmed == frame {
                    self.undrawn = false;
                    self.desk.set(|news| news.waiting = false);
                }
            }
            Command::Lockstep(on) => {
                self.lockstep = on;
                self.undrawn = false;
                self.desk.set(|news| news.waiting = false);
            }
            Command::Time(timed) => {
                self.timed = timed;
                let result = self.run.as_mut().map(|run| run.set_timed(timed));
                self.unless_lost(result.transpose())?;
            }
            Command::Shaders(shaders) => return self.reload(*shaders),
        }
        Ok(())
    }

    fn play(&mut self, playing: bool) -> Result<(), End> {
        let failed = self.run.as_ref().is_some_and(|run| run.simulation.control().failure != 0);
        self.eager = playing;
        self.playing = playing && !failed && self.run.is_some();
        self.pace.restart();
        self.rates = Rates::default();
        let playing = self.playing;
        self.desk.publish(|news| news.playing = playing);
        if playing { Ok(()) } else { self.refresh() }
    }

    /// Prepares what the mode of drawing needs.
    fn show(&mut self) -> Result<(), End> {
        let mode = self.mode;
        let result = self.run.as_mut().map(|run| run.show(mode));
        self.unless_lost(result.transpose())?;
        self.hand_over();
        Ok(())
    }

    /// Makes the surface anew, where the mode of drawing has one.
    fn refresh(&mut self) -> Result<(), End> {
        let Some(run) = self.run.as_mut().filter(|run| run.has_skin()) else { return Ok(()) };
        let result = run.extract();
        self.unless_lost(result)?;
        self.hungry = false;
        self.hand_over();
        Ok(())
    }

    /// Gives the window something new to draw.
    fn hand_over(&self) {
        let Some(run) = &self.run else { return };
        let (fluid, memory) = (run.fluid(), run.memory());
        self.desk.publish(|news| {
            news.fluid = Some(fluid);
            news.memory = Arc::new(memory);
            news.revision += 1;
        });
    }

    /// Sets a scene up; the one before stays where that fails.
    fn load(&mut self, chosen: Chosen, from: Option<&State>) -> Result<(), End> {
        self.desk.publish(|news| news.condition = Condition::Loading);
        let run = Run::new(&self.gpu, chosen.clone(), from, &self.shaders);
        self.failed = (run.is_err() && self.run.is_none()).then_some(chosen);
        self.take_up(run)
    }

    fn reset(&mut self) -> Result<(), End> {
        let Some(run) = &self.run else {
            let failed = self.failed.take();
            return failed.map_or(Ok(()), |chosen| self.load(chosen, None));
        };
        let run = run.again(None, &self.shaders);
        self.take_up(run)
    }

    /// Goes on where it is with other shaders; they are dropped where they do not compile.
    fn reload(&mut self, shaders: Shaders) -> Result<(), End> {
        let Some(run) = &self.run else {
            self.shaders = shaders;
            return self.reset();
        };
        let result = run.state().and_then(|state| run.again(Some(&state), &shaders));
        match result {
            Ok(run) => {
                self.shaders = shaders;
                self.take_up(Ok(run))?;
                self.say(Ok("the shaders were reloaded".into()));
                Ok(())
            }
            Err(error) => {
                self.check_device(&error)?;
                self.say(Err(format!("{error}; the last good shaders go on")));
                Ok(())
            }
        }
    }

    /// Makes a run the present one.
    fn take_up(&mut self, run: Result<Run, Error>) -> Result<(), End> {
        let mut run = match run {
            Ok(run) => run,
            Err(error) => {
                self.check_device(&error)?;
                let condition = match &self.run {
                    None => Condition::Broken(error.to_string()),
                    Some(_) => {
                        self.say(Err(error.to_string()));
                        Condition::Ready
                    }
                };
                self.desk.publish(|news| news.condition = condition);
                return Ok(());
            }
        };
        let timed = run.set_timed(self.timed);
        self.unless_lost(timed)?;
        let shown = run.show(self.mode);
        self.unless_lost(shown)?;
        self.pace.restart();
        self.rates = Rates::default();
        self.reported = None;
        self.undrawn = false;
        self.desk.keep(None);
        let summary = Arc::clone(&run.summary);
        self.run = Some(run);
        let figures = self.figures()?;
        self.hand_over();
        self.playing = self.eager;
        let playing = self.playing;
        self.desk.publish(|news| {
            news.condition = Condition::Ready;
            news.summary = Some(summary);
            news.figures = figures;
            news.epoch += 1;
            news.playing = playing;
            news.times.clear();
        });
        Ok(())
    }

    /// Makes steps in some way, and says what came of it.
    fn advance(
        &mut self,
        how: impl FnOnce(&mut Run) -> Result<(u32, Duration), Error>,
    ) -> Result<(), End> {
        let Some(run) = &mut self.run else { return Ok(()) };
        let before = run.simulation.time();
        let result = how(run);
        let times = run.simulation.take_times();
        let passed = run.simulation.time() - before;
        // A surface is drawn as it was made; particles are drawn in place.
        let fresh = !run.has_skin();
        let fluid = run.fluid();
        let failed = match result {
            Ok((steps, _)) => {
                self.stumbles = 0;
                self.rates.learn(steps, passed, Instant::now());
                None
            }
            Err(error) => {
                self.check_device(&error)?;
                self.stumbles += 1;
                let over = matches!(error, Error::Failed(_)) || self.stumbles > MOST_STUMBLES;
                if over {
                    self.playing = false;
                } else {
                    self.say(Err(error.to_string()));
                }
                over.then(|| error.to_string())
            }
        };
        let figures = if failed.is_none() { Some(self.figures()?) } else { None };
        let playing = self.playing;
        self.desk.publish(|news| {
            news.times.extend(times);
            news.playing = playing;
            if fresh {
                news.fluid = Some(fluid);
                news.revision += 1;
            }
            if let Some(figures) = figures {
                news.figures = figures;
            }
            if let Some(sentence) = failed {
                news.condition = Condition::Failed(sentence);
            }
        });
        Ok(())
    }

    fn figures(&mut self) -> Result<Figures, End> {
        let now = Instant::now();
        let due = self.reported.is_none_or(|at| now - at > REPORTS) || !self.playing;
        let report = match &mut self.run {
            Some(run) if due => Some(run.report()),
            _ => None,
        };
        if due {
            self.reported = Some(now);
        }
        let report = self.unless_lost(report.transpose())?.flatten();
        let Some(run) = &self.run else { return Ok(Figures::default()) };
        let control = run.simulation.control();
        let (steps, pace) = self.rates.per_second();
        let mut figures = Figures {
            time: run.simulation.time(),
            frame: control.frame,
            dt: control.dt.into(),
            particles: control.particle_count,
            steps_per_second: steps,
            particle_steps_per_second: steps * f64::from(control.particle_count),
            pace,
            steps_per_submission: run.steps_per_submission(),
            report,
        };
        if figures.report.is_none() {
            self.desk.peek(|news| figures.report = news.figures.report.clone());
        }
        Ok(figures)
    }

    /// Keeps a state now and then, to go on from after the device was lost.
    fn keep_checkpoint(&mut self) -> Result<(), End> {
        let Some(run) = &self.run else { return Ok(()) };
        let between = run.simulation.control().frame_done == 1;
        if !between || self.kept.elapsed() < CHECKPOINTS || run.state_bytes() > LARGEST_CHECKPOINT {
            return Ok(());
        }
        let state = run.state();
        let state = self.unless_lost(state)?;
        self.kept = Instant::now();
        self.desk.keep(state);
        Ok(())
    }

    /// A sentence for the user.
    fn say(&self, sentence: Result<String, String>) {
        self.desk.publish(|news| news.sentences.push(sentence));
    }

    /// The value; an error is told to the user, or ends the thread where the device is gone.
    fn unless_lost<T>(&self, result: Result<T, Error>) -> Result<Option<T>, End> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                self.check_device(&error)?;
                self.say(Err(error.to_string()));
                Ok(None)
            }
        }
    }

    fn check_device(&self, error: &Error) -> Result<(), End> {
        let dead = matches!(error, Error::Device(_)) && self.gpu.check().is_err();
        if dead { Err(End::DeviceLost(error.to_string())) } else { Ok(()) }
    }
}

/// Means over the recent past.
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
        if elapsed > RATES {
            self.last = (self.steps / elapsed, self.simulated / elapsed);
            (self.since, self.steps, self.simulated) = (Some(now), 0.0, 0.0);
        }
    }

    /// Steps, and simulated seconds.
    fn per_second(&self) -> (f64, f64) {
        self.last
    }
}
