//! Redrawing the window.

use std::time::{Duration, Instant};

use egui::{Event, MouseWheelUnit, PointerButton, Response};
use meniscus_render::FluidBuffers;
use winit::event_loop::ActiveEventLoop;

use super::{
    App,
    session::{Purpose, Session},
};
use crate::{
    failure::Failure,
    hand, panel,
    picture::Subject,
    record::{Video, save_png},
    screen::Acquired,
    shortcuts,
    simulation_thread::{Command, Condition},
};

/// A picture that takes the GPU longer than this, in ms, counts as slow.
const SLOW_MS: f64 = 12.0;
/// Interval between slow pictures, as a multiple of what one took; the rest of the time goes to the
/// simulation.
const SLOW_PERIODS: f64 = 2.5;

/// Interval between redraws while a video waits for the end of a frame.
const VIDEO_INTERVAL: Duration = Duration::from_millis(500);

/// Delay before retrying when the simulation is using the device.
const RETRY: Duration = Duration::from_millis(3);

/// Output of the egui pass.
struct Interface {
    output: egui::FullOutput,
    picture: Response,
}

impl App {
    /// Draws the window.
    pub(super) fn redraw(&mut self, events: &ActiveEventLoop) {
        let Some(window) = self.window.clone() else { return };
        if let Err(why) = self.take_update() {
            self.reopen(events, &why);
            return;
        }
        self.take_outcomes();
        if let Some(rest) = self.throttled_until().filter(|_| !self.resized) {
            self.next_redraw = Some(self.next_redraw.map_or(rest, |due| due.min(rest)));
            return;
        }
        let size = window.inner_size();
        // A minimised window is not drawn: nothing would present its pictures.
        if size.width == 0 || size.height == 0 || self.occluded {
            return;
        }
        if !self.follow_size(size.width, size.height) {
            return;
        }
        let begin = Instant::now();
        let dt = (begin - self.last_picture).as_secs_f64().min(0.1);
        let Some(Interface { output, picture }) = self.interface(events) else { return };
        self.move_camera(&picture);
        self.drag_with_hand(&picture);
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

    /// Resizes the surface to the window if the window's size has changed. Returns false if that
    /// has to wait.
    fn follow_size(&mut self, width: u32, height: u32) -> bool {
        let Some(session) = self.session.as_mut().filter(|_| self.resized) else { return true };
        let screen = &mut session.screen;
        if session.simulation.try_with_idle_device(|| screen.configure(width, height)) {
            self.resized = false;
        } else {
            self.next_redraw = Some(Instant::now() + RETRY);
        }
        !self.resized
    }

    /// Time until which the window should not draw, so that a simulation on a slow device gets
    /// ahead.
    fn throttled_until(&self) -> Option<Instant> {
        let session = self.session.as_ref()?;
        let crowded = self.model.playing && !session.update.waiting;
        let rest = match &self.video {
            // A video records only the ends of frames.
            Some(_) => self.last_picture + VIDEO_INTERVAL,
            None => session.throttled_until?,
        };
        (crowded && rest > Instant::now()).then_some(rest)
    }

    /// Runs egui, then the actions that were clicked or typed.
    fn interface(&mut self, events: &ActiveEventLoop) -> Option<Interface> {
        let (window, session) = (self.window.as_ref()?, self.session.as_ref()?);
        let raw = self.input.as_mut()?.take_egui_input(window);
        let (model, id) = (&mut self.model, session.picture.id());
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
        // The effect of an action shows in the next picture.
        if acted {
            self.request_redraw();
        }
        Some(Interface { output, picture: shown.picture })
    }

    /// Moves the camera with the mouse.
    fn move_camera(&mut self, picture: &Response) {
        let held = |button| picture.ctx.input(|input| input.pointer.button_down(button));
        let ctrl = picture.ctx.input(|input| input.modifiers.ctrl || input.modifiers.command);
        let turning = held(PointerButton::Secondary);
        let panning =
            held(PointerButton::Middle) || (ctrl && (turning || held(PointerButton::Primary)));
        let at = picture.interact_pointer_pos();
        match at.filter(|_| picture.is_pointer_button_down_on() && (turning || panning)) {
            Some(at) => {
                // Measure from where the button went down: on a slow device the cursor is far from
                // there by now.
                let origin = picture.ctx.input(|input| input.pointer.press_origin());
                let delta = at - self.camera_drag.or(origin).unwrap_or(at);
                let height = picture.rect.height().max(1.0);
                let [right, down] = [delta.x / height, delta.y / height].map(f64::from);
                if panning {
                    self.camera.pan(right, down);
                } else {
                    self.camera.orbit(right, down);
                }
                self.camera_drag = Some(at);
            }
            None => self.camera_drag = None,
        }
        if picture.contains_pointer() {
            let turns = picture.ctx.input(|input| input.events.iter().map(wheel).sum::<f32>());
            if turns != 0.0 {
                self.camera.zoom(turns.into());
            }
        }
    }

    /// Moves the hand with the mouse.
    fn drag_with_hand(&mut self, picture: &Response) {
        (self.model.hand_shown, self.model.spring_shown) = (None, None);
        let (Some(session), Some(hand)) = (&self.session, self.model.hand) else { return };
        let Some(fluid) = &session.update.fluid else { return };
        let camera = self.camera.camera();
        for command in hand::follow(&mut self.hand_tool, picture, &camera, fluid, hand) {
            session.simulation.send(Command::Hand(command));
        }
        if let Some((at, depth, push)) = self.hand_tool.in_water() {
            let away = (depth - camera.eye).dot(-camera.basis().z_axis).max(1e-9);
            let height = 2.0 * away * (0.5 * camera.fov_y).tan();
            let radius = f64::from(hand.radius) / height * f64::from(picture.rect.height());
            let at = hand::in_window(picture.rect, at);
            self.model.hand_shown = Some((at, radius as f32, push));
        }
        if let Some((held, end)) = self.hand_tool.on_body(fluid) {
            let place = |at| hand::in_window(picture.rect, at);
            let start = hand::frame(&camera, picture.rect).project(held);
            self.model.spring_shown = start.map(|start| [place(start), place(end)]);
        }
    }

    /// Tells the simulation which view mode to prepare data for.
    fn show_mode(&mut self) {
        let Some(session) = &mut self.session else { return };
        let wanted = (self.model.view.mode, self.model.surface);
        if session.shown != Some(wanted) {
            session.shown = Some(wanted);
            session.simulation.send(Command::Show(wanted.0, wanted.1));
        }
    }

    /// Redraws the fluid if it is out of date, then the interface on top.
    fn paint(
        &mut self,
        output: &egui::FullOutput,
        picture: &Response,
        begin: Instant,
    ) -> Result<(), String> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let scale = output.pixels_per_point * self.model.pixel_scale;
        let size = picture.rect.size() * scale;
        session.picture.resize(&mut session.screen, [size.x, size.y].map(|n| n.round() as u32));
        if self.needs_framing {
            self.frame_scene(true);
        }
        let Some(session) = &mut self.session else { return Ok(()) };
        self.model.view.camera = self.camera.camera();

        let waiting = Instant::now();
        let target = match session.screen.acquire() {
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

        let mut encoder = session.screen.gpu.device().create_command_encoder(&Default::default());
        if let Some(timer) = &mut session.timer {
            timer.begin(&mut encoder);
        }
        let fresh = draw_water(session, &mut encoder, &self.model.view)?;
        let [screenshots, video] =
            capture(session, &mut encoder, self.video.as_ref().map(|f| f.size()));
        let jobs = self.egui.tessellate(output.shapes.clone(), output.pixels_per_point);
        let before = session.screen.paint(
            &mut encoder,
            &target.texture,
            &jobs,
            &output.textures_delta,
            output.pixels_per_point,
        );
        if let Some(timer) = &mut session.timer {
            timer.end(&mut encoder, fresh);
        }
        let queue = session.screen.gpu.queue();
        queue.submit(before.into_iter().chain([encoder.finish()]));
        let worked = begin.elapsed().saturating_sub(waited);
        queue.present(target);
        session.screen.free(&output.textures_delta);
        if let Some(timer) = &mut session.timer {
            timer.submitted();
            let _ = session.screen.gpu.device().poll(wgpu::PollType::Poll);
            self.model.profiler.learn_drawing(timer.take());
        }
        if screenshots + video > 0 {
            session.captures.submitted();
        }
        if fresh {
            self.drawn += 1;
        }
        let overhead = &self.model.profiler.overhead;
        let cost = if fresh { overhead.water_ms } else { overhead.interface_ms };
        let cost = cost.unwrap_or(0.0);
        let rest =
            (cost > SLOW_MS).then(|| begin + Duration::from_secs_f64(SLOW_PERIODS * cost / 1e3));
        session.throttled_until = rest.max(session.throttled_until);
        // In lockstep, the simulation makes the next frame once the video has room for it.
        let room = self.video.as_mut().is_some_and(Video::has_room);
        let recorded = session.recorded.filter(|_| room);
        session.simulation.send(Command::Drawn { recorded });
        let ms = |duration: Duration| 1e3 * duration.as_secs_f64();
        let since = begin - self.last_picture;
        self.model.profiler.learn_picture(ms(worked), ms(waited), ms(since));
        self.last_picture = begin;
        Ok(())
    }

    /// Schedules the next redraw.
    fn plan(&mut self, output: &egui::FullOutput, gliding: bool) {
        let delay = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        let busy = self.session.as_ref().is_some_and(|session| session.captures.len() > 0);
        if gliding || delay == Some(Duration::ZERO) {
            self.request_redraw();
            return;
        }
        let most = if busy || self.video.is_some() { 0.02 } else { 1.0 };
        let delay = delay.unwrap_or(Duration::MAX).min(Duration::from_secs_f64(most));
        self.next_redraw = Some(Instant::now() + delay);
    }

    /// Hands captured pictures to their writers.
    fn take_captures(&mut self) {
        let Some(session) = &mut self.session else { return };
        if session.captures.len() > 0 {
            let _ = session.screen.gpu.device().poll(wgpu::PollType::Poll);
        }
        while let Some((purpose, image)) = session.captures.take() {
            match (purpose, image) {
                (Purpose::Screenshot(path), Some(image)) => {
                    self.jobs.start(move || save_png(&path, &image));
                }
                (Purpose::Video, Some(image)) => {
                    if let Some(video) = &mut self.video {
                        video.add(image);
                    }
                }
                (_, None) => {
                    self.model.notices.error("a screenshot or video frame could not be read back");
                }
            }
        }
        let resized =
            self.video.as_ref().is_some_and(|video| video.size() != session.picture.size());
        let failed = self.video.as_ref().is_some_and(Video::has_failed);
        self.model.video = self.video.as_ref().map(Video::count);
        if resized {
            self.model.notices.info("the video ended because the picture was resized");
        }
        if resized || failed {
            self.end_video();
        }
    }

    /// Implements `--frames` and `--lose-device`.
    fn count_pictures(&mut self, events: &ActiveEventLoop) {
        let Some(session) = &mut self.session else { return };
        if self.arguments.lose_device.is_some_and(|at| self.drawn >= at) {
            self.arguments.lose_device = None;
            session.screen.gpu.device().destroy();
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
            // A paused simulation makes no new pictures, so count its redraws.
            Condition::Ready if !self.model.playing && session.update.fluid.is_some() => {
                self.drawn += 1;
                self.request_redraw();
            }
            _ => {}
        }
        let Some(session) = &mut self.session else { return };
        if self.drawn >= frames {
            if let Some(path) = self.arguments.screenshot.take() {
                session.pending_screenshots.push(path);
            } else if session.pending_screenshots.is_empty() && session.captures.len() == 0 {
                events.exit();
            }
            self.request_redraw();
        }
    }
}

/// Notches of the mouse wheel in an event.
fn wheel(event: &Event) -> f32 {
    match event {
        Event::MouseWheel { unit: MouseWheelUnit::Line, delta, .. } => delta.y,
        Event::MouseWheel { unit: MouseWheelUnit::Page, delta, .. } => 10.0 * delta.y,
        Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => delta.y / 40.0,
        Event::Zoom(factor) => factor.ln() / 0.15,
        _ => 0.0,
    }
}

/// Redraws the fluid's texture if it is out of date. Returns whether it was.
fn draw_water(
    session: &mut Session,
    encoder: &mut wgpu::CommandEncoder,
    view: &meniscus_render::View,
) -> Result<bool, String> {
    let Some(fluid) = &session.update.fluid else { return Ok(false) };
    let fluid: &FluidBuffers = fluid;
    let subject =
        Subject { fluid, view, epoch: session.update.epoch, revision: session.update.revision };
    session.picture.draw(encoder, &subject).map_err(|error| error.to_string())
}

/// Copies the picture for pending screenshots and the video. Returns how many of each.
fn capture(
    session: &mut Session,
    encoder: &mut wgpu::CommandEncoder,
    video: Option<[u32; 2]>,
) -> [usize; 2] {
    if session.update.fluid.is_none() {
        return [0, 0];
    }
    let gpu = &session.screen.gpu;
    let texture = session.picture.texture();
    let wanted: Vec<_> = session.pending_screenshots.drain(..).collect();
    for path in &wanted {
        session.captures.copy(gpu, encoder, texture, Purpose::Screenshot(path.clone()));
    }
    let stats = &session.update.stats;
    let fits = video == Some(session.picture.size());
    let new = fits && session.update.waiting && session.recorded != Some(stats.frame);
    if new {
        session.recorded = Some(stats.frame);
        session.captures.copy(gpu, encoder, texture, Purpose::Video);
    }
    [wanted.len(), usize::from(new)]
}
