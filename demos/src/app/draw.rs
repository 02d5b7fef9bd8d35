//! One picture after another.

use std::time::{Duration, Instant};

use egui::{Event, MouseWheelUnit, PointerButton, Response};
use meniscus_render::Fluid;
use winit::event_loop::ActiveEventLoop;

use super::{
    App,
    stage::{Purpose, Stage},
};
use crate::{
    failure::Failure,
    panel,
    picture::Subject,
    record::{Film, save_png},
    screen::Acquired,
    shortcuts,
    simulation_thread::{Command, Condition},
    touch,
};

/// Pictures that take the device longer than this, in ms, are slow.
const SLOW_MS: f64 = 12.0;
/// From one slow picture to the next, in times of what it took: the rest is the simulation's.
const REST: f64 = 2.5;

/// From one picture to the next while a film waits for the end of a frame.
const FILM_REST: Duration = Duration::from_millis(500);

/// How soon to look whether the simulation has ended its turn on the device.
const TURN: Duration = Duration::from_millis(3);

/// What the first part of a picture found out.
struct Interface {
    output: egui::FullOutput,
    picture: Response,
}

impl App {
    /// Draws the window.
    pub(super) fn redraw(&mut self, events: &ActiveEventLoop) {
        let Some(window) = self.window.clone() else { return };
        if let Err(why) = self.take_news() {
            self.reopen(events, &why);
            return;
        }
        self.take_outcomes();
        if let Some(rest) = self.rest().filter(|_| !self.resized) {
            self.due = Some(self.due.map_or(rest, |due| due.min(rest)));
            return;
        }
        let size = window.inner_size();
        // A minimised window is not drawn: nothing would take its pictures.
        if size.width == 0 || size.height == 0 || self.occluded {
            return;
        }
        if !self.follow_size(size.width, size.height) {
            return;
        }
        let begin = Instant::now();
        let dt = (begin - self.last_picture).as_secs_f64().min(0.1);
        let Some(Interface { output, picture }) = self.interface(events) else { return };
        self.look_around(&picture);
        self.touch_water(&picture);
        let gliding = self.camera.glide(dt);
        self.show_mode();
        let result = self.paint(&output, &picture, begin);
        if let (Some(input), Some(window)) = (&mut self.input, &self.window) {
            input.handle_platform_output_with_event_loop(
                window,
                events,
                output.platform_output.clone(),
            );
        }
        self.plan(&output, gliding);
        output.drop_without_applying_deltas();
        match result {
            Ok(()) => self.take_captures(),
            Err(why) => {
                self.reopen(events, &why);
                return;
            }
        }
        self.count_pictures(events);
    }

    /// Gives the surface the window's size, where that has changed. Whether it has it.
    fn follow_size(&mut self, width: u32, height: u32) -> bool {
        let Some(stage) = self.stage.as_mut().filter(|_| self.resized) else { return true };
        let screen = &mut stage.screen;
        if stage.simulation.between_turns(|| screen.configure(width, height)) {
            self.resized = false;
        } else {
            self.due = Some(Instant::now() + TURN);
        }
        !self.resized
    }

    /// Until when the window should not draw, so that a simulation on a slow device gets on.
    fn rest(&self) -> Option<Instant> {
        let stage = self.stage.as_ref()?;
        let crowded = self.model.playing && !stage.news.waiting;
        let rest = match &self.film {
            // A film has the ends of frames only.
            Some(_) => self.last_picture + FILM_REST,
            None => stage.rest?,
        };
        (crowded && rest > Instant::now()).then_some(rest)
    }

    /// Lets egui think, and does what was clicked and typed.
    fn interface(&mut self, events: &ActiveEventLoop) -> Option<Interface> {
        let (window, stage) = (self.window.as_ref()?, self.stage.as_ref()?);
        let raw = self.input.as_mut()?.take_egui_input(window);
        let (model, id) = (&mut self.model, stage.picture.id());
        let mut shown = None;
        let output = self.egui.clone().run_ui(raw, |ui| shown = Some(panel::show(ui, model, id)));
        let Some(shown) = shown else {
            output.drop_without_applying_deltas();
            return None;
        };
        let typed = shortcuts::typed(&self.egui);
        let acted = !typed.is_empty() || !shown.actions.is_empty();
        for action in shown.actions.into_iter().chain(typed) {
            if !self.act(action) {
                events.exit();
            }
        }
        // What was done shows in the next picture.
        if acted {
            self.request_redraw();
        }
        Some(Interface { output, picture: shown.picture })
    }

    /// The camera follows the mouse.
    fn look_around(&mut self, picture: &Response) {
        let held = |button| picture.ctx.input(|input| input.pointer.button_down(button));
        let ctrl = picture.ctx.input(|input| input.modifiers.ctrl || input.modifiers.command);
        let turning = held(PointerButton::Secondary);
        let panning =
            held(PointerButton::Middle) || (ctrl && (turning || held(PointerButton::Primary)));
        let at = picture.interact_pointer_pos();
        match at.filter(|_| picture.is_pointer_button_down_on() && (turning || panning)) {
            Some(at) => {
                // From where the button went down: on a slow device that is some way off already.
                let origin = picture.ctx.input(|input| input.pointer.press_origin());
                let delta = at - self.looking.or(origin).unwrap_or(at);
                let height = picture.rect.height().max(1.0);
                let [right, down] = [delta.x / height, delta.y / height].map(f64::from);
                if panning {
                    self.camera.pan(right, down);
                } else {
                    self.camera.orbit(right, down);
                }
                self.looking = Some(at);
            }
            None => self.looking = None,
        }
        if picture.contains_pointer() {
            let turns = picture.ctx.input(|input| input.events.iter().map(wheel).sum::<f32>());
            if turns != 0.0 {
                self.camera.zoom(turns.into());
            }
        }
    }

    /// The hand follows the mouse.
    fn touch_water(&mut self, picture: &Response) {
        (self.model.hand_shown, self.model.spring_shown) = (None, None);
        let (Some(stage), Some(hand)) = (&self.stage, self.model.hand) else { return };
        let Some(fluid) = &stage.news.fluid else { return };
        let camera = self.camera.camera();
        for command in self.touch.follow(picture, &camera, fluid, hand) {
            stage.simulation.send(command);
        }
        if let Some((at, depth, push)) = self.touch.in_water() {
            let away = (depth - camera.eye).dot(-camera.basis().z_axis).max(1e-9);
            let height = 2.0 * away * (0.5 * camera.fov_y).tan();
            let radius = f64::from(hand.radius) / height * f64::from(picture.rect.height());
            self.model.hand_shown = Some((at, radius as f32, push));
        }
        if let Some((held, end)) = self.touch.on_body(fluid) {
            let start = touch::project(&camera, picture.rect, held);
            self.model.spring_shown = start.map(|start| [start, end]);
        }
    }

    /// Tells the simulation which surface is wanted.
    fn show_mode(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        let wanted = (self.model.view.mode, self.model.surface);
        if stage.shown != Some(wanted) {
            stage.shown = Some(wanted);
            stage.simulation.send(Command::Show(wanted.0, wanted.1));
        }
    }

    /// Draws the water where it is old, and the interface over all.
    fn paint(
        &mut self,
        output: &egui::FullOutput,
        picture: &Response,
        begin: Instant,
    ) -> Result<(), String> {
        let Some(stage) = &mut self.stage else { return Ok(()) };
        let scale = output.pixels_per_point * self.model.sharpness;
        let size = picture.rect.size() * scale;
        stage.picture.resize(&mut stage.screen, [size.x, size.y].map(|n| n.round() as u32));
        if self.unframed {
            self.frame_scene(true);
        }
        let Some(stage) = &mut self.stage else { return Ok(()) };
        self.model.view.camera = self.camera.camera();

        let waiting = Instant::now();
        let target = match stage.screen.acquire() {
            Acquired::Texture(target) => target,
            Acquired::Outdated => {
                self.resized = true;
                self.request_redraw();
                return Ok(());
            }
            Acquired::Nothing => {
                if let Some(window) = &self.window {
                    window.request_redraw();
                }
                return Ok(());
            }
            Acquired::Lost => return Err("the window's surface was lost".into()),
        };
        let waited = waiting.elapsed();

        let mut encoder = stage.screen.gpu.device().create_command_encoder(&Default::default());
        if let Some(timer) = &mut stage.timer {
            timer.begin(&mut encoder);
        }
        let fresh = draw_water(stage, &mut encoder, &self.model.view)?;
        let [screenshots, film] =
            capture(stage, &mut encoder, self.film.as_ref().map(|f| f.size()));
        let jobs = self.egui.tessellate(output.shapes.clone(), output.pixels_per_point);
        let before = stage.screen.paint(
            &mut encoder,
            &target.texture,
            &jobs,
            &output.textures_delta,
            output.pixels_per_point,
        );
        if let Some(timer) = &mut stage.timer {
            timer.end(&mut encoder, fresh);
        }
        let queue = stage.screen.gpu.queue();
        queue.submit(before.into_iter().chain([encoder.finish()]));
        let worked = begin.elapsed().saturating_sub(waited);
        queue.present(target);
        stage.screen.free(&output.textures_delta);
        if let Some(timer) = &mut stage.timer {
            timer.submitted();
            let _ = stage.screen.gpu.device().poll(wgpu::PollType::Poll);
            self.model.profiler.learn_drawing(timer.take());
        }
        if screenshots + film > 0 {
            stage.captures.submitted();
        }
        if fresh {
            self.drawn += 1;
        }
        let overhead = &self.model.profiler.overhead;
        let cost = if fresh { overhead.water_ms } else { overhead.interface_ms };
        let cost = cost.unwrap_or(0.0);
        let rest = (cost > SLOW_MS).then(|| begin + Duration::from_secs_f64(REST * cost / 1e3));
        stage.rest = rest.max(stage.rest);
        // In lockstep, the next frame is made when the film has room for it.
        let room = self.film.as_mut().is_some_and(Film::has_room);
        let filmed = stage.filmed.filter(|_| room);
        stage.simulation.send(Command::Drawn { filmed });
        let ms = |duration: Duration| 1e3 * duration.as_secs_f64();
        let since = begin - self.last_picture;
        self.model.profiler.learn_picture(ms(worked), ms(waited), ms(since));
        self.last_picture = begin;
        Ok(())
    }

    /// When to draw next.
    fn plan(&mut self, output: &egui::FullOutput, gliding: bool) {
        let delay = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        let busy = self.stage.as_ref().is_some_and(|stage| stage.captures.len() > 0);
        if gliding || delay == Some(Duration::ZERO) {
            self.request_redraw();
            return;
        }
        let most = if busy || self.film.is_some() { 0.02 } else { 1.0 };
        let delay = delay.unwrap_or(Duration::MAX).min(Duration::from_secs_f64(most));
        self.due = Some(Instant::now() + delay);
    }

    /// Passes on the pictures that have come back.
    fn take_captures(&mut self) {
        let Some(stage) = &mut self.stage else { return };
        if stage.captures.len() > 0 {
            let _ = stage.screen.gpu.device().poll(wgpu::PollType::Poll);
        }
        while let Some((purpose, image)) = stage.captures.take() {
            match (purpose, image) {
                (Purpose::Screenshot(path), Some(image)) => {
                    self.jobs.start(move || save_png(&path, &image));
                }
                (Purpose::Film, Some(image)) => {
                    if let Some(film) = &mut self.film {
                        film.add(image);
                    }
                }
                (_, None) => self.model.notices.error("a picture did not come back"),
            }
        }
        let resized = self.film.as_ref().is_some_and(|film| film.size() != stage.picture.size());
        let failed = self.film.as_ref().is_some_and(Film::has_failed);
        self.model.film = self.film.as_ref().map(Film::count);
        if resized {
            self.model.notices.remark("the film ends where the picture changes its size");
        }
        if resized || failed {
            self.end_film();
        }
    }

    /// `--frames` and `--lose-device`.
    fn count_pictures(&mut self, events: &ActiveEventLoop) {
        let Some(stage) = &mut self.stage else { return };
        if self.arguments.lose_device.is_some_and(|at| self.drawn >= at) {
            self.arguments.lose_device = None;
            stage.screen.gpu.device().destroy();
            self.request_redraw();
            return;
        }
        let Some(frames) = self.arguments.frames else { return };
        match &self.model.condition {
            Condition::Failed(why) | Condition::Broken(why) => {
                self.failure = Some(Failure::Failed(why.clone()));
                events.exit();
                return;
            }
            // A simulation that stands still has no new pictures.
            Condition::Ready if !self.model.playing && stage.news.fluid.is_some() => {
                self.drawn += 1;
                self.request_redraw();
            }
            _ => {}
        }
        let Some(stage) = &mut self.stage else { return };
        if self.drawn >= frames {
            if let Some(path) = self.arguments.screenshot.take() {
                stage.wanted.push(path);
            } else if stage.wanted.is_empty() && stage.captures.len() == 0 {
                events.exit();
            }
            self.request_redraw();
        }
    }
}

/// Turns of the wheel.
fn wheel(event: &Event) -> f32 {
    match event {
        Event::MouseWheel { unit: MouseWheelUnit::Line, delta, .. } => delta.y,
        Event::MouseWheel { unit: MouseWheelUnit::Page, delta, .. } => 10.0 * delta.y,
        Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => delta.y / 40.0,
        Event::Zoom(factor) => factor.ln() / 0.15,
        _ => 0.0,
    }
}

/// Draws the water into its texture, where that is old.
fn draw_water(
    stage: &mut Stage,
    encoder: &mut wgpu::CommandEncoder,
    view: &meniscus_render::View,
) -> Result<bool, String> {
    let Some(fluid) = &stage.news.fluid else { return Ok(false) };
    let fluid: &Fluid = fluid;
    let subject = Subject { fluid, view, epoch: stage.news.epoch, revision: stage.news.revision };
    stage.picture.draw(encoder, &subject).map_err(|error| error.to_string())
}

/// Copies the picture for whoever wants it: how many screenshots, how many pictures of the film.
fn capture(
    stage: &mut Stage,
    encoder: &mut wgpu::CommandEncoder,
    film: Option<[u32; 2]>,
) -> [usize; 2] {
    if stage.news.fluid.is_none() {
        return [0, 0];
    }
    let gpu = &stage.screen.gpu;
    let texture = stage.picture.texture();
    let wanted: Vec<_> = stage.wanted.drain(..).collect();
    for path in &wanted {
        stage.captures.copy(gpu, encoder, texture, Purpose::Screenshot(path.clone()));
    }
    let figures = &stage.news.figures;
    let fits = film == Some(stage.picture.size());
    let new = fits && stage.news.waiting && stage.filmed != Some(figures.frame);
    if new {
        stage.filmed = Some(figures.frame);
        stage.captures.copy(gpu, encoder, texture, Purpose::Film);
    }
    [wanted.len(), usize::from(new)]
}
