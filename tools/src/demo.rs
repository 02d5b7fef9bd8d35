//! `tools demo`: the quickest way to see a simulation.

use std::{
    env, fs,
    path::Path,
    process::{Command, ExitCode, Stdio},
    time::Instant,
};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tools::{
    cargo::{build, built, exit_code, run},
    set_up::{self, SetUp},
};

/// A dam break over two blocks by FLIP, with foam; the window opens with it as well.
const SCENE: &str = "flip_dam";
/// Radius of the particles whose steps are timed, in m, and their number.
const PROBE: (&str, f64) = ("0.0125", 20_000.0);
/// Longest time that a film may be expected to take, in s: "a minute", with a margin.
const LONGEST: f64 = 50.0;

/// A film's resolution.
struct Film {
    /// Radius of the particles in m.
    radius: &'static str,
    /// Their number.
    particles: &'static str,
    /// Time of the whole film over that of a step of the probe, measured on software Vulkan with two cores. On a GPU,
    /// which a small probe does not fill, films take less.
    steps: f64,
}

/// From coarse to fine.
const FILMS: [Film; 7] = [
    Film { radius: "0.015625", particles: "10,240", steps: 850.0 },
    Film { radius: "0.0125", particles: "20,000", steps: 1250.0 },
    Film { radius: "0.0113636364", particles: "26,620", steps: 1500.0 },
    Film { radius: "0.0104166667", particles: "34,560", steps: 1850.0 },
    Film { radius: "0.00892857143", particles: "54,880", steps: 2900.0 },
    Film { radius: "0.0078125", particles: "81,920", steps: 4500.0 },
    Film { radius: "0.00390625", particles: "655,360", steps: 45_000.0 },
];

/// Steps of the probe on this machine.
struct Probe {
    /// Median time of a step in s.
    step: f64,
    /// Simulated time of a step in s.
    dt: f64,
}

impl Probe {
    /// Times some steps.
    fn run() -> Result<Self> {
        fs::create_dir_all("out").context("cannot create the folder out")?;
        let (radius, json) = (format!("particle_radius={}", PROBE.0), Path::new("out/probe.json"));
        let mut profile = Command::new(built("meniscus")?);
        profile.args(["profile", SCENE, "--set", &radius, "--steps", "10", "--json"]).arg(json);
        let output = profile.output().context("cannot run meniscus")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "a first run of {SCENE} failed: {}", said.trim());
        let found: Value = serde_json::from_str(&fs::read_to_string(json)?)?;
        fs::remove_file(json)?;
        let number = |key: &str| {
            let value = found[key].as_f64().filter(|value| *value > 0.0);
            value.with_context(|| format!("{key} of the first run is {}", found[key]))
        };
        Ok(Self { step: 1e-6 * number("step_median_us")?, dt: number("dt_mean")? })
    }

    /// The finest film that is made in a minute, or the coarsest.
    fn film(&self) -> &'static Film {
        let fits = |film: &&Film| film.steps * self.step <= LONGEST;
        FILMS.iter().rev().find(fits).unwrap_or(&FILMS[0])
    }

    /// Number of particles that a window shows as fast as they would move, if drawing takes half of the time: from 10,000,
    /// as the window has on software, to the scene's own number.
    fn in_real_time(&self) -> u32 {
        (0.5 * PROBE.1 * self.dt / self.step).clamp(10_000.0, 655_360.0) as u32
    }
}

/// Opens the window; renders a video instead if there is no display or `video` is set.
pub(crate) fn demo(video: bool) -> Result<ExitCode> {
    let window = has_display() && !video;
    let (what, programs) = if window {
        ("opens a window", &["meniscus", "demos"][..])
    } else {
        ("makes a film, since there is no display or --video was given", &["meniscus"][..])
    };
    eprintln!("This {what}. First it builds {}.", programs.join(" and "));
    build(programs)?;
    let (adapter, software) = match set_up::adapter()? {
        SetUp::Ready { name, software } => (name, software),
        SetUp::Missing(text) => {
            eprintln!("{text}");
            return Ok(ExitCode::from(set_up::NO_ADAPTER));
        }
    };
    let probe = Probe::run()?;
    let kind = if software { "software Vulkan, without a GPU" } else { "a GPU" };
    eprintln!(
        "
Adapter: {adapter}, {kind}.
Scene: {SCENE}, a dam break over two blocks, with foam, spray and bubbles.
Method: FLIP, whose steps of {:.0} ms are the longest of all methods here that splash. One step of 20,000 particles
    takes {:.1} ms on this adapter.",
        1e3 * probe.dt,
        1e3 * probe.step,
    );
    if window { open_window(&probe) } else { make_video(&probe, software) }
}

/// Whether windows can be opened.
fn has_display() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn open_window(probe: &Probe) -> Result<ExitCode> {
    let particles = probe.in_real_time().to_string();
    let slower = probe.step > probe.dt;
    let why = if slower { "slower than real time" } else { "at the speed of the clock" };
    eprintln!("Particles: about {particles}, {why}, with time left to draw them.");
    eprintln!("\nDrag the water with the mouse; F1 shows all keys. The menu has more scenes.\n");
    eprintln!("$ demos {SCENE} --particles {particles} --view screen_space");
    let mut window = Command::new(built("demos")?);
    Ok(exit_code(run(window.args([SCENE, "--particles", &particles, "--view", "screen_space"]))?))
}

fn make_video(probe: &Probe, software: bool) -> Result<ExitCode> {
    // A GIF needs no ffmpeg.
    let out = if has_ffmpeg() { "out/splash.mp4" } else { "out/splash.gif" };
    let film = probe.film();
    let radius = format!("particle_radius={}", film.radius);
    // The splash on the blocks is at 0.5 s, that on the wall at 1 s, and the wave comes back until 1.6 s: in slow motion.
    let mut arguments = vec!["render", SCENE, "--set", &radius, "--until", "1.6"];
    arguments.extend(["--fps", "30", "--video-fps", "15", "--out", out]);
    if software {
        // The surface's mesh and a large picture take longer than the simulation.
        arguments.extend(["--view", "screen_space", "--size", "854x480"]);
    }
    eprintln!(
        "Particles: {}, of which the film takes about {:.0} s.\n",
        film.particles,
        film.steps * probe.step
    );
    eprintln!("$ meniscus {}\n", arguments.join(" "));
    let begin = Instant::now();
    let command = built("meniscus")?;
    let status = run(Command::new(&command).args(&arguments))?;
    if !status.success() {
        return Ok(exit_code(status));
    }
    let video = env::current_dir()?.join(out);
    println!(
        "
Done in {:.0} s:

    {}

Next:

    {command} scenes
    {command} render mpm_all --set particle_radius=0.015 --until 1 --size 640x400 --out out/mpm_all.gif
    {command} run dam_break --set particle_radius=0.04 --until 0.5 --surface glb --out out

With a display, `cargo demo` opens a window instead. `{command} --help` says what else there is.",
        begin.elapsed().as_secs_f64(),
        video.display(),
        command = command.display(),
    );
    Ok(ExitCode::SUCCESS)
}

fn has_ffmpeg() -> bool {
    let mut ffmpeg = Command::new("ffmpeg");
    ffmpeg.arg("-version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    ffmpeg.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_is_as_fine_as_a_minute_allows() {
        let film = |step| Probe { step, dt: 0.005 }.film().particles;
        assert_eq!(film(10.0), "10,240", "the coarsest, however slow the machine is");
        assert_eq!(film(0.001), "655,360");
        let mut steps = FILMS.iter().map(|film| film.steps);
        assert!(steps.clone().zip(steps.by_ref().skip(1)).all(|(coarse, fine)| coarse < fine));
        for film in FILMS {
            let step = LONGEST / film.steps;
            assert_eq!(Probe { step, dt: 0.005 }.film().radius, film.radius);
        }
    }

    #[test]
    fn a_window_has_half_of_the_particles_that_real_time_allows() {
        let particles = |step| Probe { step, dt: 0.005 }.in_real_time();
        assert_eq!(particles(0.0005), 100_000);
        assert_eq!([particles(1.0), particles(1e-6)], [10_000, 655_360]);
    }
}
