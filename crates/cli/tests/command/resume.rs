//! A run, repeated and resumed, gives identical files.

use std::path::Path;

use crate::support::{TINY, bytes, folder, gpu, names, succeed};

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
fn two_runs_are_bit_identical() {
    if !gpu() {
        return;
    }
    let [first, second] = [folder(), folder()];
    for folder in [&first, &second] {
        succeed(folder.path(), &[TINY, OUTPUTS].concat());
    }
    assert_eq!(outputs(first.path()), outputs(second.path()));
    assert_eq!(bytes(first.path().join("c")), bytes(second.path().join("c")));
}

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

#[test]
fn material_points_go_on_where_they_were() {
    if !gpu() {
        return;
    }
    let [whole, halves] = [folder(), folder()];
    let scene = ["run", "mpm_all", "--set", "particle_radius=0.03", "--quiet", "--until"];
    let run = |until| [&scene[..], &[until], OUTPUTS].concat();
    succeed(whole.path(), &run("0.2"));
    succeed(halves.path(), &run("0.1"));
    succeed(halves.path(), &[&run("0.2")[..], &["--resume", "c"]].concat());
    assert_eq!(outputs(whole.path()), outputs(halves.path()));
    assert_eq!(bytes(whole.path().join("c")), bytes(halves.path().join("c")));
}
