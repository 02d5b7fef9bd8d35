//! `meniscus render`: draws a scene to images or a video.

use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use meniscus::{
    EnergyWatch, Gpu, Simulation,
    blocking::block_on,
    model::{
        Scene,
        methods::{Registry, foam},
    },
};
use meniscus_formats::{Video, VideoFormat, write_png};
use meniscus_render::{Camera, Mode, Quantity, Studio, View};

use crate::{
    Failure, adapter,
    arguments::{Render, find_quantities},
    files,
    progress::Progress,
    run, terminal,
};

pub(crate) fn render(arguments: &Render) -> Result<(), Failure> {
    let fps = arguments.fps.map(|fps| format!("time.fps={fps:?}"));
    let foam = arguments.foam.then(|| format!("{}=true", foam::SWITCH));
    let more: Vec<_> = fps.into_iter().chain(foam).collect();
    let scene = arguments.scene.load(&more)?.scene;
    let last = run::last_frame(arguments.until.unwrap_or(scene.time.until), scene.time.fps)?;
    let color = match &arguments.color {
        Some(name) => find_quantities("--color", std::slice::from_ref(name), &scene)?[0],
        None => Registry::standard().usual_quantity(&scene),
    };
    check(arguments, &scene)?;
    let target = Target::of(arguments, &scene, last)?;

    let gpu = adapter::open(&arguments.scene.device)?;
    adapter::announce(&gpu, arguments.quiet);
    let mut simulation = block_on(&gpu, Simulation::new(&gpu, &scene))?;
    let mut shots =
        Shots::new(arguments, color, &gpu, &simulation, &scene, target.video.is_some())?;
    let mut progress = Progress::new(&simulation, last, arguments.quiet);
    let mut watch = EnergyWatch::of(&scene, &simulation.setup().chosen);
    let mut video = None;
    // Films are completed with what they have.
    let interrupt = target.video.map(|_| run::Interrupt::listen()).transpose()?;
    let result = (|| {
        loop {
            run::watch_energy(&gpu, &mut simulation, watch.as_mut(), &progress)?;
            let frame = simulation.control().frame;
            if frame >= target.first {
                let picture = block_on(&gpu, shots.picture(&simulation))?;
                match &target.video {
                    None => write_png(&arguments.out, &picture)?,
                    Some((format, fps)) => {
                        if video.is_none() {
                            video = Some(start(&arguments.out, *format, arguments.size, *fps)?);
                        }
                        video.as_mut().map_or(Ok(()), |video| video.add(picture))?;
                    }
                }
            }
            if frame >= last {
                return Ok::<(), Failure>(());
            }
            if interrupt.as_ref().is_some_and(run::Interrupt::is_asked) {
                let time = simulation.time();
                return Err(Failure::Failed(format!("interrupted at {time:.4} s")));
            }
            block_on(&gpu, simulation.next_frame())?;
            progress.frame(&simulation);
        }
    })();
    progress.end();
    terminal::complain("warning", &progress.warnings());
    if shots.studio.outside() > 0 {
        terminal::complain("warning", &run::left_behind(shots.studio.outside()));
    }
    let left = match video {
        None => Ok(arguments.out.display().to_string()),
        Some(video) => {
            let left = format!("{}: {} images", video.path().display(), video.count());
            video.finish().map(|()| left)
        }
    };
    match (result, left) {
        (Ok(()), left) => {
            let left = left?;
            if !arguments.quiet {
                terminal::note(&left);
            }
            Ok(())
        }
        (Err(failure), Ok(left)) if target.video.is_some() => {
            Err(failure.and(&format!("; {left} until then")))
        }
        (Err(failure), _) => Err(failure),
    }
}

/// Refuses options that would have no effect, or no picture.
fn check(arguments: &Render, scene: &Scene) -> Result<(), Failure> {
    let chosen = Registry::standard().choose(scene);
    let usual = chosen.map(|chosen| Mode::usual(scene, &chosen)).unwrap_or_default();
    let mode = arguments.view.unwrap_or(usual);
    arguments.surface_options.check(mode == Mode::Surface, "--view surface")?;
    let is_coloured = scene.dimensions == 2 || matches!(mode, Mode::Particles | Mode::Slice);
    for (flag, is_given) in
        [("--color", arguments.color.is_some()), ("--range", arguments.range.is_some())]
    {
        if is_given && !is_coloured {
            let name = mode.name();
            let other = if Mode::OF_SMOKE.contains(&mode) { Mode::Slice } else { Mode::Particles };
            let text =
                format!("{flag}: the view {name} shows no quantity; --view {} does", other.name());
            return Err(Failure::Input(text));
        }
    }
    let own = scene.camera.as_ref();
    let eye = arguments.eye.or(own.map(|camera| camera.eye));
    if eye.is_some() && eye == arguments.target.or(own.map(|camera| camera.target)) {
        let text = format!(
            "--eye: the camera is at the point {:?} that it looks at",
            eye.unwrap_or_default()
        );
        return Err(Failure::Input(text));
    }
    Ok(())
}

/// Output to write.
struct Target {
    /// Format and images per second of a video; `None` for an image of the last frame.
    video: Option<(VideoFormat, f64)>,
    /// First frame to draw.
    first: u32,
}

impl Target {
    fn of(arguments: &Render, scene: &Scene, last: u32) -> Result<Self, Failure> {
        let png = arguments.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
        let parent = arguments.out.parent().map(Path::to_owned).unwrap_or_default();
        let first = (arguments.from * scene.time.fps).round();
        if !(0.0..=f64::from(last)).contains(&first) {
            let end = f64::from(last) / scene.time.fps;
            let text = format!("--from {}: expected a time from 0 to {end} s", arguments.from);
            return Err(Failure::Input(text));
        }
        if png {
            files::create_parent(&arguments.out)?;
            return Ok(Self { video: None, first: last });
        }
        let format = VideoFormat::of(&arguments.out).map_err(Failure::Input)?;
        files::create_folder(if parent == PathBuf::new() { Path::new(".") } else { &parent })?;
        let fps = arguments.video_fps.unwrap_or(scene.time.fps);
        Ok(Self { video: Some((format, fps)), first: first as u32 })
    }
}

fn start(path: &Path, format: VideoFormat, size: [u32; 2], fps: f64) -> Result<Video, Failure> {
    let video = Video::start(path, format, size, fps)?;
    if video.is_folder() && format != VideoFormat::Folder {
        let text = format!(
            "{} needs ffmpeg, which is not on the PATH; writing images to {} instead",
            path.display(),
            video.path().display()
        );
        terminal::complain("warning", &text);
    }
    Ok(video)
}

/// Draws a simulation as the arguments say.
struct Shots {
    studio: Studio,
    view: View,
    /// Rotation of the camera about its target, in degrees per second.
    turn: f64,
}

impl Shots {
    fn new(
        arguments: &Render,
        color: Quantity,
        gpu: &Gpu,
        simulation: &Simulation,
        scene: &Scene,
        is_film: bool,
    ) -> Result<Self, Failure> {
        let mode = arguments.view.unwrap_or_else(|| Mode::usual(scene, &simulation.setup().chosen));
        let view = View {
            mode,
            color,
            range: arguments.range,
            camera: camera(arguments, scene, simulation),
            boundaries: !arguments.no_boundaries,
            foam: !arguments.no_foam,
            blur: if is_film { scene.frame_duration() as f32 / 2.0 } else { 0.0 },
            legend: !arguments.no_legend,
            exposure: arguments.exposure,
            ..View::default()
        };
        let options = arguments.surface_options.options(&Studio::usual_surface());
        let studio = Studio::new(gpu, simulation, arguments.size, mode, &options)?;
        Ok(Self { studio, view, turn: arguments.turn })
    }

    async fn picture(&mut self, simulation: &Simulation) -> Result<image::RgbaImage, Failure> {
        let mut view = self.view.clone();
        let angle = (self.turn * simulation.time()).to_radians();
        let back = view.camera.eye - view.camera.target;
        let turned = DQuat::from_axis_angle(view.camera.up.normalize(), angle) * back;
        view.camera.eye = view.camera.target + turned;
        Ok(self.studio.picture(simulation, &view).await?)
    }
}

/// The camera given by flags, or else by the scene, or else one that shows the whole scene.
fn camera(arguments: &Render, scene: &Scene, simulation: &Simulation) -> Camera {
    let mut camera = Camera::of_scene(scene, simulation, arguments.size);
    camera.eye = arguments.eye.map_or(camera.eye, DVec3::from);
    camera.target = arguments.target.map_or(camera.target, DVec3::from);
    camera.fov_y = arguments.fov.map_or(camera.fov_y, f64::to_radians);
    camera
}
