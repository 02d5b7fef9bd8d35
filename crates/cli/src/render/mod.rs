//! `meniscus render`: draws a scene, or what a run has left, to images or a video.

mod stored;

use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use meniscus::{Gpu, Registry, Scene, Simulation, Watch, blocking::block_on, methods::foam};
use meniscus_formats::{
    Checkpoint, Loaded, Video, VideoFormat, read_checkpoint, scene_to_toml, write_checkpoint,
    write_png,
};
use meniscus_render::{Camera, Mode, Quantity, Studio, View};

use crate::{
    Failure, adapter,
    arguments::{Render, find_quantities},
    files,
    progress::Progress,
    run, terminal,
};
use stored::Stored;

/// Where the frames come from.
enum Origin {
    /// They are simulated.
    Scene,
    /// They are simulated from a checkpoint on.
    Checkpoint(Box<Checkpoint>),
    /// A run has left them as files.
    Files(Stored),
}

impl Origin {
    /// Frames of the files that a run has left, or of a checkpoint, or of a scene; and the scene.
    fn of(arguments: &Render) -> Result<(Self, Loaded), Failure> {
        let source = arguments.scene.source();
        let beside = arguments.beside.as_deref();
        let more = |fps: bool| {
            let fps = arguments.fps.filter(|_| fps).map(|fps| format!("time.fps={fps:?}"));
            let foam = arguments.foam.then(|| format!("{}=true", foam::SWITCH));
            fps.into_iter().chain(foam).chain(arguments.light()).collect::<Vec<_>>()
        };
        if let Some((folder, named)) = Stored::place(source) {
            let scene = beside.map_or_else(|| Stored::scene(&folder), |own| Ok(own.to_owned()))?;
            let loaded = arguments.scene.load_other(&scene, None, &more(false))?;
            let mode = arguments.mode(&loaded.scene);
            let stored = Stored::open(&folder, named.as_deref())?;
            if stored.has_surfaces() {
                arguments
                    .surface_options
                    .check(false, "particles, of which these files have none")?;
            }
            if stored.has_surfaces() && mode != Mode::Surface {
                let text = format!(
                    "--view {}: it needs particles; {source} has surfaces, which --view surface shows",
                    mode.name()
                );
                return Err(Failure::Input(text));
            }
            stored.warn(&loaded.scene);
            return Ok((Self::Files(stored), loaded));
        }
        if is_checkpoint(Path::new(source)) {
            let checkpoint = read_checkpoint(Path::new(source))?;
            let loaded = match beside {
                Some(scene) => arguments.scene.load_other(scene, None, &more(true))?,
                None => {
                    let text = Some(checkpoint.scene_toml.as_str());
                    let loaded = arguments.scene.load_other(source, text, &more(true));
                    loaded.map_err(|failure| {
                        failure.and("; --scene FILE gives a checkpoint's scene, with its files")
                    })?
                }
            };
            checkpoint.belongs_to(source, &loaded)?;
            return Ok((Self::Checkpoint(Box::new(checkpoint)), loaded));
        }
        if beside.is_some() {
            let text = format!(
                "--scene: {source} is a scene itself, not a folder that `meniscus run` wrote, nor a checkpoint"
            );
            return Err(Failure::Input(text));
        }
        Ok((Self::Scene, arguments.scene.load(&more(true))?))
    }

    /// Numbers of the first and of the last frame to draw.
    fn ends(&self, arguments: &Render, scene: &Scene) -> Result<[u32; 2], Failure> {
        let fps = scene.time.fps;
        match self {
            Self::Scene => {
                Ok([0, run::last_frame(arguments.until.unwrap_or(scene.time.until), fps)?])
            }
            Self::Checkpoint(checkpoint) => {
                let own = checkpoint.state.control.frame;
                let usual =
                    if arguments.is_image() { f64::from(own) / fps } else { scene.time.until };
                let last = run::last_frame(arguments.until.unwrap_or(usual), fps)?;
                if last < own {
                    let [end, time] = [last, own].map(|frame| f64::from(frame) / fps);
                    let text = format!(
                        "the checkpoint was written at {time} s, after the end at {end} s: give --until a later time"
                    );
                    return Err(Failure::Input(text));
                }
                Ok([own, last])
            }
            Self::Files(stored) => {
                let last = arguments.until.map(|until| run::last_frame(until, fps)).transpose()?;
                let [first, end] = stored.ends;
                match last {
                    Some(last) if !(first..=end).contains(&last) => {
                        let [from, to] = stored.ends.map(|frame| f64::from(frame) / fps);
                        let text = format!("--until: the files are of {from} to {to} s");
                        Err(Failure::Input(text))
                    }
                    last => Ok([first, last.unwrap_or(end)]),
                }
            }
        }
    }

    /// Frames of files from one image to the next.
    fn stride(&self, arguments: &Render, scene: &Scene) -> Result<u32, Failure> {
        let (Self::Files(_), Some(fps)) = (self, arguments.fps) else { return Ok(1) };
        let ratio = scene.time.fps / fps;
        if ratio < 0.999 || (ratio - ratio.round()).abs() > 1e-3 * ratio {
            let text = format!(
                "--fps {fps}: the files have {} frames per second, of which every second, third and so on can be drawn",
                scene.time.fps
            );
            return Err(Failure::Input(text));
        }
        Ok(ratio.round() as u32)
    }
}

/// Whether a file begins as checkpoints do.
fn is_checkpoint(path: &Path) -> bool {
    use std::io::Read;
    let mut begin = [0; 14];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && &begin == b"meniscus state"
}

pub(crate) fn render(arguments: &Render) -> Result<(), Failure> {
    let interrupt = run::Interrupt::listen()?;
    let (origin, loaded) = Origin::of(arguments)?;
    let scene = loaded.scene.clone();
    let [begin, last] = origin.ends(arguments, &scene)?;
    let stride = origin.stride(arguments, &scene)?;
    let color = match &arguments.color {
        Some(name) => find_quantities("--color", std::slice::from_ref(name), &scene)?[0],
        None => Registry::standard().usual_quantity(&scene),
    };
    check(arguments, &scene)?;
    let mut target = Target::of(arguments, &scene, [begin, last])?;
    if let Some((_, fps)) = &mut target.video
        && arguments.video_fps.is_none()
    {
        *fps /= f64::from(stride);
    }

    let (origin, done) = match arguments.go_on {
        true => go_on(arguments, origin, &loaded, &target)?,
        false => (origin, 0),
    };
    // Frames before are in the film.
    let first = target.first.saturating_add(done.saturating_mul(stride));
    if first > last {
        terminal::note(&format!("{}: it has all {done} images", arguments.out.display()));
        return Ok(());
    }

    let gpu = adapter::open(&arguments.scene.device)?;
    adapter::announce(&gpu, arguments.quiet);
    let mut simulation = match &origin {
        Origin::Checkpoint(checkpoint) => {
            block_on(&gpu, Simulation::resume(&gpu, &scene, &checkpoint.state))?
        }
        _ => block_on(&gpu, Simulation::new(&gpu, &scene))?,
    };
    let mut shots =
        Shots::new(arguments, color, &gpu, &simulation, &scene, target.video.is_some())?;
    if let Origin::Files(stored) = &origin {
        if !arguments.quiet {
            terminal::note(&format!("drawing {}", stored.about()));
        }
        show(stored, first, &gpu, &scene, &mut simulation, &mut shots)?;
    }
    let mut progress = Progress::new(&simulation, &scene, last, arguments.quiet);
    let mut watch = Watch::of(&scene, &simulation.setup().chosen);
    let mut video = None;
    // Films are completed with what they have, and an image is drawn at the end alone.
    let interrupt = target.video.map(|_| interrupt.begin());
    let result = (|| {
        loop {
            if !matches!(origin, Origin::Files(_)) {
                run::see(&gpu, &mut simulation, &mut watch, &progress)?;
            }
            let frame = simulation.control().frame;
            if frame >= first {
                let picture = block_on(&gpu, shots.picture(&simulation))?;
                match &target.video {
                    None => write_png(&arguments.out, &picture)?,
                    Some((format, fps)) => {
                        if video.is_none() {
                            video = Some(start(arguments, *format, *fps, done)?);
                        }
                        video.as_mut().map_or(Ok(()), |video| video.add(picture))?;
                    }
                }
            }
            if frame.saturating_add(stride) > last {
                return Ok::<(), Failure>(());
            }
            if interrupt.is_some_and(run::Interrupt::is_asked) {
                let time = simulation.time();
                return Err(Failure::Failed(format!("interrupted at {time:.4} s")));
            }
            match &origin {
                Origin::Files(stored) => {
                    show(stored, frame + stride, &gpu, &scene, &mut simulation, &mut shots)?;
                }
                _ => block_on(&gpu, simulation.next_frame())?,
            }
            progress.frame(&gpu, &mut simulation)?;
        }
    })();
    progress.end();
    terminal::complain("warning", &progress.warnings(&simulation));
    let outside = shots.studio.outside();
    terminal::complain("warning", &run::left_behind(&gpu, &mut simulation, outside));
    let left = match video {
        None if target.video.is_some() && done == 0 => Ok(("there is no image".into(), 0)),
        None if target.video.is_some() => {
            Ok((format!("{}: {done} images, as before", arguments.out.display()), done))
        }
        None => Ok((arguments.out.display().to_string(), 0)),
        Some(video) => {
            let path = video.path().display().to_string();
            video.finish().map(|images| (format!("{path}: {images} images"), images))
        }
    };
    let film = target.video.is_some() && !matches!(origin, Origin::Files(_));
    let kept = checkpoint_of(&arguments.out);
    if film && result.is_err() {
        let images = left.as_ref().map_or(done, |(_, images)| *images);
        let frame = simulation.control().frame;
        // What the film does not have is drawn after it.
        if images > 0
            && frame <= target.first.saturating_add(images)
            && simulation.control().failure == 0
        {
            let saved = save(&gpu, &simulation, &loaded, &kept);
            if let Err(failure) = saved {
                terminal::complain("warning", &failure.to_string());
            }
        }
    } else if film && left.is_ok() && arguments.go_on && kept.is_file() {
        std::fs::remove_file(&kept).map_err(|error| files::cannot("remove", &kept, &error))?;
    }
    match (result, left) {
        (Ok(()), left) => {
            let (left, _) = left?;
            if !arguments.quiet {
                terminal::note(&left);
            }
            Ok(())
        }
        (Err(failure), Ok((left, images))) if target.video.is_some() => {
            let more = if images > 0 { ", with which --continue goes on" } else { "" };
            Err(failure.and(&format!("; {left} until then{more}")))
        }
        (Err(failure), _) => Err(failure),
    }
}

/// Checkpoint beside a film that was interrupted.
fn checkpoint_of(film: &Path) -> PathBuf {
    let mut name = film.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

fn save(gpu: &Gpu, simulation: &Simulation, loaded: &Loaded, path: &Path) -> Result<(), Failure> {
    let checkpoint = Checkpoint {
        state: block_on(gpu, simulation.read())?,
        scene_hash: loaded.hash,
        adapter: gpu.info().name.clone(),
        scene_toml: scene_to_toml(&loaded.scene),
    };
    Ok(write_checkpoint(path, &checkpoint)?)
}

/// Where a film goes on, and the number of images that it has.
fn go_on(
    arguments: &Render,
    origin: Origin,
    loaded: &Loaded,
    target: &Target,
) -> Result<(Origin, u32), Failure> {
    let Some((format, _)) = target.video else {
        return Err(Failure::Input("--continue: an image does not go on, only a film".into()));
    };
    let film = arguments.out.display();
    let done = Video::images_of(&arguments.out, format)?;
    if done == 0 || matches!(origin, Origin::Files(_)) {
        return Ok((origin, done));
    }
    let path = checkpoint_of(&arguments.out);
    if !path.is_file() {
        let text = format!(
            "there is no {}: what the {done} images of {film} show is simulated again, but not drawn",
            path.display()
        );
        terminal::complain("warning", &text);
        return Ok((origin, done));
    }
    let checkpoint = read_checkpoint(&path)?;
    checkpoint.belongs_to(&path.display().to_string(), loaded)?;
    let frame = checkpoint.state.control.frame;
    if frame > target.first.saturating_add(done) {
        let text = format!(
            "{} is of frame {frame}, and {film} ends with {}: what comes before is simulated again, but not drawn",
            path.display(),
            target.first + done - 1
        );
        terminal::complain("warning", &text);
        return Ok((origin, done));
    }
    Ok((Origin::Checkpoint(Box::new(checkpoint)), done))
}

/// Refuses options that would have no effect, or no picture.
fn check(arguments: &Render, scene: &Scene) -> Result<(), Failure> {
    let mode = arguments.mode(scene);
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
    fn of(arguments: &Render, scene: &Scene, [start, last]: [u32; 2]) -> Result<Self, Failure> {
        let parent = arguments.out.parent().map(Path::to_owned).unwrap_or_default();
        let first = match arguments.from {
            Some(from) => (from * scene.time.fps).round(),
            None => f64::from(start),
        };
        if !(f64::from(start)..=f64::from(last)).contains(&first) {
            let [begin, end] = [start, last].map(|frame| f64::from(frame) / scene.time.fps);
            let text = format!(
                "--from {}: expected a time from {begin} to {end} s",
                arguments.from.unwrap_or_default()
            );
            return Err(Failure::Input(text));
        }
        if arguments.is_image() {
            files::create_parent(&arguments.out)?;
            return Ok(Self { video: None, first: last });
        }
        let format = VideoFormat::of(&arguments.out).map_err(Failure::Input)?;
        files::create_folder(if parent == PathBuf::new() { Path::new(".") } else { &parent })?;
        let fps = arguments.video_fps.unwrap_or(scene.time.fps);
        Ok(Self { video: Some((format, fps)), first: first as u32 })
    }
}

/// Puts a frame of files into the simulation, to draw it.
fn show(
    stored: &Stored,
    frame: u32,
    gpu: &Gpu,
    scene: &Scene,
    simulation: &mut Simulation,
    shots: &mut Shots,
) -> Result<(), Failure> {
    let surfaces = stored.show(frame, &shots.view.color, gpu, scene, simulation)?;
    if let Some(surfaces) = surfaces {
        shots.studio.set_surfaces(surfaces);
    }
    Ok(())
}

fn start(arguments: &Render, format: VideoFormat, fps: f64, done: u32) -> Result<Video, Failure> {
    let path = &arguments.out;
    let video = match done {
        0 => Video::start(path, format, arguments.size, fps)?,
        _ => Video::go_on(path, format, arguments.size, fps, done)?,
    };
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
    /// Camera that the user gives, and the picture's size.
    eye: Option<DVec3>,
    target: Option<DVec3>,
    fov: Option<f64>,
    size: [u32; 2],
    scene: Scene,
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
            boundaries: !arguments.no_boundaries,
            foam: !arguments.no_foam,
            blur: if is_film { scene.frame_duration() as f32 / 2.0 } else { 0.0 },
            legend: !arguments.no_legend,
            exposure: arguments.exposure,
            ..View::default()
        }
        .with_light_of(scene);
        let options = arguments.surface_options.options(&Studio::usual_surface());
        let studio = Studio::new(gpu, simulation, arguments.size, mode, &options)?;
        Ok(Self {
            studio,
            view,
            turn: arguments.turn,
            eye: arguments.eye.map(DVec3::from),
            target: arguments.target.map(DVec3::from),
            fov: arguments.fov.map(f64::to_radians),
            size: arguments.size,
            scene: scene.clone(),
        })
    }

    async fn picture(&mut self, simulation: &Simulation) -> Result<image::RgbaImage, Failure> {
        let mut view = self.view.clone();
        view.camera = self.camera(simulation);
        let angle = (self.turn * simulation.time()).to_radians();
        let back = view.camera.eye - view.camera.target;
        let turned = DQuat::from_axis_angle(view.camera.up.normalize(), angle) * back;
        view.camera.eye = view.camera.target + turned;
        Ok(self.studio.picture(simulation, &view).await?)
    }

    /// The camera given by flags, or else by the scene, or else one that shows the whole scene.
    fn camera(&self, simulation: &Simulation) -> Camera {
        let camera = Camera::of_scene(&self.scene, simulation, self.size);
        Camera {
            eye: self.eye.unwrap_or(camera.eye),
            target: self.target.unwrap_or(camera.target),
            fov_y: self.fov.unwrap_or(camera.fov_y),
            ..camera
        }
    }
}
