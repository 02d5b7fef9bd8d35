//! A device, its canvas, and the scene that runs on it.

use std::{collections::BTreeMap, time::Duration};

use meniscus::{Error, Gpu, GpuOptions, Registry, Shaders, SurfaceOptions};
use meniscus_formats::{LoadOptions, SCENES, meshes_of};
use meniscus_live::{CameraControl, Choice, Hand, HandTool, Modifiers, Pace, Run, Viewport};
use meniscus_render::{Mode, Renderer, View};
use serde_json::{Value, json};
use web_time::Instant;

use crate::{describe, fault::Fault, files, measured::Measured};

/// Something that the user wants.
#[derive(Debug)]
pub(crate) enum Wish {
    /// A setting's value.
    Set(String, String),
    /// What the pointer does.
    Pointer(Pointer),
}

/// What the pointer does.
#[derive(Debug)]
pub(crate) enum Pointer {
    /// The hand's drag begins at a place in CSS pixels.
    Press([f64; 2], Modifiers),
    /// The hand's drag goes on to a place in CSS pixels.
    Move([f64; 2]),
    /// The hand's drag ends.
    Release,
    /// The camera turns, by picture heights.
    Orbit([f64; 2]),
    /// The camera moves, by picture heights.
    Pan([f64; 2]),
    /// The camera comes closer, by notches of a wheel.
    Zoom(f64),
}

/// Interval between diagnostics, and between those at the ends of frames, which are plotted.
const REPORT_INTERVAL: Duration = Duration::from_millis(250);
const PLOT_INTERVAL: Duration = Duration::from_millis(40);
/// Most particles on a software adapter, unless more were asked for: browsers' are slower than
/// Mesa's.
const SOFTWARE_PARTICLES: u32 = 1_000;
/// Most particles in the memory of a browser's module.
const MOST_PARTICLES: f64 = 4e6;
/// Share of a canvas's pixels on each side on a software adapter, where drawing takes time away
/// from the simulation.
const SOFTWARE_PIXEL_SCALE: f64 = 0.5;

/// Everything on one device.
#[derive(Debug)]
pub(crate) struct Session {
    gpu: Gpu,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    /// Size of the canvas in CSS pixels.
    size: [f64; 2],
    /// Pixels of the screen per CSS pixel, and those of the picture per pixel of the screen.
    pixels: [f64; 2],
    resized: bool,
    renderer: Renderer,
    software: bool,
    run: Option<Run>,
    view: View,
    fineness: SurfaceOptions,
    camera: CameraControl,
    /// Whether the user has moved the camera away from the scene's own place.
    moved: bool,
    /// Time of the last picture.
    glided: Instant,
    tool: HandTool,
    hand: Hand,
    pace: Pace,
    playing: bool,
    /// Why the simulation has ended.
    failed: Option<String>,
    /// Whether the particles or the view have changed since the last picture.
    stale: bool,
    measured: Measured,
    /// Messages for the user since the last state.
    notes: Vec<String>,
}

impl Session {
    /// Opens a device that can draw on the canvas.
    pub(crate) async fn open(canvas: web_sys::OffscreenCanvas) -> Result<Self, Fault> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::BROWSER_WEBGPU;
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(wgpu::SurfaceTarget::OffscreenCanvas(canvas))?;
        let gpu = Gpu::for_surface(&instance, Some(&surface), &GpuOptions::default()).await?;
        let software = gpu.info().device_type == wgpu::DeviceType::Cpu;
        let capabilities = surface.get_capabilities(gpu.adapter());
        let format = capabilities.formats.iter().copied().find(|format| !format.is_srgb());
        let config = surface.get_default_config(gpu.adapter(), 1, 1);
        let mut config =
            config.ok_or_else(|| Fault("the adapter cannot draw on a canvas".into()))?;
        config.format = format.unwrap_or(config.format);
        surface.configure(gpu.device(), &config);
        let renderer = Renderer::new(&gpu, config.format)?;
        // The page shows the legend, in its own letters.
        let view = View { antialias: !software, legend: false, ..View::default() };
        Ok(Self {
            gpu,
            surface,
            config,
            size: [1.0; 2],
            pixels: [1.0, if software { SOFTWARE_PIXEL_SCALE } else { 1.0 }],
            resized: false,
            renderer,
            software,
            run: None,
            view,
            fineness: SurfaceOptions::default(),
            camera: CameraControl::new(),
            moved: false,
            glided: Instant::now(),
            tool: HandTool::default(),
            hand: Hand { strength: 1.0, radius: 1.0, push: false },
            pace: Pace::new(),
            playing: false,
            failed: None,
            stale: true,
            measured: Measured::new(),
            notes: Vec::new(),
        })
    }

    /// The device.
    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Sets up the scene of a choice.
    pub(crate) async fn load(&mut self, choice: &str) -> Result<String, Fault> {
        let wanted: Value = serde_json::from_str(choice)?;
        let choice = choice_of(&wanted);
        check_size(&choice)?;
        // A radius that was asked for stays.
        let sized = choice.options.set.iter().any(|set| set.starts_with("particle_radius"));
        let most = (self.software && !sized).then_some(SOFTWARE_PARTICLES);
        let chosen = choice.load(most)?;
        let run = Run::new(&self.gpu, chosen, None, &Shaders::standard()).await?;
        let fluid = run.fluid();
        self.hand = Hand::for_scene(&fluid);
        self.tool = HandTool::default();
        let scene = run.scene();
        self.view.color = Registry::standard().usual_quantity(scene);
        self.view.range = None;
        self.view = std::mem::take(&mut self.view).with_light_of(scene);
        // A surface takes a fast device.
        self.view.mode = match Mode::usual(scene, &run.simulation().setup().chosen) {
            Mode::Surface if self.software => Mode::Particles,
            mode => mode,
        };
        self.run = Some(run);
        self.camera.frame(&fluid, self.aspect(), true);
        self.moved = false;
        self.failed = None;
        self.measured = Measured::new();
        self.pace.restart();
        for (key, value) in wanted["tune"].as_object().into_iter().flatten() {
            if !self.tune(key, value.as_f64()) {
                let solver = &self.run.as_ref().ok_or_else(no_scene)?.scene().solver;
                self.notes.push(format!("with {solver}, this scene has no slider `{key}`"));
            }
        }
        self.show().await?;
        self.describe()
    }

    /// Description of the scene as it is now.
    pub(crate) fn describe(&self) -> Result<String, Fault> {
        let run = self.run.as_ref().ok_or_else(no_scene)?;
        let mut described = describe::scene(run, &self.view, &self.hand);
        described["adapter"] = self.gpu.info().name.clone().into();
        described["software"] = self.software.into();
        described["can_time"] = self.gpu.has_timestamps().into();
        Ok(described.to_string())
    }

    fn aspect(&self) -> f64 {
        self.size[0] / self.size[1].max(1.0)
    }

    /// Creates the surface data that the view mode needs.
    async fn show(&mut self) -> Result<(), Fault> {
        self.stale = true;
        if let Some(run) = &mut self.run {
            run.show((self.view.mode, self.fineness)).await?;
        }
        Ok(())
    }

    /// Carries out wishes, simulates for about `milliseconds`, and describes the state.
    pub(crate) async fn frame(
        &mut self,
        wishes: Vec<Wish>,
        milliseconds: f64,
    ) -> Result<String, Fault> {
        self.gpu.check()?;
        self.grant(wishes).await?;
        let begin = Instant::now();
        while self.playing && begin.elapsed().as_secs_f64() < 1e-3 * milliseconds {
            let Some(run) = &self.run else { break };
            if self.pace.wait(Instant::now(), run.simulation().time()).is_some() {
                break;
            }
            self.advance(async |run| run.advance().await).await?;
            let frame_done = |run: &Run| run.simulation().control().frame_done == 1;
            let since = |at: Instant| at.elapsed() > PLOT_INTERVAL;
            // Its report is made after the loop, of the end of the frame.
            if self.run.as_ref().is_some_and(frame_done) && self.measured.reported.is_none_or(since)
            {
                break;
            }
        }
        self.measured.roll();
        self.report().await?;
        self.gpu.check()?;
        Ok(self.state().to_string())
    }

    /// Carries out wishes.
    pub(crate) async fn grant(&mut self, wishes: Vec<Wish>) -> Result<(), Fault> {
        for wish in wishes {
            match wish {
                Wish::Set(key, value) => self.set(&key, &value).await?,
                Wish::Pointer(pointer) => self.point(pointer).await?,
            }
        }
        Ok(())
    }

    /// Advances with `how`. A simulation that fails is paused, and says why in the state.
    async fn advance(
        &mut self,
        how: impl AsyncFnOnce(&mut Run) -> Result<u32, Error>,
    ) -> Result<(), Fault> {
        let Some(run) = &mut self.run else { return Ok(()) };
        let (before, begin) = (run.simulation().time(), Instant::now());
        let step = run.simulation().control().step;
        match how(run).await {
            Ok(steps) => self.measured.steps += steps,
            Err(error @ (Error::Device(_) | Error::DeviceLost(_))) => return Err(error.into()),
            Err(error) => {
                self.failed = Some(error.to_string());
                self.playing = false;
            }
        }
        let times = run.simulation_mut().take_times();
        if !times.is_empty() {
            self.measured.timed_steps += run.simulation().control().step - step;
        }
        for pass in times {
            *self.measured.passes.entry(pass.label).or_default() += pass.end - pass.start;
        }
        let longest = &mut self.measured.longest[0];
        *longest = longest.max(1e3 * begin.elapsed().as_secs_f64());
        self.measured.simulated += run.simulation().time() - before;
        self.stale = true;
        Ok(())
    }

    async fn report(&mut self) -> Result<(), Fault> {
        let control = self.run.as_ref().map(|run| *run.simulation().control());
        let frame_done = control.is_some_and(|control| control.frame_done == 1);
        let new = control.is_some_and(|control| control.step != self.measured.reported_step);
        let interval = if frame_done && new { PLOT_INTERVAL } else { REPORT_INTERVAL };
        let due = self.measured.reported.is_none_or(|at| at.elapsed() > interval);
        let Some(run) = self.run.as_mut().filter(|_| due && self.failed.is_none()) else {
            return Ok(());
        };
        let (report, found) = run.report().await?;
        self.notes.extend(found);
        self.measured.reported = Some(Instant::now());
        self.measured.reported_step = report.steps;
        self.measured.report = files::numbers(&report, run, frame_done)?;
        Ok(())
    }

    fn state(&mut self) -> Value {
        let Some(run) = &self.run else { return json!({ "condition": "empty" }) };
        let (simulation, control) = (run.simulation(), run.simulation().control());
        let camera = self.camera.goal();
        json!({
            "camera": self.moved.then(|| [camera.eye.to_array(), camera.target.to_array()].concat()),
            "condition": if self.failed.is_some() { "failed" } else { "ready" },
            "failure": self.failed,
            "playing": self.playing,
            "time": simulation.time(),
            "frame": control.frame,
            "frame_done": control.frame_done == 1,
            "steps": control.step,
            "dt": control.dt,
            "particles": run.count(),
            "steps_per_second": self.measured.rates[0],
            "pace": self.measured.rates[1],
            "submission_ms": self.measured.last_longest[0],
            "picture_ms": self.measured.last_longest[1],
            "report": self.measured.report,
            "passes": self.measured.slowest(),
            "pulling": self.tool.is_dragging(),
            "notes": std::mem::take(&mut self.notes),
        })
    }

    /// Sets a setting. What has no meaning is ignored: the page offers only what has.
    async fn set(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        self.stale = true;
        let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
        let on = value == "1";
        if let Some(slider) = key.strip_prefix("tuning.") {
            let _ = self.tune(slider, number);
            return Ok(());
        }
        match (key, number) {
            ("playing", _) => {
                self.playing = on && self.failed.is_none() && self.run.is_some();
                self.pace.restart();
                if !on {
                    self.extract().await?;
                }
            }
            ("step", _) => {
                self.playing = false;
                self.advance(async |run| run.step().await).await?;
                self.extract().await?;
            }
            ("frame", _) => {
                self.playing = false;
                self.advance(async |run| run.frame().await).await?;
                self.extract().await?;
            }
            ("reset", _) => self.reset().await?,
            ("speed", speed) => self.pace.set_scale(speed),
            ("mode", _) => {
                self.view.mode = value.parse().unwrap_or(self.view.mode);
                self.show().await?;
            }
            ("color", _) => {
                let fluid = self.run.as_ref().map(Run::fluid);
                let found = fluid.iter().flat_map(|fluid| &fluid.quantities);
                if let Some((quantity, _)) = found.into_iter().find(|(one, _)| one.name == value) {
                    self.view.color = *quantity;
                    self.view.range = None;
                }
            }
            ("range", _) => {
                let ends = value.split_once(',');
                let ends = ends.and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
                self.view.range = ends.filter(|[low, high]: &[f32; 2]| low < high);
            }
            ("boundaries", _) => self.view.boundaries = on,
            ("foam", _) => self.view.foam = on,
            ("ground", _) => self.view.ground = on,
            ("antialias", _) => self.view.antialias = on,
            ("exposure", Some(number)) => self.view.exposure = number.clamp(0.01, 100.0) as f32,
            ("clarity", Some(number)) => self.view.clarity = number.clamp(0.01, 100.0) as f32,
            ("fineness", Some(number)) => {
                self.fineness.fineness = (number as u32).clamp(1, SurfaceOptions::FINEST);
                self.show().await?;
            }
            ("smoothing", Some(number)) => {
                self.fineness.smoothing = (number as u32).min(SurfaceOptions::SMOOTHEST);
                self.show().await?;
            }
            ("timed", _) => {
                (self.measured.passes, self.measured.timed_steps) = (BTreeMap::new(), 0);
                if let Some(run) = &mut self.run {
                    run.set_timed(on)?;
                }
            }
            ("hand.push", _) => self.hand.push = on,
            ("hand.strength", Some(number)) => self.hand.strength = number as f32,
            ("hand.radius", Some(number)) => self.hand.radius = number.max(1e-6) as f32,
            ("camera", _) => {
                let numbers: Vec<f64> =
                    value.split(',').filter_map(|part| part.parse().ok()).collect();
                if let Ok([a, b, c, d, e, f]) = <[f64; 6]>::try_from(numbers) {
                    self.moved = self.camera.look([a, b, c].into(), [d, e, f].into());
                }
            }
            ("home", _) => {
                self.moved = false;
                if let Some(run) = &self.run {
                    self.camera.frame(&run.fluid(), self.aspect(), on);
                }
            }
            ("pixel_scale", Some(number)) => {
                self.pixels[1] = number.clamp(0.1, 2.0);
                self.resized = true;
            }
            ("size", _) => {
                let mut parts = value.split(',').filter_map(|part| part.parse::<f64>().ok());
                if let (Some(width), Some(height), Some(pixels)) =
                    (parts.next(), parts.next(), parts.next())
                {
                    self.size = [width.max(1.0), height.max(1.0)];
                    self.pixels[0] = pixels.clamp(0.1, 8.0);
                    self.resized = true;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Moves a slider, or all back to the scene's own values. Returns whether there is such a slider.
    fn tune(&mut self, slider: &str, value: Option<f64>) -> bool {
        let Some(run) = &mut self.run else { return false };
        let own = run.scene_tuning().clone();
        let restored = slider == "restore";
        let mut tuning = if restored { own.clone() } else { run.tuning().clone() };
        let found = value.is_some_and(|value| tuning.set(&own, slider, value));
        run.tune(tuning);
        found || restored
    }

    async fn reset(&mut self) -> Result<(), Fault> {
        let Some(run) = &self.run else { return Ok(()) };
        let run = run.again(None, &Shaders::standard()).await?;
        self.run = Some(run);
        self.failed = None;
        self.tool = HandTool::default();
        self.pace.restart();
        self.measured = Measured::new();
        Ok(())
    }

    async fn point(&mut self, pointer: Pointer) -> Result<(), Fault> {
        self.stale = true;
        let Some(run) = &mut self.run else { return Ok(()) };
        let (camera, fluid) = (self.camera.camera(), run.fluid());
        let frame = Viewport { camera: &camera, size: self.size };
        let command = match pointer {
            Pointer::Press(at, keys) => self.tool.press(frame, at, &fluid, self.hand, keys),
            Pointer::Move(at) => self.tool.follow(frame, at, &fluid, self.hand),
            Pointer::Release => {
                for command in self.tool.release() {
                    run.hand(command).await?;
                }
                None
            }
            Pointer::Orbit([right, down]) => {
                self.moved = true;
                self.camera.orbit(right, down);
                None
            }
            Pointer::Pan([right, down]) => {
                self.moved = true;
                self.camera.pan(right, down);
                None
            }
            Pointer::Zoom(turns) => {
                self.moved = true;
                self.camera.zoom(turns);
                None
            }
        };
        if let Some(command) = command
            && let Some(place) = run.hand(command).await?
        {
            self.tool.grabbed(place);
        }
        Ok(())
    }

    async fn extract(&mut self) -> Result<(), Fault> {
        match &mut self.run {
            Some(run) if run.has_surface() => Ok(run.extract().await?),
            _ => Ok(()),
        }
    }

    /// Width and height of the picture in pixels.
    fn picture_size(&self) -> [u32; 2] {
        let longest = self.gpu.device().limits().max_texture_dimension_2d;
        let scale = self.pixels[0] * self.pixels[1];
        self.size.map(|side| ((side * scale).round() as u32).clamp(1, longest))
    }

    /// Draws what is new, and waits until it is drawn.
    pub(crate) async fn draw(&mut self) -> Result<(), Fault> {
        let dt = self.glided.elapsed().as_secs_f64().min(0.1);
        self.glided = Instant::now();
        self.stale |= self.camera.glide(dt);
        if self.resized {
            let [width, height] = self.picture_size();
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(self.gpu.device(), &self.config);
            (self.resized, self.stale) = (false, true);
        }
        if !self.stale || self.run.is_none() {
            return Ok(());
        }
        let begin = Instant::now();
        if self.playing {
            self.extract().await?;
        }
        let Some(run) = &self.run else { return Ok(()) };
        use wgpu::CurrentSurfaceTexture as Current;
        let (Current::Success(target) | Current::Suboptimal(target)) =
            self.surface.get_current_texture()
        else {
            self.resized = true;
            return Ok(());
        };
        self.view.camera = self.camera.camera();
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let view = target.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let size = [self.config.width, self.config.height];
        self.renderer.draw(&mut encoder, &view, size, &run.fluid(), &self.view)?;
        self.gpu.queue().submit([encoder.finish()]);
        self.gpu.queue().present(target);
        self.stale = false;
        // So that the next steps are timed alone.
        self.gpu.idle().await?;
        let longest = &mut self.measured.longest[1];
        *longest = longest.max(1e3 * begin.elapsed().as_secs_f64());
        Ok(())
    }

    /// The bytes of a file.
    pub(crate) async fn read(&mut self, what: &str) -> Result<Vec<u8>, Fault> {
        let size = self.picture_size();
        let run = self.run.as_mut().ok_or_else(no_scene)?;
        let view = View { camera: self.camera.camera(), legend: true, ..self.view.clone() };
        files::read(what, &self.gpu, run, &view, size).await
    }
}

fn no_scene() -> Fault {
    Fault("there is no scene yet".into())
}

/// The choice that JSON describes: `source`, and perhaps `text`, `solver`, `radius` in m,
/// `particles`, and `set`, a list of `key=value`.
fn choice_of(wanted: &Value) -> Choice {
    let text = |key: &str| wanted[key].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let mut choice = Choice::of(text("source").unwrap_or_else(|| meniscus_live::FIRST.into()));
    choice.text = text("text");
    choice.options = LoadOptions { solver: text("solver"), set: Vec::new() };
    choice.particles = wanted["particles"].as_u64().map(|count| count.min(100_000_000) as u32);
    if let Some(radius) = text("radius") {
        choice.options.set.push(format!("particle_radius={radius}"));
    }
    let more = wanted["set"].as_array().into_iter().flatten().filter_map(Value::as_str);
    choice.options.set.extend(more.map(str::to_owned));
    choice
}

/// Names of the bundled meshes that a choice needs: those of its bundled scene.
pub(crate) fn meshes(choice: &str) -> Vec<String> {
    let choice = choice_of(&serde_json::from_str(choice).unwrap_or_default());
    let bundled = SCENES.iter().find(|scene| choice.text.is_none() && scene.name == choice.source);
    let names = bundled.into_iter().flat_map(|scene| meshes_of(scene.text));
    names.map(str::to_owned).collect()
}

/// Refuses a number of particles for which a module of 32 bits has no memory.
fn check_size(choice: &Choice) -> Result<(), Fault> {
    let expected = match (choice.particles, &*choice.options.set) {
        (Some(particles), _) => f64::from(particles),
        (None, []) => return Ok(()),
        (None, [radius, rest @ ..]) => {
            let Some(radius) = radius.strip_prefix("particle_radius=") else { return Ok(()) };
            let Ok(radius) = radius.parse::<f64>() else { return Ok(()) };
            let options = LoadOptions { set: rest.to_vec(), ..choice.options.clone() };
            let own = Choice { options, particles: Some(1000), ..choice.clone() }.load(None)?;
            let ratio = own.scene.particle_radius / radius;
            f64::from(own.particles()) * ratio.powf(own.scene.dimensions.into())
        }
    };
    if expected > MOST_PARTICLES {
        return Err(Fault(format!(
            "about {expected:.0} particles are too many for a browser, which has memory for \
             {MOST_PARTICLES:.0}: choose fewer particles or a larger radius"
        )));
    }
    Ok(())
}
