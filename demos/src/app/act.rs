//! What actions do, and what news bring.

use glam::DVec3;
use meniscus_formats::write_whole;
use meniscus_render::ColorBy;

use super::App;
use crate::{
    action::Action,
    files::next_free,
    record::Film,
    scene_choice::{Choice, Chosen},
    simulation_thread::{Command, Condition},
    touch::Hand,
    trace,
};

/// Factors between simulated and real time that the keys step through.
const SCALES: [Option<f64>; 8] =
    [Some(0.05), Some(0.1), Some(0.25), Some(0.5), Some(1.0), Some(2.0), Some(4.0), None];

impl App {
    pub(super) fn send(&self, command: Command) {
        if let Some(stage) = &self.stage {
            stage.simulation.send(command);
        }
    }

    /// Does what the user wants. Whether the window goes on.
    pub(super) fn act(&mut self, action: Action) -> bool {
        match action {
            Action::PlayPause => self.send(Command::Play(!self.model.playing)),
            Action::Step => self.send(Command::Step),
            Action::Frame => self.send(Command::Frame),
            Action::Reset => {
                self.forget_motion();
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
            Action::Untune => {
                self.model.tuning = self.model.summary.as_ref().map(|s| s.tuning.clone());
                self.send_tuning();
            }
            Action::Mode(mode) => self.model.view.mode = mode,
            Action::NextColor => {
                let all = ColorBy::ALL;
                let at = all.iter().position(|(_, color)| *color == self.model.view.color);
                self.model.view.color = all[(at.unwrap_or(0) + 1) % all.len()].1;
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
                if let Some(stage) = &mut self.stage {
                    stage.wanted.push(path);
                }
            }
            Action::Record => self.start_or_end_film(),
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
        let speed = SCALES[at].map_or("as fast as it goes".into(), |scale| format!("{scale} ×"));
        self.model.notices.remark(format!("speed: {speed}"));
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

    /// Opens a scene; the present one stays where that cannot be.
    pub(super) fn load(&mut self, choice: Choice) {
        match choice.load(self.model.software) {
            Ok(chosen) => {
                self.choice = chosen.choice.clone();
                self.model.notices.clear_errors();
                self.meet(&chosen);
                self.forget_motion();
                self.send(Command::Load(Box::new(chosen)));
                self.send(Command::Play(!self.arguments.paused || self.model.playing));
            }
            Err(error) => self.model.notices.error(error.to_string()),
        }
        self.request_redraw();
    }

    /// What a scene's coming changes in the panels.
    pub(super) fn meet(&mut self, chosen: &Chosen) {
        let source = chosen.choice.source.clone();
        if !self.model.sources.contains(&source) {
            self.model.sources.push(source.clone());
        }
        self.model.source = source;
        self.model.title = chosen.scene.title.clone();
        self.model.solver = chosen.scene.solver;
        self.model.reduced_from = chosen.reduced_from;
        self.model.tuning = None;
        self.model.summary = None;
        self.model.hand = None;
        self.model.view.range = None;
        for note in &chosen.notes {
            self.model.notices.remark(note.clone());
        }
        if let Some(window) = &self.window {
            window.set_title(&format!("meniscus: {}", self.model.source));
        }
    }

    /// The hand is off the water, and the tank where the scene has it.
    fn forget_motion(&mut self) {
        self.touch.forget();
        self.send(Command::Grip(None));
        self.send(Command::Pull(None));
        self.send(Command::MoveTank(DVec3::ZERO));
    }

    /// Tells a simulation that is new to it how the window is set.
    pub(super) fn send_settings(&self) {
        self.send(Command::TimeScale(self.model.time_scale));
        self.send(Command::Time(self.model.profiler_open));
    }

    /// Frames the scene.
    pub(super) fn frame_scene(&mut self, at_once: bool) {
        let Some(stage) = &self.stage else { return };
        let Some(fluid) = &stage.news.fluid else { return };
        let [width, height] = stage.picture.size().map(f64::from);
        self.unframed = false;
        self.camera.frame(fluid, width / height, at_once);
    }

    /// Takes what is new from the simulation. Why the device is gone, if so.
    pub(super) fn take_news(&mut self) -> Result<(), String> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let mut news = stage.simulation.news();
        let new_epoch = news.epoch != stage.news.epoch;
        let model = &mut self.model;
        model.condition = news.condition.clone();
        model.playing = news.playing;
        model.figures = news.figures.clone();
        model.memory = news.memory.clone();
        model.summary = news.summary.clone();
        for sentence in news.sentences.drain(..) {
            match sentence {
                Ok(text) => {
                    model.notices.clear_errors();
                    model.notices.remark(text);
                }
                Err(text) => model.notices.error(text),
            }
        }
        if new_epoch {
            model.profiler.clear();
        }
        model.profiler.learn(std::mem::take(&mut news.times), model.software);
        if let Some(place) = news.grabbed {
            self.touch.grabbed(place);
        }
        let summary = self.model.summary.as_ref();
        if let (None, Some(summary)) = (&self.model.tuning, summary) {
            self.model.tuning = Some(summary.tuning.clone());
        }
        let first = self.model.hand.is_none();
        if let (true, Some(fluid)) = (first, &news.fluid) {
            self.model.hand = Some(Hand::for_scene(fluid));
        }
        let lost = match &news.condition {
            Condition::DeviceLost(why) => Some(why.clone()),
            _ => stage.screen.gpu.check().err().map(|error| error.to_string()),
        };
        stage.news = news;
        self.unframed |= new_epoch && first;
        lost.map_or(Ok(()), Err)
    }

    /// Looks for shaders that were saved.
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

    fn start_or_end_film(&mut self) {
        if self.film.is_some() {
            self.end_film();
            return;
        }
        let Some(stage) = &mut self.stage else { return };
        let fps = self.model.summary.as_ref().map_or(60.0, |summary| summary.fps);
        let size = stage.picture.size();
        stage.filmed = None;
        self.film = Some(Film::start(&self.arguments.out, size, fps, &mut self.jobs));
        self.send(Command::Lockstep(true));
    }

    pub(super) fn end_film(&mut self) {
        if self.film.take().is_some() {
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

    /// Says what has come of screenshots, films and traces.
    pub(super) fn take_outcomes(&mut self) {
        while let Some(outcome) = self.jobs.outcome() {
            match outcome {
                Ok(text) => self.model.notices.remark(text),
                Err(text) => {
                    self.end_film();
                    self.model.notices.error(text);
                }
            }
        }
    }
}
