//! `tools demo`: the quickest way to see a simulation.

use std::{
    env,
    process::{Command, ExitCode, Stdio},
    time::Instant,
};

use anyhow::Result;
use tools::{
    cargo::{build, built, exit_code, run},
    set_up::{self, SetUp},
};

/// Options for the video on software Vulkan: 5,000 particles and a small image, less than a minute on
/// two cores.
const SOFTWARE: [&str; 4] = ["--set", "particle_radius=0.036", "--size", "640x360"];

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
    if window { open_window(&adapter) } else { make_video(&adapter, software) }
}

/// Whether windows can be opened.
fn has_display() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn open_window(adapter: &str) -> Result<ExitCode> {
    eprintln!("Opening a window on {adapter}. Drag the water with the mouse; F1 shows all keys.");
    Ok(exit_code(run(&mut Command::new(built("demos")?))?))
}

fn make_video(adapter: &str, software: bool) -> Result<ExitCode> {
    // A GIF needs no ffmpeg.
    let out = if has_ffmpeg() { "out/dam_break.mp4" } else { "out/dam_break.gif" };
    // The wave comes back and climbs the wall behind the dam by 3.2 s.
    let mut arguments = vec!["render", "dam_break", "--until", "3.2", "--fps", "25", "--out", out];
    if software {
        arguments.extend(SOFTWARE);
        eprintln!(
            "{adapter} is software: 5,000 particles and a small picture take about a minute on two cores."
        );
    }
    eprintln!("A column of water collapses and runs up the far wall, on {adapter}:\n");
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
