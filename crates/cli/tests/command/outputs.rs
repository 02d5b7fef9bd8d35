//! Every output of a run, of every family of solvers: it is written, or refused in a sentence.

use std::path::Path;

use crate::support::{bytes, folder, gpu, refuse, run, succeed};

/// A small scene of each family, with a body or a probe where there are any.
const SCENES: [(&str, &str); 4] = [
    (
        "sph",
        r#"solver = "dfsph"
particle_radius = 0.05
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 0.4, 0.4] }
[[boundary]]
name = "tank, of \"glass\""
shape.box = { min = [0.0, 0.0, 0.0], max = [0.5, 1.0, 0.4] }
response.particles = {}
[[body]]
name = "left, lower"
shape.box = { min = [0.1, 0.5, 0.1], max = [0.3, 0.7, 0.3] }
density = 500.0
[[probe]]
gauge = { name = "here, and there", at = [0.2, 0.0, 0.2] }
"#,
    ),
    (
        "mpm",
        r#"solver = "mls_mpm"
particle_radius = 0.05
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 1.0]
[[material]]
name = "water"
model = "water"
[[fluid]]
shape.box = { min = [0.2, 0.2, 0.2], max = [0.6, 0.6, 0.6] }
[[boundary]]
name = "tank"
shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 1.0] }
[[probe]]
gauge = { name = "here, and there", at = [0.2, 0.0, 0.2] }
"#,
    ),
    (
        "liquid",
        r#"solver = "flip"
particle_radius = 0.05
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 1.0]
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [0.0, 0.0, 0.0], max = [0.4, 0.4, 1.0] }
[[boundary]]
name = "tank"
shape.box = { min = [0.0, 0.0, 0.0], max = [1.0, 1.0, 1.0] }
[[probe]]
point = { name = "here, and there", at = [0.2, 0.2, 0.2] }
"#,
    ),
    (
        "smoke",
        r#"solver = "stable_fluids"
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 1.0]
[smoke]
cell = 0.125
[[source]]
shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.2 }
density = 1.0
temperature = 100.0
[[probe]]
point = { name = "here, and there", at = [0.5, 0.4, 0.5] }
"#,
    ),
];

/// Outputs: arguments, a file that they write, and the families that have it.
const OUTPUTS: [(&[&str], &str, &str); 29] = [
    (&["--particles", "ply"], "out/particles_00001.ply", "sph mpm liquid"),
    (&["--particles", "vtk"], "out/particles.pvd", "sph mpm liquid"),
    (&["--particles", "csv"], "out/particles_00001.csv", "sph mpm liquid"),
    (&["--particles", "bgeo"], "out/particles_00001.bgeo", "sph mpm liquid"),
    (&["--surface", "ply", "--surface-velocity"], "out/surface_00001.ply", "sph mpm liquid"),
    (&["--surface", "obj", "--surface-speed"], "out/surface_00001.obj", "sph mpm liquid"),
    (&["--surface", "glb", "--surface-speed"], "out/surface_00001.glb", "sph mpm liquid"),
    (&["--surface", "vtk", "--surface-velocity"], "out/surface.pvd", "sph mpm liquid"),
    (&["--surface", "usd"], "out/surface.usda", "sph mpm liquid"),
    (&["--usd", "a.usda"], "a.usda", "sph mpm liquid"),
    (&["--grid", "vti"], "out/cells_00001.vti", "liquid smoke"),
    (&["--grid", "vdb"], "out/cells_00001.vdb", "liquid smoke"),
    (&["--bodies", "csv"], "out/bodies_00001.csv", "sph"),
    (&["--bodies", "json"], "out/bodies_00001.json", "sph"),
    (&["--bodies", "ply"], "out/bodies_00001.ply", "sph"),
    (&["--bodies", "obj"], "out/bodies_00001.obj", "sph"),
    (&["--bodies", "glb"], "out/bodies_00001.glb", "sph"),
    (&["--boundaries", "ply"], "out/boundaries.ply", "sph mpm liquid smoke"),
    (&["--boundaries", "obj"], "out/boundaries.obj", "sph mpm liquid smoke"),
    (&["--boundaries", "glb"], "out/boundaries.glb", "sph mpm liquid smoke"),
    (&["--boundaries", "vtk"], "out/boundaries.vtp", "sph mpm liquid smoke"),
    (&["--log", "a.jsonl"], "a.jsonl", "sph mpm liquid smoke"),
    (&["--probes", "p.csv"], "p.csv", "sph mpm liquid smoke"),
    (&["--probes", "p.csv", "--probe-every", "step"], "p.csv", "sph mpm liquid smoke"),
    (&["--probes", "p.csv", "--probe-every", "0.005"], "p.csv", "sph mpm liquid smoke"),
    (&["--forces", "f.csv"], "f.csv", "sph mpm liquid"),
    (&["--forces", "f.csv", "--forces-every", "step"], "f.csv", "sph mpm liquid"),
    (&["--forces", "f.csv", "--forces-every", "0.002"], "f.csv", "sph mpm liquid"),
    (&["--checkpoint", "c"], "c", "sph mpm liquid smoke"),
];

/// Runs a scene for a frame of 0.01 s.
fn arguments<'a>(scene: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", scene, "--until", "0.01", "--fps", "100", "--quiet"], more].concat()
}

/// Quantities that the scene has, as the message about an unknown one lists them.
fn quantities(folder: &Path, scene: &str, flags: &[&str]) -> Vec<String> {
    let (status, text) = run(folder, &arguments(scene, &[flags, &["no_such"]].concat()));
    assert_eq!(status, Some(2), "{text}");
    let (_, list) = text.trim().split_once("this scene has: ").expect("a list");
    list.split(", ").map(ToOwned::to_owned).collect()
}

#[test]
fn every_output_of_every_family_is_written_or_refused_in_a_sentence() {
    if !gpu() {
        return;
    }
    for (family, text) in SCENES {
        let folder = folder();
        std::fs::write(folder.path().join("scene.toml"), text).expect("written");
        // Each by itself where it is refused, and all others in few runs.
        let mut all: Vec<(Vec<&str>, Vec<&str>)> = vec![Default::default()];
        for (flags, file, families) in OUTPUTS {
            if !families.split(' ').any(|one| one == family) {
                let (status, text) = run(folder.path(), &arguments("scene.toml", flags));
                assert_eq!(status, Some(2), "{family} {flags:?}: {text}");
                assert!(text.starts_with(&format!("error: {}: ", flags[0])), "{family}: {text}");
                assert_eq!(text.trim().lines().count(), 1, "{family} {flags:?}: {text}");
                continue;
            }
            let free = all.iter_mut().find(|(given, _)| !given.contains(&flags[0]));
            match free {
                Some((given, files)) => {
                    given.extend(flags);
                    files.push(file);
                }
                None => all.push((flags.to_vec(), vec![file])),
            }
        }
        for (flags, files) in &all {
            succeed(folder.path(), &arguments("scene.toml", flags));
            for file in files {
                assert!(!bytes(folder.path().join(file)).is_empty(), "{family} {flags:?}: {file}");
            }
            std::fs::remove_dir_all(folder.path().join("out")).expect("written");
        }
        // Every quantity: a mean in the log, or no mean in a sentence.
        let names =
            quantities(folder.path(), "scene.toml", &["--log", "b.jsonl", "--log-quantities"]);
        let (labels, means): (Vec<_>, Vec<_>) =
            names.iter().partition(|name| matches!(name.as_str(), "id" | "material" | "surface"));
        for label in labels {
            let flags = ["--log", "b.jsonl", "--log-quantities", label];
            refuse(folder.path(), &arguments("scene.toml", &flags), 2, &["has no mean"]);
        }
        let joined = means.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(",");
        let flags = ["--log", "b.jsonl", "--log-quantities", &joined];
        succeed(folder.path(), &arguments("scene.toml", &flags));
        let log = String::from_utf8(bytes(folder.path().join("b.jsonl"))).expect("UTF-8");
        let line: serde_json::Value =
            serde_json::from_str(log.lines().last().expect("a line")).expect("JSON");
        for name in means {
            let key = |end: &str| line[format!("{name}_{end}")].as_f64();
            let found = match name.as_str() {
                "density_error" | "elastic_energy" => continue,
                _ => [key("mean"), key("max")],
            };
            assert!(found.iter().all(|value| value.is_some_and(f64::is_finite)), "{family} {name}");
            if name == "speed" {
                assert!(found[1] > Some(1e-4) && found[0] > Some(0.0), "{family}: {found:?}");
            }
        }
        if family == "smoke" {
            // The mean is over the cells of the domain, as the total is.
            let [mean, total] =
                ["smoke_mean", "smoke"].map(|key| line[key].as_f64().expect("given"));
            assert!((mean - total).abs() < 1e-5 * total, "mean {mean}, in 1 m³ {total}");
        } else {
            let flags = ["--particles", "csv", "--particle-quantities", &names.join(",")];
            succeed(folder.path(), &arguments("scene.toml", &flags));
        }
    }
}

/// Cells of each line of CSV, without those of quotes.
fn widths(text: &str) -> Vec<usize> {
    let mut quoted = false;
    let cells = |line: &str| {
        let commas = line.chars().filter(|c| {
            quoted ^= *c == '"';
            *c == ',' && !quoted
        });
        commas.count() + 1
    };
    text.lines().map(cells).collect()
}

#[test]
fn tables_have_equal_lines_whatever_the_names_are() {
    if !gpu() {
        return;
    }
    let folder = folder();
    std::fs::write(folder.path().join("scene.toml"), SCENES[0].1).expect("written");
    let flags = ["--forces", "f.csv", "--probes", "p.csv", "--bodies", "csv"];
    succeed(folder.path(), &arguments("scene.toml", &flags));
    for (file, expected) in [("f.csv", 1 + 2 * 24), ("p.csv", 2), ("out/bodies_00001.csv", 20)] {
        let text = String::from_utf8(bytes(folder.path().join(file))).expect("UTF-8");
        let widths = widths(&text);
        assert!(
            widths.len() >= 2 && widths.iter().all(|one| *one == expected),
            "{file}: {widths:?}"
        );
    }
}

#[test]
fn particles_that_leave_are_told_with_a_domain_that_has_room() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let scene = |solver: &str| {
        format!(
            r#"solver = "{solver}"
particle_radius = 0.05
[domain]
min = [0.0, 0.0, 0.0]
max = [1.0, 1.0, 0.4]
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [0.4, 0.0, 0.0], max = [1.0, 0.4, 0.4] }}
velocity = [3.0, 0.0, 0.0]
[[boundary]]
shape.plane = {{ point = [0.0, 0.0, 0.0], normal = [0.0, 1.0, 0.0] }}
"#
        )
    };
    // Removed at an open side, but not at the floor; and still there, without a surface.
    for (solver, said) in [
        ("flip", " particles have left the domain through open sides (at x = 1.0"),
        (
            "dfsph",
            " particles have left the domain and are not part of the surface; with [domain] min = [",
        ),
    ] {
        std::fs::write(folder.path().join("open.toml"), scene(solver)).expect("written");
        let flags = ["run", "open.toml", "--until", "0.2", "--surface", "ply"];
        let (status, text) = run(folder.path(), &flags);
        assert_eq!(status, Some(0), "{solver}: {text}");
        assert!(text.contains(said) && !text.contains("y = 0.0"), "{solver}: {text}");
    }
}
