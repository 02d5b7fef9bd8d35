//! A run, repeated and resumed, gives identical files.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use crate::support::{TINY, bytes, folder, gpu, meniscus, names, refuse, succeed};

/// All files that a run wrote.
fn outputs(folder: &Path) -> Vec<Vec<u8>> {
    let mut all: Vec<_> =
        names(folder.join("out")).iter().map(|name| bytes(folder.join("out").join(name))).collect();
    all.push(bytes(folder.join("log.jsonl")));
    all
}

const OUTPUTS: &[&str] =
    &["--particles", "csv", "--surface", "vtk", "--log", "log.jsonl", "--checkpoint", "c"];

#[test]
fn a_resumed_run_is_bit_identical() {
    if !gpu() {
        return;
    }
    let [whole, halves] = [folder(), folder()];
    succeed(whole.path(), &[TINY, OUTPUTS].concat());
    // Stopped after frame 4, with the last checkpoint at frame 3.
    let until = |until| [&TINY[..4], &["--quiet", "--until", until], OUTPUTS].concat();
    succeed(halves.path(), &until("0.05"));
    let checkpoint = halves.path().join("of-frame-3");
    std::fs::rename(halves.path().join("c"), &checkpoint).expect("renamed");
    succeed(halves.path(), &until("0.0667"));
    succeed(halves.path(), &[TINY, OUTPUTS, &["--resume", "of-frame-3"]].concat());
    assert_eq!(outputs(whole.path()), outputs(halves.path()));
    assert_eq!(bytes(whole.path().join("c")), bytes(halves.path().join("c")));
}

#[test]
fn an_emitter_goes_on_where_it_was() {
    if !gpu() {
        return;
    }
    let [whole, halves] = [folder(), folder()];
    let run = |until| [&["run", "pour", "--quiet", "--until", until], OUTPUTS].concat();
    succeed(whole.path(), &run("0.2"));
    succeed(halves.path(), &run("0.1"));
    succeed(halves.path(), &[&run("0.2")[..], &["--resume", "c"]].concat());
    assert_eq!(outputs(whole.path()), outputs(halves.path()));
}

/// What a run says that Ctrl-C ends after its third line of the log, and how many lines that has.
#[cfg(unix)]
fn interrupted(folder: &Path, arguments: &[&str]) -> (String, usize) {
    let log = folder.join("log.jsonl");
    let more = ["--until", "100", "--log", "log.jsonl"];
    let mut command = meniscus(folder, &[arguments, &more].concat());
    let run = command.stderr(Stdio::piped()).spawn().expect("the command starts");
    let lines = || std::fs::read_to_string(&log).map_or(0, |text| text.lines().count());
    while lines() < 3 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill").args(["-INT", &run.id().to_string()]).status();
    assert!(kill.expect("kill starts").success());
    let output = run.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{text}");
    (text, lines())
}

/// Ctrl-C ends a run with a checkpoint at its frame, from which another goes on.
#[cfg(unix)]
#[test]
fn an_interrupted_run_has_a_checkpoint() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let scene =
        ["run", "dam_break", "--set", "particle_radius=0.1", "--quiet", "--checkpoint", "c"];
    let (text, lines) = interrupted(folder.path(), &[&scene[..], &["--every", "100000"]].concat());
    assert!(
        text.contains("interrupted at") && text.contains("checkpoint is c, of frame"),
        "{text}"
    );
    let frame = lines - 1;
    let until = format!("{}", (frame + 1) as f64 / 60.0);
    succeed(folder.path(), &[&scene[..], &["--resume", "c", "--until", &until]].concat());
}

/// Ctrl-C ends a run without a checkpoint at its frame, too: its animation has what was simulated.
#[cfg(unix)]
#[test]
fn an_interrupted_run_without_a_checkpoint_keeps_what_it_has() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let arguments =
        ["run", "dam_break", "--set", "particle_radius=0.1", "--quiet", "--usd", "film.usda"];
    let (text, lines) = interrupted(folder.path(), &arguments);
    assert!(text.contains("ends after this frame") && text.contains("interrupted at"), "{text}");
    let film = std::fs::read_to_string(folder.path().join("film.usda")).expect("a film");
    assert!(film.contains(&format!("endTimeCode = {}\n", lines - 1)), "{text}");
}

#[test]
fn a_checkpoint_of_other_values_names_them_or_goes_on() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let path = folder.path();
    let colored = ["--set", "material[0].color='#ff0000'"];
    succeed(path, &[TINY, &["--checkpoint", "c"], &colored].concat());
    let more = |set| {
        [
            &TINY[..4],
            &["--quiet", "--until", "0.15", "--resume", "c", "--checkpoint", "d", "--set", set],
        ]
        .concat()
    };
    let gravity = "gravity=[0.0, -1.6, 0.0]";
    let changes =
        ["gravity ([0.0, -9.81, 0.0] in the checkpoint, [0.0, -1.6, 0.0] here)", "--allow-changes"];
    refuse(path, &more(gravity), 2, &changes);
    succeed(path, &[&more(gravity)[..], &["--allow-changes"]].concat());
    // Of another colour it is the same run.
    succeed(path, &more("material[0].color='#00ff00'"));
    // What is there has no room in a scene of another size.
    let mut larger = more("fluid[0].jitter=0.0");
    larger[3] = "particle_radius=0.05";
    refuse(path, &[&larger[..], &["--allow-changes"]].concat(), 2, &["c"]);
}
