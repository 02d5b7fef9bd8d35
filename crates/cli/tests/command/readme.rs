//! The commands of the documents run, with coarse particles and for a moment.

use std::{fs, path::Path};

use crate::support::{folder, gpu, succeed};

const README: &str = include_str!("../../../../README.md");
const GALLERY: &str = include_str!("../../../../docs/gallery.md");
const BLENDER: &str = include_str!("../../../../docs/blender.md");
const MEASURING: &str = include_str!("../../../../docs/measuring.md");
const CHANNELS: &str = include_str!("../../../../docs/channels.md");
const WAVES: &str = include_str!("../../../../docs/waves.md");
const PICTURES: &str = include_str!("../../../../docs/pictures/README.md");

/// Words of each line that is a command, without its comment.
fn commands(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter_map(|line| line.strip_prefix("meniscus "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
        .map(|line| line.split(" # ").next().unwrap_or(line).split_whitespace().collect())
}

/// The command with an eighth of its particles, a small picture, and an end after two frames.
fn coarse(words: &[&str]) -> Vec<String> {
    if words[0] == "waves" {
        return words.iter().map(|word| (*word).to_owned()).collect();
    }
    let mut coarse: Vec<String> = Vec::new();
    let mut words = words.iter();
    let mut resized = false;
    while let Some(word) = words.next() {
        match *word {
            "--until" | "--from" | "--fps" | "--video-fps" | "--size" => {
                words.next();
            }
            word => match ["particle_radius=", "smoke.cell="]
                .iter()
                .find_map(|key| Some((key, word.strip_prefix(key)?.parse::<f64>().ok()?)))
            {
                Some((key, length)) => {
                    resized = true;
                    coarse.push(format!("{key}{}", 2.0 * length));
                }
                None => coarse.push(word.to_owned()),
            },
        }
    }
    let more: &[&str] = match coarse[0].as_str() {
        "render" => &["--until", "0.03", "--fps", "60", "--size", "64x48"],
        "run" => &["--until", "0.03"],
        "profile" => &["--steps", "1"],
        _ => &[],
    };
    coarse.extend(more.iter().map(|word| (*word).to_owned()));
    if !resized && coarse.iter().any(|word| word == "dam_break") {
        coarse.extend(["--set", "particle_radius=0.1"].map(str::to_owned));
    }
    coarse
}

/// A scene of `SPlisHSPlasH`, as the README names one: a block of 125 particles in a box.
fn splishsplash(folder: &Path) {
    let scene = r#"{
        "Configuration": { "particleRadius": 0.05, "stopAt": 0.03 },
        "FluidBlocks": [{ "denseMode": 0, "start": [-0.25, 0.0, -0.25], "end": [0.25, 0.5, 0.25] }]
    }"#;
    fs::write(folder.join("DamBreakModel.json"), scene).expect("written");
}

#[test]
fn every_command_of_the_readme_and_of_the_pictures_runs() {
    if !gpu() {
        return;
    }
    let folder = folder();
    splishsplash(folder.path());
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures");
    fs::copy(pictures.join("evening.jpg"), folder.path().join("evening.jpg")).expect("copied");
    // Commands that make the pictures take a minute: MENISCUS_FULL.
    let full = std::env::var_os("MENISCUS_FULL").is_some();
    let all: Vec<_> = commands(README).chain(commands(PICTURES).filter(|_| full)).collect();
    assert!(all.len() >= 5, "{} commands", all.len());
    for words in all {
        let words = coarse(&words);
        succeed(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// The scenes of the tutorials load, and their commands run.
#[test]
fn tutorials_work() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let glass = Path::new(env!("CARGO_MANIFEST_DIR")).join("../formats/scenes/glass.obj");
    fs::copy(glass, folder.path().join("glass.obj")).expect("copied");
    for (text, left) in [
        (BLENDER, &["preview.png", "out/surface.usda", "out/surface_00001.glb"][..]),
        (MEASURING, &["gauges.csv", "gauges.jsonl", "impact.csv", "cylinder.jsonl"]),
        (WAVES, &["piston.csv", "flume.csv", "flume.png", "sloshing.csv"]),
        (CHANNELS, &["weir.csv", "weir.jsonl", "weir.png"]),
    ] {
        // Each whole scene has the last name before it.
        let parts: Vec<_> = text.split("```").collect();
        for pair in parts.windows(2) {
            let Some(scene) = pair[1].strip_prefix("toml\ntitle") else { continue };
            let name = pair[0].rsplit('`').find(|word| word.ends_with(".toml")).expect("a name");
            let scene = format!("title{scene}").replace("radius = 0.01\n", "radius = 0.04\n");
            fs::write(folder.path().join(name), scene).expect("written");
        }
        for words in commands(text) {
            let words = coarse(&words);
            succeed(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
        }
        for file in left {
            assert!(folder.path().join(file).is_file(), "{file} is not there");
        }
    }
}

/// The README and the gallery show the commands of the pictures' list.
#[test]
fn every_command_beside_a_picture_makes_it() {
    let texts = README.split('`').chain(GALLERY.split('`'));
    let cells = texts.filter(|text| text.starts_with("meniscus render"));
    let mut count = 0;
    for cell in cells.filter(|cell| !cell.contains('\n')) {
        count += 1;
        assert!(PICTURES.lines().any(|line| line == cell), "no picture is made by: {cell}");
    }
    assert!(count >= 12, "{count} pictures");
    for line in PICTURES.lines().filter(|line| line.starts_with("meniscus render")) {
        let file = line.rsplit(' ').next().unwrap_or_default();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures").join(file);
        assert!(path.is_file(), "{file} is not there");
        let shown = README.contains(file) || GALLERY.contains(file);
        assert!(shown, "neither README nor the gallery shows {file}");
    }
}
