//! The window: its event loop and its state.
//!
//! It redraws when there is something new (an update, input, a moving camera) and sleeps otherwise.

mod actions;
mod draw;
mod session;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use meniscus::{GpuOptions, Registry, Shaders, SurfaceOptions};
use meniscus_formats::{SCENES, load_scene};
use meniscus_live::{CameraControl, Choice, HandTool};
use meniscus_render::{Mode, Quantity, View};
use winit::{
    application::ApplicationHandler,
    dpi::PhysicalSize,
    event::{ElementState, StartCause, WindowEvent},
    event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy},
    window::{Window, WindowId},
};

use crate::{
    arguments::Arguments,
    failure::Failure,
    notices::Notices,
    panel::{self, Model},
    profiler::Profiler,
    record::{Jobs, Video},
    simulation_thread::Condition,
    watch::Watch,
};
use session::Session;

/// Wakes the event loop after the simulation has published an update.
#[derive(Clone, Copy, Debug)]
struct Wake;

/// Opens the window and runs until it closes.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let choice = Choice {
        source: arguments.scene.clone(),
        text: None,
        options: arguments.load_options(),
        particles: arguments.particles,
    };
    // Report bad input before opening a window.
    let loaded = load_scene(&choice.source, &choice.options)
        .map_err(|error| Failure::Input(error.to_string()))?;
    loaded.sample_meshes();
    let scene = loaded.scene;
    let color = match &arguments.color {
        None => Registry::standard().usual_quantity(&scene),
        Some(name) => Registry::standard()
            .quantity(&scene, name)
            .map_err(|message| Failure::Input(format!("--color: {message}")))?,
    };
    let watch = arguments.watch.as_deref().map(Watch::new).transpose().map_err(Failure::Input)?;
    let events = EventLoop::with_user_event()
        .build()
        .map_err(|error| Failure::no_display(&error.to_string()))?;
    let mut app = App::new(arguments, choice, color, watch, events.create_proxy());
    events.run_app(&mut app).map_err(|error| Failure::no_display(&error.to_string()))?;
    app.end()
}

/// State of the window.
struct App {
    arguments: Arguments,
    proxy: EventLoopProxy<Wake>,
    /// Why the window closes, unless the user closed it.
    failure: Option<Failure>,

    window: Option<Arc<Window>>,
    egui: egui::Context,
    input: Option<egui_winit::State>,
    session: Option<Session>,
    /// Times at which a device was lost in the last minute.
    losses: Vec<Instant>,

    choice: Choice,
    shaders: Shaders,
    watch: Option<Watch>,

    model: Model,
    camera: CameraControl,
    /// Last mouse position of a drag that moves the camera.
    camera_drag: Option<egui::Pos2>,
    hand_tool: HandTool,
    video: Option<Video>,
    jobs: Jobs,

    /// The scene is new, and the camera should jump to frame it.
    needs_framing: bool,
    /// A scene was loaded, whose parameters come with its first update.
    adopts_tuning: bool,
    /// Number of pictures of the simulation drawn so far.
    drawn: u64,
    last_picture: Instant,
    /// When to redraw next without further events.
    next_redraw: Option<Instant>,
    occluded: bool,
    /// The surface does not have the window's size yet.
    resized: bool,
}

/// Initial resolution of the picture on a software adapter, relative to the window.
const SOFTWARE_PIXEL_SCALE: f32 = 0.7;
/// The window gives up after more lost devices than this within a minute.
const MAX_LOSSES_PER_MINUTE: usize = 3;

impl App {
    fn new(
        arguments: Arguments,
        choice: Choice,
        color: Quantity,
        watch: Option<Watch>,
        proxy: EventLoopProxy<Wake>,
    ) -> Self {
        let mut notices = Notices::default();
        let shaders = match watch.as_ref().map(Watch::read) {
            Some(Ok(shaders)) => shaders,
            Some(Err(error)) => {
                notices.error(format!("cannot read the shaders: {error}"));
                Shaders::standard()
            }
            None => Shaders::standard(),
        };
        let mut sources: Vec<_> = SCENES.iter().map(|scene| scene.name.to_owned()).collect();
        if !sources.contains(&choice.source) {
            sources.push(choice.source.clone());
        }
        let view =
            View { mode: arguments.view.unwrap_or(Mode::Particles), color, ..View::default() };
        let model = Model {
            controls_open: !arguments.bare,
            profiler_open: false,
            help_open: false,
            adapter: String::new(),
            software: false,
            source: choice.source.clone(),
            sources,
            title: String::new(),
            solver: meniscus::Scene::default().solver,
            reduced_from: None,
            requested_particles: None,
            condition: Condition::Loading,
            playing: false,
            stats: Default::default(),
            summary: None,
            memory: Arc::default(),
            time_scale: Some(1.0),
            tuning: None,
            view,
            quantities: vec![Quantity::SPEED],
            surface: SurfaceOptions::default(),
            pixel_scale: 1.0,
            hand: None,
            profiler: Profiler::default(),
            notices,
            video: None,
            hand_shown: None,
            spring_shown: None,
        };
        Self {
            arguments,
            proxy,
            failure: None,
            window: None,
            egui: egui::Context::default(),
            input: None,
            session: None,
            losses: Vec::new(),
            choice,
            shaders,
            watch,
            model,
            camera: CameraControl::new(),
            camera_drag: None,
            hand_tool: HandTool::default(),
            video: None,
            jobs: Jobs::new(),
            needs_framing: true,
            adopts_tuning: false,
            drawn: 0,
            last_picture: Instant::now(),
            next_redraw: None,
            occluded: false,
            resized: false,
        }
    }

    /// Opens the window and everything on the device.
    fn open(&mut self, events: &ActiveEventLoop) -> Result<(), Failure> {
        let (width, height) = self.arguments.size;
        let attributes = Window::default_attributes()
            .with_title("meniscus")
            .with_inner_size(PhysicalSize::new(width, height))
            .with_min_inner_size(PhysicalSize::new(160, 120));
        let window = events
            .create_window(attributes)
            .map_err(|error| Failure::no_display(&error.to_string()))?;
        let window = Arc::new(window);
        panel::set_style(&self.egui);
        self.window = Some(Arc::clone(&window));
        self.open_session(events, None)?;
        let longest = self.session.as_ref().map(|session| session.screen.longest_side() as usize);
        self.input = Some(egui_winit::State::new(
            self.egui.clone(),
            egui::ViewportId::ROOT,
            &window,
            Some(window.scale_factor() as f32),
            window.theme(),
            longest,
        ));
        Ok(())
    }

    /// Opens a device for the window, and starts the scene or resumes it from a state.
    fn open_session(
        &mut self,
        events: &ActiveEventLoop,
        from: Option<meniscus::State>,
    ) -> Result<(), Failure> {
        let Some(window) = &self.window else { return Ok(()) };
        let options =
            GpuOptions { adapter: self.arguments.adapter.clone(), ..GpuOptions::default() };
        let screen = crate::screen::Screen::open(window, events.owned_display_handle(), &options)?;
        let info = screen.gpu.info();
        tracing::info!(adapter = info.name, backend = %info.backend, "opened a device");
        self.model.adapter = info.name.clone();
        let software = screen.is_software();
        if software && !self.model.software && self.arguments.frames.is_none() {
            // On a software adapter, drawing takes time away from the simulation.
            self.model.pixel_scale = SOFTWARE_PIXEL_SCALE;
            self.model.view.antialias = false;
        }
        self.model.software = software;
        let chosen = self.choice.clone().load(self.most_particles());
        let chosen = chosen.map_err(|error| Failure::Input(error.to_string()))?;
        self.adopt_scene(&chosen);
        let proxy = self.proxy.clone();
        // The event loop may be gone when the window has closed; then nobody needs waking.
        let wake = move || {
            let _ = proxy.send_event(Wake);
        };
        let session = Session::open(screen, chosen, from, self.shaders.clone(), wake)?;
        self.session = Some(session);
        self.send_settings();
        Ok(())
    }

    /// Replaces a lost device, and resumes the scene from the last checkpoint.
    fn reopen(&mut self, events: &ActiveEventLoop, why: &str) {
        // The driver's message is long; the last line has the cause.
        let why = why.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("unknown");
        let why = format!("the device was lost ({why})");
        tracing::warn!("{why}; opening a new device");
        let playing = self.model.playing;
        let from = self.session.take().and_then(Session::close);
        self.losses.retain(|at| at.elapsed() < Duration::from_secs(60));
        self.losses.push(Instant::now());
        if self.losses.len() > MAX_LOSSES_PER_MINUTE {
            self.failure = Some(Failure::Failed(format!("{why}, repeatedly")));
            events.exit();
            return;
        }
        self.end_video();
        let again = match &from {
            Some(state) => format!("resumes at t = {:.2} s", state.time()),
            None => "restarts".into(),
        };
        // egui's textures are gone with the device.
        self.egui.forget_all_images();
        self.egui = egui::Context::default();
        panel::set_style(&self.egui);
        if let (Some(window), Some(input)) = (&self.window, &mut self.input) {
            *input = egui_winit::State::new(
                self.egui.clone(),
                egui::ViewportId::ROOT,
                window,
                Some(window.scale_factor() as f32),
                window.theme(),
                None,
            );
        }
        if let Err(failure) = self.open_session(events, from) {
            self.failure = Some(failure);
            events.exit();
            return;
        }
        self.model.notices.error(format!("{why}: a new device was opened; the scene {again}"));
        if playing {
            self.send(crate::simulation_thread::Command::Play(true));
        }
        self.request_redraw();
    }

    fn request_redraw(&self) {
        if let Some(window) = &self.window {
            window.request_redraw();
        }
    }

    /// Finishes videos and screenshots after the event loop has ended.
    fn end(mut self) -> Result<(), Failure> {
        drop(self.video.take());
        if let Some(session) = self.session.take() {
            drop(session);
        }
        let jobs = self.jobs.finish();
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => jobs.map_err(Failure::Failed),
        }
    }
}

impl ApplicationHandler<Wake> for App {
    fn new_events(&mut self, _events: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. }) {
            self.next_redraw = None;
            self.request_redraw();
        }
    }

    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.window.is_some() {
            return;
        }
        if let Err(failure) = self.open(events) {
            self.failure = Some(failure);
            events.exit();
            return;
        }
        if !self.arguments.paused {
            self.send(crate::simulation_thread::Command::Play(true));
        }
        self.request_redraw();
    }

    fn user_event(&mut self, _events: &ActiveEventLoop, _wake: Wake) {
        self.request_redraw();
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _id: WindowId, event: WindowEvent) {
        let Some(window) = self.window.clone() else { return };
        if let Some(input) = &mut self.input {
            let response = input.on_window_event(&window, &event);
            if response.repaint && !matches!(event, WindowEvent::RedrawRequested) {
                window.request_redraw();
            }
        }
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(_) => {
                self.resized = true;
                window.request_redraw();
            }
            WindowEvent::Occluded(occluded) => {
                self.occluded = occluded;
                window.request_redraw();
            }
            WindowEvent::DroppedFile(path) => {
                let source = path.to_string_lossy().into_owned();
                self.load(Choice::of(source));
            }
            WindowEvent::MouseInput { state: ElementState::Released, .. } => {
                window.request_redraw();
            }
            WindowEvent::RedrawRequested => self.redraw(events),
            _ => {}
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let watch = self.watch.as_ref().map(|watch| Instant::now() + watch.period());
        self.poll_watch();
        let next = match (self.next_redraw, watch) {
            (Some(due), Some(watch)) => Some(due.min(watch)),
            (due, watch) => due.or(watch),
        };
        events.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}
