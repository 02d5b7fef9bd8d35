//! Output files of a run.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::Value;

use crate::support::{TINY, bytes, folder, gpu, meniscus, names, refuse, run, succeed};

/// The keys of a log line, in order.
const KEYS: &[&str] = &[
    "frame",
    "time",
    "steps",
    "dt",
    "particles",
    "lost",
    "left",
    "density_error_mean",
    "density_error_max",
    "kinetic_energy",
    "potential_energy",
    "momentum",
    "angular_momentum",
    "center_of_mass",
    "bounds_min",
    "bounds_max",
    "iterations",
    "close",
];

#[test]
fn a_run_leaves_particles_and_a_log() {
    if !gpu() {
        return;
    }
    let folder = folder();
    succeed(
        folder.path(),
        &[TINY, &["--solver", "muller", "--particles", "csv", "--log", "logs/a.jsonl"]].concat(),
    );

    let expected: Vec<_> = (0..=6).map(|frame| format!("particles_{frame:05}.csv")).collect();
    assert_eq!(names(folder.path().join("out")), [&expected[..], &["run.toml".into()]].concat());
    for name in expected {
        let text = String::from_utf8(bytes(folder.path().join("out").join(name))).expect("UTF-8");
        assert_eq!(text.lines().next(), Some("id,x,y,z,vx,vy,vz,density"));
        assert_eq!(text.lines().count(), 1 + 250);
    }

    let log = String::from_utf8(bytes(folder.path().join("logs/a.jsonl"))).expect("UTF-8");
    assert_eq!(log.lines().count(), 7);
    for (frame, line) in log.lines().enumerate() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let object = value.as_object().expect("an object");
        // The first line has the viscosity of each material besides.
        let own = if frame == 0 { KEYS.len() + 1 } else { KEYS.len() };
        assert_eq!(object.len(), own, "{line}");
        assert_eq!(object.contains_key("viscosity_water"), frame == 0, "{line}");
        let places: Vec<_> = KEYS.iter().map(|key| line.find(&format!("\"{key}\":"))).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{line}");
        assert_eq!(value["frame"], frame);
        assert_eq!(value["particles"], 250);
        assert!((value["time"].as_f64().expect("a time") - frame as f64 / 60.0).abs() < 1e-6);
        for key in KEYS.iter().filter(|key| value[**key].is_array()) {
            assert_eq!(value[*key].as_array().map(Vec::len), Some(3), "{key}");
        }
    }
}

#[test]
fn quantities_are_columns_of_particle_files_and_keys_of_the_log() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let names = "pressure,speed,compression";
    let files = ["--particles", "csv", "--particle-quantities", names];
    let log = ["--log", "a.jsonl", "--log-quantities", names, "--solver", "dfsph"];
    succeed(folder.path(), &[TINY, &files, &log].concat());
    let csv = String::from_utf8(bytes(folder.path().join("out/particles_00006.csv")));
    let csv = csv.expect("UTF-8");
    let mut lines = csv.lines();
    let header = lines.next().expect("a header");
    assert_eq!(header, format!("id,x,y,z,vx,vy,vz,density,{names}"));
    let number = |text: &str| text.parse::<f64>().expect("a number");
    let rows: Vec<Vec<_>> = lines.map(|line| line.split(',').map(number).collect()).collect();
    let log = String::from_utf8(bytes(folder.path().join("a.jsonl"))).expect("UTF-8");
    let line: Value = serde_json::from_str(log.lines().last().expect("a line")).expect("JSON");
    for (k, name) in names.split(',').enumerate() {
        let values = || rows.iter().map(|row| row[8 + k]);
        let (mean, max) = (values().sum::<f64>() / 250.0, values().fold(f64::MIN, f64::max));
        let largest = values().map(f64::abs).fold(0.0, f64::max);
        for (key, expected) in [("mean", mean), ("max", max)] {
            let found = line[format!("{name}_{key}")].as_f64().expect("in the log");
            assert!((found - expected).abs() <= 1e-6 * largest, "{name}: {found}, {expected}");
        }
        assert!(max > 0.0, "{name} is 0 everywhere");
    }
    for row in &rows {
        let speed = row[4].hypot(row[5]).hypot(row[6]);
        assert!((row[9] - speed).abs() < 1e-6 * speed.max(1.0), "speed {} for {speed}", row[9]);
    }
}

#[test]
fn every_format_is_written_to_the_folder_asked_for() {
    if !gpu() {
        return;
    }
    let folder = folder();
    for (format, file, beginning) in [
        ("ply", "particles_00000.ply", "ply\nformat binary_little_endian"),
        ("vtk", "particles_00000.vtp", "<"),
    ] {
        let options = ["--until", "0", "--particles", format, "--out", "a/b"];
        succeed(folder.path(), &[&TINY[..4], &options].concat());
        assert!(bytes(folder.path().join("a/b").join(file)).starts_with(beginning.as_bytes()));
    }
    // Only the requested files are written.
    succeed(folder.path(), TINY);
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn cells_of_a_grid_are_files_that_paraview_lists_and_a_shorter_run_leaves_none_behind() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let plume = ["run", "plume_sphere", "--set", "smoke.cell=0.25", "--fps", "20", "--quiet"];
    succeed(folder.path(), &[&plume[..], &["--until", "0.2", "--grid", "vti"]].concat());
    let (status, text) =
        run(folder.path(), &[&plume[..], &["--until", "0.1", "--grid", "vti"]].concat());
    assert!(status == Some(0) && text.contains("removed 2 later frames"), "{text}");
    let out = folder.path().join("out");
    let cells = ["cells.pvd", "cells_00000.vti", "cells_00001.vti", "cells_00002.vti"];
    assert_eq!(names(&out), [&cells[..], &["run.toml"]].concat());
    let series = String::from_utf8(bytes(out.join("cells.pvd"))).expect("UTF-8");
    assert_eq!(series.matches("<DataSet").count(), 3, "{series}");
    let cells = String::from_utf8(bytes(out.join("cells_00002.vti"))).expect("UTF-8");
    for field in ["density", "temperature", "velocity", "pressure"] {
        assert!(cells.contains(&format!("Name=\"{field}\"")), "{field}");
    }
}

#[test]
fn probes_are_a_table_and_keys_of_the_log_also_when_a_run_resumes() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let scene = r#"
particle_radius = 0.05
time = { fps = 50.0 }
material = [{ name = "water" }]
fluid = [{ shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 0.4, 0.5] } }]
boundary = [{ shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 1.0, 0.5] }, side = "inside" }]
probe = [{ gauge = { name = "level", at = [0.25, 0.0, 0.25] } }, { point = { name = "air", at = [0.2, 0.9, 0.2] } }]
"#;
    fs::write(folder.path().join("box.toml"), scene).expect("written");
    let run = |more: &[&str]| {
        let common = ["run", "box.toml", "--quiet", "--probes", "p.csv", "--probe-every", "step"];
        succeed(folder.path(), &[&common[..], more].concat());
        String::from_utf8(bytes(folder.path().join("p.csv"))).expect("UTF-8")
    };
    let whole = run(&["--until", "0.08", "--log", "a.jsonl"]);
    let mut lines = whole.lines();
    assert_eq!(
        lines.next(),
        Some(
            "time [s],level [m],air.pressure [Pa],air.density [kg/m³],air.vx [m/s],air.vy [m/s],air.vz [m/s]"
        )
    );
    let first: Vec<_> = lines.next().expect("a line").split(',').collect();
    let level: f64 = first[1].parse().expect("a height");
    assert!(first[0] == "0" && (level - 0.4).abs() < 0.01 && first[2].is_empty(), "{first:?}");
    assert!(lines.count() > 4, "more lines than frames");
    let log = String::from_utf8(bytes(folder.path().join("a.jsonl"))).expect("UTF-8");
    let line: Value = serde_json::from_str(log.lines().next().expect("a line")).expect("JSON");
    assert!((line["level"].as_f64().expect("a level") - level).abs() < 1e-12);
    assert!(line.get("air.vx").is_none(), "there is no fluid");
    run(&["--until", "0.04", "--checkpoint", "c"]);
    assert_eq!(run(&["--until", "0.08", "--resume", "c"]), whole);
}

/// The mean force of water at rest on its tank is the water's weight, 188.35 N.
#[test]
fn forces_are_a_table_of_bodies_and_named_boundaries() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let scene = r#"
solver = "dfsph"
particle_radius = 0.02
time = { fps = 10.0 }
material = [{ name = "water" }]
fluid = [{ shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.2, 0.24] } }]
boundary = [{ name = "tank", response.particles = {}, shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.4, 0.24] } }]
"#;
    fs::write(folder.path().join("tank.toml"), scene).expect("written");
    let run = |more: &[&str]| {
        let common = ["run", "tank.toml", "--quiet", "--forces", "f.csv"];
        succeed(folder.path(), &[&common[..], more].concat());
        String::from_utf8(bytes(folder.path().join("f.csv"))).expect("UTF-8")
    };
    let whole = run(&["--until", "0.8"]);
    assert!(whole.starts_with("time [s],tank.mean_force_x [N],tank.mean_force_y [N],"), "{whole}");
    assert_eq!(whole.lines().count(), 9);
    let mean = |line: &str, column: usize| {
        line.split(',').nth(column).expect("a column").parse::<f64>().expect("a force")
    };
    let last = |column| {
        let last = whole.lines().skip(5).map(|line| mean(line, column));
        last.sum::<f64>() / 4.0
    };
    // The weight is pressure's.
    assert!((last(2) / -188.35 - 1.0).abs() < 0.05, "{}", last(2));
    assert!((last(2) - last(5) - last(8)).abs() < 1e-3 && last(8).abs() < 1.0, "{}", last(8));
    run(&["--until", "0.4", "--checkpoint", "c"]);
    assert_eq!(run(&["--until", "0.8", "--resume", "c"]), whole);
    // Lines of 25 ms have the impulse of the frames, four in each; those of steps as well.
    let impulses = |table: &str| {
        let mut sums = std::collections::BTreeMap::new();
        let mut last = 0.0;
        for line in table.lines().skip(1) {
            let time = mean(line, 0);
            let frame = (10.0 * time - 1e-6).ceil() as u32;
            *sums.entry(frame).or_insert(0.0) += (time - last) * mean(line, 2);
            last = time;
        }
        sums
    };
    let of_frames = impulses(&whole);
    let fine = run(&["--until", "0.8", "--forces-every", "0.025"]);
    assert_eq!(fine.lines().count(), 33);
    for table in [&fine, &run(&["--until", "0.8", "--forces-every", "step"])] {
        for (frame, impulse) in impulses(table) {
            let due = of_frames[&frame];
            assert!((impulse / due - 1.0).abs() < 1e-4, "{frame}: {impulse}, {due} N s");
        }
    }
    run(&["--until", "0.4", "--forces-every", "0.025", "--checkpoint", "c"]);
    assert_eq!(run(&["--until", "0.8", "--forces-every", "0.025", "--resume", "c"]), fine);
    let fails = |flags: &[&str], message: &str| {
        refuse(
            folder.path(),
            &[&["run", "dam_break", "--until", "0.1"], flags].concat(),
            2,
            &[message],
        );
    };
    // One of two names.
    let two = scene.replace("boundary = [{", "boundary = [{ name = \"lid\", shape.plane = { point = [0.0, 0.4, 0.0], normal = [0.0, -1.0, 0.0] } }, {");
    fs::write(folder.path().join("two.toml"), two).expect("written");
    let arguments = ["run", "two.toml", "--forces", "f.csv", "--until", "0.1", "--quiet"];
    let (status, text) = crate::support::run(folder.path(), &arguments);
    assert_eq!(status, Some(0), "{text}");
    assert!(text.contains("warning: --forces leaves \"lid\" out"), "{text}");
    fails(&["--forces", "f.csv"], "no [[body]], and no [[boundary]] with a name");
    fails(&["--bodies", "csv"], "--bodies: the scene has no [[body]]");
}

#[test]
fn a_pipe_sees_no_progress_and_one_line_at_the_end() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let run = |arguments: &[&str]| {
        let arguments = [arguments, &["--log", "l"]].concat();
        meniscus(folder.path(), &arguments).output().expect("the command starts")
    };
    let output = run(&TINY[..6]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.is_empty());
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("6 frames to t = 0.1000 s") && text.contains("0 lost"), "{text}");
    assert_eq!(run(TINY).stderr, b"");
}

#[test]
fn a_profile_has_a_row_for_every_pass() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let tiny = ["profile", "dam_break", "--set", "particle_radius=0.1", "--steps", "7"];
    let arguments =
        [&tiny[..], &["--solver", "muller", "--json", "p/p.json", "--trace", "p/t.json"]].concat();
    let output = meniscus(folder.path(), &arguments).output().expect("the command starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("neighbours per particle"), "{text}");

    let json: Value = serde_json::from_slice(&bytes(folder.path().join("p/p.json"))).expect("JSON");
    // 250 of fluid, and the walls' particles.
    assert_eq!(json["particles"], 1638);
    let numbers = ["neighbours_per_particle", "particle_steps_per_second"];
    for key in numbers.iter().chain(&["step_median_us", "step_p95_us", "dt_mean"]) {
        assert!(json[*key].as_f64().is_some_and(|value| value > 0.0), "{key}");
    }
    for key in ["adapter", "driver"] {
        assert!(json[key].as_str().is_some_and(|text| !text.is_empty()), "{key}");
    }
    let Some(passes) = json["passes"].as_array().filter(|passes| !passes.is_empty()) else {
        assert!(String::from_utf8_lossy(&output.stderr).contains("cannot time passes"));
        return;
    };
    let least = |pass: &Value| pass["bytes"].as_f64().expect("bytes") / 1638.0;
    let all: f64 = passes.iter().map(least).sum();
    let per_particle = json["bytes_per_particle"].as_f64().expect("a number");
    assert!((per_particle - all).abs() < 1e-6 * all, "{per_particle} of {all}");
    for pass in passes {
        for key in ["label", "calls", "median_us", "p95_us", "invocations", "bytes"] {
            assert!(!pass[key].is_null(), "{key}");
        }
        assert_eq!(pass["calls"], 7, "{pass}");
        assert!(text.contains(pass["label"].as_str().expect("a label")), "{pass}");
    }
    assert!(passes.iter().any(|pass| pass["label"] == "sph/density"));
    assert_eq!(json["loops"], serde_json::json!([]));

    let trace: Value =
        serde_json::from_slice(&bytes(folder.path().join("p/t.json"))).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let row =
        |row: u32| events.iter().filter(|event| event["ph"] == "X" && event["tid"] == row).count();
    assert!((1..=7).contains(&row(1)), "{} submissions", row(1));
    assert_eq!((row(2), row(3)), (7, 7 * passes.len()), "steps and passes");
}

#[test]
fn a_profile_has_the_iterations_of_every_loop() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let tiny = ["profile", "dam_break", "--set", "particle_radius=0.1", "--steps", "7"];
    for (solver, loops) in [("iisph", &["pressure"][..]), ("dfsph", &["divergence", "density"])] {
        let arguments =
            [&tiny[..], &["--solver", solver, "--from", "0.02", "--json", "p.json"]].concat();
        let output = meniscus(folder.path(), &arguments).output().expect("the command starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        let json: Value =
            serde_json::from_slice(&bytes(folder.path().join("p.json"))).expect("JSON");
        let found = json["loops"].as_array().expect("loops");
        assert_eq!(found.len(), loops.len());
        for (found, name) in found.iter().zip(loops) {
            assert_eq!(found["name"], *name);
            let number = |key: &str| found[key].as_f64().expect("a number");
            assert!((2.0..=100.0).contains(&number("iterations_mean")), "{found}");
            // Tolerances of all these loops are at most 0.1 %.
            assert!((0.0..=0.1).contains(&number("residual_mean")), "{found}");
            assert_eq!(found["not_converged"], 0);
            assert!(text.contains(&format!("{name} solver ")), "{text}");
        }
    }
}

#[test]
fn a_solver_that_does_not_converge_says_so_and_goes_on() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let few = ["--solver", "dfsph", "--set", "dfsph.max_iterations=2", "--log", "log.jsonl"];
    let hard = ["--set", "dfsph.max_error=1e-9"];
    let (status, text) = run(folder.path(), &[TINY, &few, &hard].concat());
    assert_eq!(status, Some(0), "{text}");
    let warning = "warning: the density solver of dfsph stopped ";
    assert!(text.contains(warning) && text.contains("maximum of 2 iterations"), "{text}");
    assert!(text.contains(" above 0.000000001 %: up to "), "{text}");
    let log = String::from_utf8(bytes(folder.path().join("log.jsonl"))).expect("UTF-8");
    let mut before = 0.0;
    for (frame, line) in log.lines().enumerate() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        let number = |key: &str| value[key].as_f64().unwrap_or_else(|| panic!("{key}: {line}"));
        let steps = number("steps") - before;
        before = number("steps");
        let sum = number("iterations_divergence") + number("iterations_density");
        assert_eq!(number("iterations"), sum, "{line}");
        if frame == 0 {
            continue;
        }
        assert!(number("not_converged_density") > 0.0, "{line}");
        assert!(number("not_converged_density") <= steps, "{line}");
        assert_eq!(number("iterations_density"), 2.0 * steps, "{line}");
        let (mean, most) = (number("residual_density"), number("residual_max_density"));
        assert!(1e-9 < mean && mean <= most, "{line}");
        let residuals = value["residuals"]["density"].as_array().expect("a list");
        assert_eq!(residuals.len(), 2, "{line}");
        // Of the last step, in which water that falls is not compressed.
        assert!(residuals[1].as_f64().is_some_and(|last| (0.0..=most).contains(&last)), "{line}");
    }
    // A loop that converges causes no warning.
    let easy = [TINY, &["--solver", "dfsph", "--set", "dfsph.max_error=1", "--log", "l"]].concat();
    assert_eq!(run(folder.path(), &easy), (Some(0), String::new()));
}

/// Kills a run while it writes files; every file under its final name must be complete.
#[cfg(unix)]
#[test]
fn a_killed_run_leaves_no_half_file() {
    if !gpu() {
        return;
    }
    let reference = folder();
    let run = ["run", "dam_break", "--set", "particle_radius=0.06", "--until", "1", "--quiet"];
    let outputs = ["--particles", "csv", "--checkpoint", "c", "--every", "1"];
    let arguments = [&run[..], &outputs].concat();
    for (round, wait) in [0, 7, 19].into_iter().enumerate() {
        let mut child = meniscus(reference.path(), &arguments).spawn().expect("the command starts");
        let begin = Instant::now();
        while !reference.path().join("out/particles_00001.csv").exists()
            || !reference.path().join("c").exists()
        {
            assert!(begin.elapsed() < Duration::from_secs(60), "no frames");
            assert!(child.try_wait().expect("a child").is_none(), "it ended by itself");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().expect("killed");
        child.wait().expect("ended");

        for name in names(reference.path().join("out")) {
            if name.starts_with("particles_") {
                let text = bytes(reference.path().join("out").join(&name));
                let lines = text.iter().filter(|byte| **byte == b'\n').count();
                assert_eq!(lines, 1 + 1157, "round {round}: {name}");
            }
        }
        // Resuming reads the checkpoint and would reject an incomplete one.
        let resume = ["--set", "particle_radius=0.06", "--until", "0.5", "--resume", "c"];
        succeed(reference.path(), &[&run[..2], &resume].concat());
        fs::remove_dir_all(reference.path().join("out")).expect("removed");
        fs::remove_file(reference.path().join("c")).expect("removed");
    }
}
