//! `meniscus render`: a scene as pictures.

use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use meniscus::{Gpu, Simulation, Splats, Surface, blocking::block_on, model::Scene};
use meniscus_formats::{Film, FilmFormat, write_png};
use meniscus_render::{Camera, Fluid, MeshBuffers, Mode, Offscreen, SplatBuffers, View};

use crate::{Failure, adapter, arguments::Render, files, progress::Progress, run, terminal};

/// Rounds of smoothing that make water of a mesh of particles.
const SMOOTHING: u32 = 8;

pub(crate) fn render(arguments: &Render) -> Result<(), Failure> {
    let fps = arguments.fps.map(|fps| format!("time.fps={fps:?}"));
    let scene = arguments.scene.load(fps.as_slice())?.scene;
    let last = run::last_frame(arguments.until.unwrap_or(scene.time.until), scene.time.fps)?;
    let target = Target::of(arguments, &scene, last)?;

    let gpu = adapter::open(&arguments.scene)?;
    let mut simulation = block_on(&gpu, Simulation::new(&gpu, &scene))?;
    let mut studio = Studio::new(arguments, &gpu, &simulation, &scene)?;
    let mut progress = Progress::new(&simulation, last, arguments.quiet);
    let mut film = None;
    let result = (|| {
        loop {
            let frame = simulation.control().frame;
            if frame >= target.first {
                let picture = studio.picture(&simulation)?;
                match &target.film {
                    None => write_png(&arguments.out, &picture)?,
                    Some((format, fps)) => {
                        if film.is_none() {
                            film = Some(start(&arguments.out, *format, arguments.size, *fps)?);
                        }
                        film.as_mut().map_or(Ok(()), |film| film.add(picture))?;
                    }
                }
            }
            if frame >= last {
                return Ok::<(), Failure>(());
            }
            block_on(&gpu, simulation.next_frame())?;
            progress.frame(&simulation);
        }
    })();
    progress.end();
    terminal::complain("warning", &progress.warnings());
    result?;
    let left = match film {
        None => arguments.out.display().to_string(),
        Some(film) => {
            let path = film.path().display().to_string();
            let count = film.count();
            film.finish()?;
            format!("{path}: {count} pictures")
        }
    };
    if !arguments.quiet {
        terminal::note(&left);
    }
    Ok(())
}

/// What is to be written.
struct Target {
    /// Format and pictures per second; `None` for a picture of the last frame.
    film: Option<(FilmFormat, f64)>,
    /// First frame of which there is a picture.
    first: u32,
}

impl Target {
    fn of(arguments: &Render, scene: &Scene, last: u32) -> Result<Self, Failure> {
        let png = arguments.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
        let parent = arguments.out.parent().map(Path::to_owned).unwrap_or_default();
        if png {
            files::create_parent(&arguments.out)?;
            return Ok(Self { film: None, first: last });
        }
        let format = FilmFormat::of(&arguments.out).map_err(Failure::Input)?;
        let first = (arguments.from * scene.time.fps).round();
        if !(0.0..=f64::from(last)).contains(&first) {
            let end = f64::from(last) / scene.time.fps;
            let text = format!("--from {}: expected a time from 0 to {end} s", arguments.from);
            return Err(Failure::Input(text));
        }
        files::create_folder(if parent == PathBuf::new() { Path::new(".") } else { &parent })?;
        let fps = arguments.film_fps.unwrap_or(scene.time.fps);
        Ok(Self { film: Some((format, fps)), first: first as u32 })
    }
}

fn start(path: &Path, format: FilmFormat, size: [u32; 2], fps: f64) -> Result<Film, Failure> {
    let film = Film::start(path, format, size, fps)?;
    if film.is_folder() && format != FilmFormat::Folder {
        let text = format!(
            "there is no ffmpeg on the PATH, which would make {}: the pictures go to {}",
            path.display(),
            film.path().display()
        );
        terminal::complain("warning", &text);
    }
    Ok(film)
}

/// What pictures are made with.
struct Studio {
    gpu: Gpu,
    offscreen: Offscreen,
    view: View,
    surface: Option<Surface>,
    splats: Option<Splats>,
    /// Degrees per second about the target.
    turn: f64,
    /// Whether it was said that the surface leaves particles out.
    warned: bool,
}

impl Studio {
    fn new(
        arguments: &Render,
        gpu: &Gpu,
        simulation: &Simulation,
        scene: &Scene,
    ) -> Result<Self, Failure> {
        let flat = scene.dimensions == 2;
        let mode = arguments.view.unwrap_or(if flat { Mode::Particles } else { Mode::Surface });
        let view = View {
            mode,
            color: arguments.color,
            range: arguments.range,
            camera: camera(arguments, scene, &Fluid::of(simulation)),
            boundaries: !arguments.no_boundaries,
            legend: !arguments.no_legend,
            exposure: arguments.exposure,
            ..View::default()
        };
        let options = arguments.surface_options.options(SMOOTHING);
        let surface = (mode == Mode::Surface).then(|| Surface::new(gpu, simulation, &options));
        let splats = (mode == Mode::Splats).then(|| Splats::new(simulation));
        Ok(Self {
            gpu: gpu.clone(),
            offscreen: Offscreen::new(gpu, arguments.size)?,
            view,
            surface: surface.transpose()?,
            splats: splats.transpose()?,
            turn: arguments.turn,
            warned: false,
        })
    }

    fn picture(&mut self, simulation: &Simulation) -> Result<image::RgbaImage, Failure> {
        let mut fluid = Fluid::of(simulation);
        if let Some(splats) = &mut self.splats {
            splats.extract(simulation)?;
            fluid = fluid.with_splats(Some(SplatBuffers::of(splats)));
        }
        if let Some(surface) = &mut self.surface {
            block_on(&self.gpu, surface.fit(simulation))?;
            let outside = block_on(&self.gpu, surface.outside())?;
            if outside > 0 && !self.warned {
                self.warned = true;
                terminal::complain("warning", &run::left_behind(outside));
            }
            fluid = fluid.with_mesh(Some(MeshBuffers::of(surface)));
        }
        let mut view = self.view.clone();
        let angle = (self.turn * simulation.time()).to_radians();
        let back = view.camera.eye - view.camera.target;
        let turned = DQuat::from_axis_angle(view.camera.up.normalize(), angle) * back;
        view.camera.eye = view.camera.target + turned;
        Ok(block_on(&self.gpu, self.offscreen.picture(&fluid, &view))?)
    }
}

/// The camera that flags, or else the scene, ask for, or one that sees all.
fn camera(arguments: &Render, scene: &Scene, fluid: &Fluid) -> Camera {
    let [width, height] = arguments.size.map(f64::from);
    let mut camera = fluid.camera(width / height);
    if let Some(own) = &scene.camera {
        camera.eye = own.eye.into();
        camera.target = own.target.into();
        camera.fov_y = own.fov.to_radians();
    }
    camera.eye = arguments.eye.map_or(camera.eye, DVec3::from);
    camera.target = arguments.target.map_or(camera.target, DVec3::from);
    camera.fov_y = arguments.fov.map_or(camera.fov_y, f64::to_radians);
    camera
}
