//! Effects of user actions, and of updates from the simulation.

use meniscus_formats::write_whole;
use meniscus_live::{Choice, Chosen, Hand};
use meniscus_render::{Mode, Quantity};

use super::App;
use crate::{
    action::Action,
    files::next_free,
    record::Video,
    simulation_thread::{Command, Condition},
    trace,
};

/// Most particles on a software adapter, unless more were asked for.
const SOFTWARE_PARTICLES: u32 = 10_000;
/// Ratios of simulated to real time that the speed keys step through; `None` is unlimited.
const SCALES: [Option<f64>; 8] =
    [Some(0.05), Some(0.1), Some(0.25), Some(0.5), Some(1.0), Some(2.0), Some(4.0), None];

impl App {
    pub(super) fn send(&self, command: Command) {
        if let Some(session) = &self.session {
            session.simulation.send(command);
        }
    }

    /// Carries out an action. Returns false when the window should close.
    pub(super) fn act(&mut self, action: Action) -> bool {
        match action {
            Action::PlayPause => self.send(Command::Play(!self.model.playing)),
            Action::Step => self.send(Command::Step),
            Action::Frame => self.send(Command::Frame),
            Action::Reset => {
                self.release_hand();
                self.send(Command::Reset);
            }
            Action::Slower => self.change_speed(-1),
            Action::Faster => self.change_speed(1),
            Action::TimeScale(scale) => self.set_speed(scale),
            Action::Load(source) => self.load(Choice::of(source)),
            Action::Particles(particles) => {
                self.load(Choice { particles: Some(particles), ..self.choice.clone() });
            }
            Action::Solver(name) => {
                let mut choice = self.choice.clone();
                choice.options.solver = Some(name.to_owned());
                self.load(choice);
            }
            Action::Tune => self.send_tuning(),
            Action::ResetTuning => {
                self.model.tuning = self.model.summary.as_ref().map(|s| s.tuning.clone());
                self.send_tuning();
            }
            Action::Mode(mode) => self.model.view.mode = mode,
            Action::NextColor => {
                let all = &self.model.quantities;
                let at = all.iter().position(|color| *color == self.model.view.color);
                self.model.view.color = all[(at.unwrap_or(0) + 1) % all.len()];
                self.model.view.range = None;
            }
            Action::Boundaries => self.model.view.boundaries ^= true,
            Action::Legend => self.model.view.legend ^= true,
            Action::ResetCamera => self.frame_scene(false),
            Action::Controls => self.model.controls_open ^= true,
            Action::Profiler => {
                self.model.profiler_open ^= true;
                self.send(Command::Time(self.model.profiler_open));
            }
            Action::Help => self.model.help_open ^= true,
            Action::Screenshot => {
                let path = next_free(&self.arguments.out, "png");
                if let Some(session) = &mut self.session {
                    session.pending_screenshots.push(path);
                }
            }
            Action::Record => self.start_or_stop_video(),
            Action::Trace => self.export_trace(),
            Action::CloseNotice(index) => self.model.notices.close(index),
            Action::Quit => return false,
        }
        true
    }

    fn change_speed(&mut self, by: i32) {
        let at = SCALES.iter().position(|scale| *scale == self.model.time_scale).unwrap_or(4);
        let at = (at as i32 + by).clamp(0, SCALES.len() as i32 - 1) as usize;
        self.set_speed(SCALES[at]);
        let speed = SCALES[at].map_or("unlimited".into(), |scale| format!("{scale} ×"));
        self.model.notices.info(format!("speed: {speed}"));
    }

    fn set_speed(&mut self, scale: Option<f64>) {
        self.model.time_scale = scale;
        self.send(Command::TimeScale(scale));
    }

    fn send_tuning(&self) {
        if let Some(tuning) = &self.model.tuning {
            self.send(Command::Tune(Box::new(tuning.clone())));
        }
    }

    /// Opens a scene, or keeps the current one and reports the error if that fails.
    pub(super) fn load(&mut self, choice: Choice) {
        match choice.load(self.most_particles()) {
            Ok(chosen) => {
                self.choice = chosen.choice.clone();
                self.model.notices.clear_errors();
                self.adopt_scene(&chosen);
                self.release_hand();
                self.send(Command::Load(Box::new(chosen)));
                self.send(Command::Play(!self.arguments.paused || self.model.playing));
            }
            Err(error) => self.model.notices.error(error.to_string()),
        }
        self.request_redraw();
    }

    /// Most particles of a scene for which no number was asked.
    pub(super) fn most_particles(&self) -> Option<u32> {
        self.model.software.then_some(SOFTWARE_PARTICLES)
    }

    /// Updates the panels for a new scene.
    pub(super) fn adopt_scene(&mut self, chosen: &Chosen) {
        let source = chosen.choice.source.clone();
        if !self.model.sources.contains(&source) {
            self.model.sources.push(source.clone());
        }
        self.model.source = source;
        self.model.title = chosen.scene.title.clone();
        self.model.solver = chosen.scene.solver.clone();
        self.model.reduced_from = chosen.reduced_from;
        self.model.tuning = None;
        self.adopts_tuning = true;
        self.model.summary = None;
        self.model.hand = None;
        self.model.view.range = None;
        self.model.view = std::mem::take(&mut self.model.view).with_light_of(&chosen.scene);
        for note in &chosen.notes {
            self.model.notices.info(note.clone());
        }
        if let Some(window) = &self.window {
            window.set_title(&format!("meniscus: {}", self.model.source));
        }
    }

    /// Releases the hand and puts the tank back where the scene has it.
    fn release_hand(&mut self) {
        for command in self.hand_tool.forget() {
            self.send(Command::Hand(command));
        }
    }

    /// Sends the window's settings to a new simulation.
    pub(super) fn send_settings(&self) {
        self.send(Command::TimeScale(self.model.time_scale));
        self.send(Command::Time(self.model.profiler_open));
    }

    /// Moves the camera so that the scene fills the picture.
    pub(super) fn frame_scene(&mut self, at_once: bool) {
        let Some(session) = &self.session else { return };
        let Some(fluid) = &session.update.fluid else { return };
        let [width, height] = session.picture.size().map(f64::from);
        self.needs_framing = false;
        self.camera.frame(fluid, width / height, at_once);
    }

    /// Takes the simulation's latest update. The error says why the device was lost.
    pub(super) fn take_update(&mut self) -> Result<(), String> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let mut update = session.simulation.take_update();
        let new_epoch = update.epoch != session.update.epoch;
        let model = &mut self.model;
        model.condition = update.condition.clone();
        model.playing = update.playing;
        model.stats = update.stats.clone();
        model.memory = update.memory.clone();
        model.summary = update.summary.clone();
        for message in update.messages.drain(..) {
            match message {
                Ok(text) => {
                    model.notices.clear_errors();
                    model.notices.info(text);
                }
                Err(text) => model.notices.error(text),
            }
        }
        if new_epoch {
            model.profiler.clear();
            if std::mem::take(&mut self.adopts_tuning) {
                model.tuning = None;
            }
        }
        model.profiler.learn(std::mem::take(&mut update.times), model.software);
        if let Some(place) = update.grabbed {
            self.hand_tool.grabbed(place);
        }
        if let Some(fluid) = &update.fluid {
            let model = &mut self.model;
            model.quantities = fluid.quantities.iter().map(|(quantity, _)| *quantity).collect();
            if !model.quantities.contains(&model.view.color) {
                model.view.color = Quantity::SPEED;
                model.view.range = None;
            }
            let flat = fluid.params.world.dimensions == 2;
            let (modes, usual) = match (fluid.smoke.is_some(), flat) {
                (true, true) => (Mode::OF_SMOKE, Mode::Slice),
                (true, false) => (Mode::OF_SMOKE, Mode::Smoke),
                (false, _) => (Mode::OF_PARTICLES, Mode::default()),
            };
            if !modes.contains(&model.view.mode) {
                model.view.mode = usual;
            }
        }
        let summary = self.model.summary.as_ref();
        if let (None, Some(summary)) = (&self.model.tuning, summary) {
            self.model.tuning = Some(summary.tuning.clone());
        }
        let first = self.model.hand.is_none();
        if let (true, Some(fluid)) = (first, &update.fluid) {
            self.model.hand = Some(Hand::for_scene(fluid));
        }
        let lost = match &update.condition {
            Condition::DeviceLost(why) => Some(why.clone()),
            _ => session.screen.gpu.check().err().map(|error| error.to_string()),
        };
        session.update = update;
        self.needs_framing |= new_epoch && first;
        lost.map_or(Ok(()), Err)
    }

    /// Checks for shaders that were saved since the last call.
    pub(super) fn poll_watch(&mut self) {
        match self.watch.as_mut().and_then(|watch| watch.poll()) {
            Some(Ok(shaders)) => {
                self.shaders = shaders.clone();
                self.send(Command::Shaders(Box::new(shaders)));
            }
            Some(Err(text)) => self.model.notices.error(text),
            None => return,
        }
        self.request_redraw();
    }

    fn start_or_stop_video(&mut self) {
        if self.video.is_some() {
            self.end_video();
            return;
        }
        let Some(session) = &mut self.session else { return };
        let fps = self.model.summary.as_ref().map_or(60.0, |summary| summary.fps);
        let size = session.picture.size();
        session.recorded = None;
        self.video = Some(Video::start(&self.arguments.out, size, fps, &mut self.jobs));
        self.send(Command::Lockstep(true));
    }

    pub(super) fn end_video(&mut self) {
        if self.video.take().is_some() {
            self.send(Command::Lockstep(false));
        }
    }

    fn export_trace(&mut self) {
        let (passes, pictures) = self.model.profiler.trace();
        let path = next_free(&self.arguments.out, "trace.json");
        self.jobs.start(move || {
            let text = trace::chrome(&passes, &pictures);
            write_whole(&path, |writer| writer.write_all(text.as_bytes()))
                .map_err(|error| error.to_string())?;
            Ok(format!("saved {}: open it in ui.perfetto.dev", path.display()))
        });
    }

    /// Reports finished screenshots, videos and traces.
    pub(super) fn take_outcomes(&mut self) {
        while let Some(outcome) = self.jobs.outcome() {
            match outcome {
                Ok(text) => self.model.notices.info(text),
                Err(text) => {
                    self.end_video();
                    self.model.notices.error(text);
                }
            }
        }
    }
}
