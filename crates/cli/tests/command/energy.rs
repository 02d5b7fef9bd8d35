//! A warning of energy that comes from nowhere.

use std::fs;

use crate::support::{folder, gpu, run};

/// Water of its own viscosity at rest.
const WATER: &str = r#"
dimensions = 2
particle_radius = 0.02
time = { fps = 20.0, until = 1.0 }
[[material]]
name = "water"
viscosity = 0.001
[[fluid]]
shape.box = { min = [0.0, 0.0], max = [0.8, 0.4] }
[[boundary]]
shape.box = { min = [0.0, 0.0], max = [0.8, 0.8] }
"#;

/// What a run of the scene with these changes complains of.
fn complaints(solver: &str, more: &str) -> String {
    let folder = folder();
    let text = format!("solver = \"{solver}\"\n{more}\n{WATER}");
    fs::write(folder.path().join("water.toml"), text).expect("written");
    let (status, text) = run(folder.path(), &["run", "water.toml", "--log", "log.jsonl"]);
    assert_eq!(status, Some(0), "{text}");
    text
}

#[test]
fn water_that_boils_is_told_of_once() {
    if !gpu() {
        return;
    }
    let text = complaints("muller", "kernel = \"muller\"");
    assert_eq!(text.matches("more than at the start").count(), 1, "{text}");
    let text = complaints("dfsph", "");
    assert!(!text.contains("more than at the start"), "{text}");
}
