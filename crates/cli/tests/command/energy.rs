//! Warnings of energy that comes from nowhere and of particles that pair.

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

/// Water with tension, with a kernel.
fn tense(kernel: &str) -> (String, Vec<serde_json::Value>) {
    let folder = folder();
    let text = format!(
        r#"
{kernel}
solver = "dfsph"
dimensions = 2
particle_radius = 0.0005
time = {{ fps = 400.0, until = 0.2, settle = 0.4 }}
tension.model = "near_surface"
[[material]]
name = "water"
viscosity = 0.01
surface_tension = 0.0728
[[fluid]]
shape.box = {{ min = [0.0, 0.0], max = [0.06, 0.03] }}
[[boundary]]
shape.box = {{ min = [0.0, 0.0], max = [0.06, 0.05] }}
response.particles = {{ friction = 0.0 }}
"#
    );
    fs::write(folder.path().join("water.toml"), text).expect("written");
    let (status, text) = run(folder.path(), &["run", "water.toml", "--log", "log.jsonl"]);
    assert_eq!(status, Some(0), "{text}");
    let log = fs::read_to_string(folder.path().join("log.jsonl")).expect("a log");
    (text, log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

#[test]
fn pairs_are_told_of_once_and_what_the_warning_advises_keeps_them_apart() {
    if !gpu() {
        return;
    }
    let close = |log: &[serde_json::Value]| -> Vec<f64> {
        log.iter().map(|line| line["close"].as_f64().expect("a number")).collect()
    };
    // Five radii with the cubic spline.
    let (text, log) = tense("support_radius = 0.0025");
    assert!(close(&log).iter().any(|share| *share > 0.05), "{:?}", close(&log));
    assert_eq!(text.matches("nearer than half a spacing").count(), 1, "{text}");
    assert!(text.contains("kernel = \"wendland_c2\", without support_radius"), "{text}");
    // Too few neighbours: the same advice.
    let (text, _) = tense("");
    assert!(text.contains("kernel be \"wendland_c2\", without support_radius"), "{text}");
    let (text, log) = tense("kernel = \"wendland_c2\"");
    assert!(!text.contains("warning"), "{text}");
    assert_eq!(close(&log).last(), Some(&0.0), "{:?}", close(&log));
}

#[test]
fn the_viscosity_in_use_is_in_the_first_line_of_the_log() {
    if !gpu() {
        return;
    }
    let log = |viscosity: &str| {
        let folder = folder();
        let text = WATER.replace("viscosity = 0.001", viscosity);
        fs::write(folder.path().join("water.toml"), text).expect("written");
        let (status, text) =
            run(folder.path(), &["run", "water.toml", "--until", "0.05", "--log", "log.jsonl"]);
        assert_eq!(status, Some(0), "{text}");
        let log = fs::read_to_string(folder.path().join("log.jsonl")).expect("a log");
        let lines: Vec<serde_json::Value> =
            log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        [0, 1].map(|line| lines[line]["viscosity_water"].as_f64())
    };
    assert_eq!(log("viscosity = 0.5"), [Some(0.5), None]);
    // DFSPH's own: 0.005 h v with v = √(2 g H), the velocity filter of Bender and Koschier.
    let due = 1000.0 * 0.005 * 0.08 * (2.0 * 9.81 * 0.4_f64).sqrt();
    let [used, _] = log("");
    assert!(used.is_some_and(|used| (used / due - 1.0).abs() < 1e-3), "{used:?}, due {due}");
}
