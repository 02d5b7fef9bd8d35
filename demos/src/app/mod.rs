//! The window: what events, time and the simulation do to it.
//!
//! It draws when there is something new (news, input, a gliding camera), and sleeps otherwise.

mod act;
mod draw;
mod stage;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use meniscus::{GpuOptions, SurfaceOptions, shaders::Shaders};
use meniscus_formats::{SCENES, load_scene};
use meniscus_render::{Mode, View};
use winit::{
    application::ApplicationHandler,
    dpi::PhysicalSize,
    event::{ElementState, StartCause, WindowEvent},
    event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy},
    window::{Window, WindowId},
};

use crate::{
    arguments::Arguments,
    camera_control::CameraControl,
    failure::Failure,
    notices::Notices,
    panel::{self, Model},
    profiler::Profiler,
    record::{Film, Jobs},
    scene_choice::Choice,
    simulation_thread::Condition,
    touch::Touch,
    watch::Watch,
};
use stage::Stage;

/// The simulation has news.
#[derive(Clone, Copy, Debug)]
struct Wake;

/// Opens the window and runs until it closes.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let choice = Choice {
        source: arguments.scene.clone(),
        options: arguments.load_options(),
        particles: arguments.particles,
    };
    // What is wrong with the input is said before a window opens.
    load_scene(&choice.source, &choice.options).map_err(|e| Failure::Input(e.to_string()))?;
    let watch = arguments.watch.as_deref().map(Watch::new).transpose().map_err(Failure::Input)?;
    let events = EventLoop::with_user_event()
        .build()
        .map_err(|error| Failure::no_display(&error.to_string()))?;
    let mut app = App::new(arguments, choice, watch, events.create_proxy());
    events.run_app(&mut app).map_err(|error| Failure::no_display(&error.to_string()))?;
    app.end()
}

/// The window and all that it has.
struct App {
    arguments: Arguments,
    proxy: EventLoopProxy<Wake>,
    /// Why the window closes, if not because the user closed it.
    failure: Option<Failure>,

    window: Option<Arc<Window>>,
    egui: egui::Context,
    input: Option<egui_winit::State>,
    stage: Option<Stage>,
    /// Devices that were lost, lately.
    losses: Vec<Instant>,

    choice: Choice,
    shaders: Shaders,
    watch: Option<Watch>,

    model: Model,
    camera: CameraControl,
    /// Where the mouse was when it last moved the camera, while it does.
    looking: Option<egui::Pos2>,
    touch: Touch,
    film: Option<Film>,
    jobs: Jobs,

    /// The scene is new: the camera is to frame it, and at once.
    unframed: bool,
    /// Pictures of the simulation that were drawn.
    drawn: u64,
    last_picture: Instant,
    /// When the interface wants to be drawn next.
    due: Option<Instant>,
    occluded: bool,
    /// The surface is to follow the window's size.
    resized: bool,
}

/// Pixels of the picture per pixel of the window, at first, on a software adapter.
const SOFTWARE_SHARPNESS: f32 = 0.7;
/// More lost devices than this in a minute are not worth another try.
const MOST_LOSSES: usize = 3;

impl App {
    fn new(
        arguments: Arguments,
        choice: Choice,
        watch: Option<Watch>,
        proxy: EventLoopProxy<Wake>,
    ) -> Self {
        let mut notices = Notices::default();
        let shaders = match watch.as_ref().map(Watch::read) {
            Some(Ok(shaders)) => shaders,
            Some(Err(error)) => {
                notices.error(format!("cannot read the shaders: {error}"));
                Shaders::embedded()
            }
            None => Shaders::embedded(),
        };
        let mut sources: Vec<_> = SCENES.iter().map(|scene| scene.name.to_owned()).collect();
        if !sources.contains(&choice.source) {
            sources.push(choice.source.clone());
        }
        let view = View {
            mode: arguments.view.unwrap_or(Mode::Particles),
            color: arguments.color.unwrap_or_default(),
            ..View::default()
        };
        let model = Model {
            controls_open: !arguments.bare,
            profiler_open: false,
            help_open: false,
            adapter: String::new(),
            software: false,
            source: choice.source.clone(),
            sources,
            title: String::new(),
            solver: meniscus::model::Scene::default().solver,
            reduced_from: None,
            wished_particles: None,
            condition: Condition::Loading,
            playing: false,
            figures: Default::default(),
            summary: None,
            memory: Arc::default(),
            time_scale: Some(1.0),
            tuning: None,
            view,
            surface: SurfaceOptions::default(),
            sharpness: 1.0,
            hand: None,
            profiler: Profiler::default(),
            notices,
            film: None,
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
            stage: None,
            losses: Vec::new(),
            choice,
            shaders,
            watch,
            model,
            camera: CameraControl::new(),
            looking: None,
            touch: Touch::default(),
            film: None,
            jobs: Jobs::new(),
            unframed: true,
            drawn: 0,
            last_picture: Instant::now(),
            due: None,
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
        self.open_stage(events, None)?;
        let longest = self.stage.as_ref().map(|stage| stage.screen.longest_side() as usize);
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

    /// Opens a device for the window, and starts the scene or goes on with a state of it.
    fn open_stage(
        &mut self,
        events: &ActiveEventLoop,
        from: Option<meniscus::model::State>,
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
            // Drawing takes the simulation's time there.
            self.model.sharpness = SOFTWARE_SHARPNESS;
            self.model.view.antialias = false;
        }
        self.model.software = software;
        let chosen = self.choice.clone().load(self.model.software);
        let chosen = chosen.map_err(|error| Failure::Input(error.to_string()))?;
        self.meet(&chosen);
        let proxy = self.proxy.clone();
        // A window that has closed needs no news.
        let wake = move || {
            let _ = proxy.send_event(Wake);
        };
        let stage = Stage::open(screen, chosen, from, self.shaders.clone(), wake)?;
        self.stage = Some(stage);
        self.send_settings();
        Ok(())
    }

    /// Lets the old device go, and opens a new one where the scene goes on as far as it is known.
    fn reopen(&mut self, events: &ActiveEventLoop, why: &str) {
        // The device says much; the cause stands last.
        let why = why.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("unknown");
        let why = format!("the device was lost ({why})");
        tracing::warn!("{why}; opening a new device");
        let playing = self.model.playing;
        let from = self.stage.take().and_then(Stage::close);
        self.losses.retain(|at| at.elapsed() < Duration::from_secs(60));
        self.losses.push(Instant::now());
        if self.losses.len() > MOST_LOSSES {
            self.failure = Some(Failure::Failed(format!("{why} (again and again)")));
            events.exit();
            return;
        }
        self.end_film();
        let again = match &from {
            Some(state) => format!("goes on at t = {:.2} s", state.time()),
            None => "starts anew".into(),
        };
        // What egui has uploaded is gone with the device.
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
        if let Err(failure) = self.open_stage(events, from) {
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

    /// After the event loop: films and screenshots are finished.
    fn end(mut self) -> Result<(), Failure> {
        drop(self.film.take());
        if let Some(stage) = self.stage.take() {
            drop(stage);
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
            self.due = None;
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
        let next = match (self.due, watch) {
            (Some(due), Some(watch)) => Some(due.min(watch)),
            (due, watch) => due.or(watch),
        };
        events.set_control_flow(next.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}
