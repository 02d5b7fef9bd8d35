//! Every invalid input causes one clear message and the documented exit status.

use std::fs;

use crate::support::{TINY, folder, gpu, meniscus, refuse, succeed};

#[test]
fn wrong_scenes_are_refused() {
    let folder = folder();
    let path = folder.path();
    fs::write(path.join("key.toml"), "title = \"x\"\nviscosty = 1\n").expect("written");
    fs::write(path.join("empty.toml"), "").expect("written");
    for (scene, parts) in [
        ("nowhere.toml", &["error: cannot read nowhere.toml", "no such file"][..]),
        ("dam_brek", &["did you mean `dam_break`?"]),
        (".", &["directory"]),
        ("key.toml", &["key.toml:2:1", "unknown key `viscosty`"]),
        ("empty.toml", &["empty.toml:1:1", "empty"]),
    ] {
        for command in ["run", "profile"] {
            refuse(path, &[command, scene], 2, parts);
        }
    }
}

#[test]
fn wrong_options_are_refused() {
    let folder = folder();
    for (options, parts) in [
        (&["--solver", "pbf"][..], &["unknown solver `pbf`", "muller"][..]),
        (&["--set", "time.fp=30"], &["--set time.fp=30", "did you mean `fps`?"]),
        (&["--set", "time"], &["--set time", "key=value"]),
        (&["--set", "particle_radius=-1"], &["--set particle_radius=-1"]),
        (&["--set", "particle_radius=1e-4"], &["at most"]),
        (&["--fps", "0"], &["--fps", "greater than 0"]),
        (&["--fps", "NaN"], &["--fps", "greater than 0"]),
        (&["--until", "-1"], &["--until -1", "expected"]),
        (&["--until", "inf"], &["--until inf", "expected"]),
        (&["--particles", "obj"], &["ply, vtk, csv, bgeo"]),
        (&["--surface-speed"], &["--surface-speed: there is no surface without --surface"]),
        (&["--grid", "vti"], &["--grid: \"dfsph\" has no fields on cells"]),
        (&["--every", "10"], &["--checkpoint"]),
        (&["--every", "0", "--checkpoint", "c"], &["--every"]),
        (&["--resume", "nowhere"], &["cannot read nowhere"]),
        (&["--unknown"], &["--unknown"]),
        (&["--particle-quantities", "speed"], &["--particles"]),
        (&["--log-quantities", "speed"], &["--log"]),
        (
            &["--particles", "csv", "--particle-quantities", "speed,heat"],
            &["--particle-quantities: unknown quantity `heat`", "speed, density_error, pressure"],
        ),
        (&["--log", "l", "--log-quantities", "kappa"], &["--log-quantities: unknown quantity"]),
        (&["--log", "l", "--log-quantities", "id"], &["--log-quantities: `id` has no mean"]),
    ] {
        refuse(folder.path(), &[&["run", "dam_break"], options].concat(), 2, parts);
    }
    let render = |options: &[&'static str], part| {
        let all = [&["render", "dam_break", "--out", "a.png"], options].concat();
        refuse(folder.path(), &all, 2, &[part]);
    };
    render(
        &["--view", "surface", "--color", "speed"],
        "--color: the view surface shows no quantity",
    );
    render(&["--view", "splats", "--surface-smoothing", "2"], "without --view surface");
    render(&["--until", "0.1", "--from", "0.2"], "--from 0.2: expected a time from 0 to 0.1 s");
    render(
        &["--eye", "1,1,1", "--target", "1,1,1"],
        "--eye: the camera is at the point [1.0, 1.0, 1.0]",
    );
    render(&["--size", "100000x10"], "each 1 to 16384");
    // Quantities are those of the scene's solver.
    let color =
        ["render", "dam_break", "--out", "a.png", "--view", "particles", "--color", "compression"];
    let parts = ["--color: unknown quantity `compression`", "this scene has: speed, "];
    refuse(folder.path(), &[&color[..], &["--solver", "wcsph"]].concat(), 2, &parts);
    refuse(folder.path(), &[], 2, &["Usage"]);
    refuse(folder.path(), &["profile", "dam_break", "--steps", "0"], 2, &["--steps"]);
    refuse(folder.path(), &["profile", "dam_break", "--from", "nan"], 2, &["--from", "0 or more"]);
    let wave = ["waves", "solitary", "--depth", "0.3", "--height", "0.3", "--until", "5"];
    refuse(folder.path(), &wave, 2, &["--height 0.3", "breaks", "0.2340 m"]);
    let wave = ["waves", "solitary", "--depth", "-1", "--height", "0.3", "--until", "5"];
    refuse(folder.path(), &wave, 2, &["--depth", "greater than 0"]);
    let wave = [
        "waves", "regular", "--depth", "0.3", "--height", "0.3", "--period", "1.2", "--until", "5",
    ];
    refuse(folder.path(), &wave, 2, &["--height 0.3", "break at"]);
}

#[test]
fn help_teaches() {
    let folder = folder();
    for (command, parts) in [
        (&["--help"][..], &["First steps:", "Exit status", "profile"][..]),
        (&["run", "--help"], &["--resume", "Examples:", "meniscus run dam_break"]),
        (
            &["render", "--help"],
            &["--color", "density_error (%)", "solver \"dfsph\"", "compression"],
        ),
        (&["profile", "--help"], &["--trace", "Examples:"]),
        (&["bench", "--help"], &["--against", "Examples:", "--sizes small,0.02"]),
    ] {
        let output = meniscus(folder.path(), command).output().expect("the command starts");
        assert!(output.status.success());
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn the_bundled_scenes_are_listed() {
    let output = meniscus(folder().path(), &["scenes"]).output().expect("the command starts");
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stdout);
    let dam = text.lines().find(|line| line.starts_with("dam_break ")).expect("a dam break");
    let particles = dam.split_whitespace().nth(1).and_then(|count| count.parse::<u32>().ok());
    assert!(particles.is_some_and(|count| (90_000..120_000).contains(&count)), "{dam}");
}

#[test]
fn a_bundled_scene_begins_ones_own() {
    let folder = folder();
    let run = |arguments: &[&str]| {
        let output = meniscus(folder.path(), arguments).output().expect("the command starts");
        (
            output.status.code(),
            String::from_utf8(output.stdout).expect("text"),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (code, dam, said) = run(&["scenes", "dam_break"]);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert!(dam.starts_with("# A column of water") && dam.contains("[[boundary]]"), "{dam}");
    let (_, keys, _) = run(&["scenes", "--keys"]);
    assert!(keys.contains("support_radius") && keys.contains("[[emitter]]"), "{keys}");
    // With all poses of the mesh that its motion names by a pattern.
    let (code, _, said) = run(&["scenes", "swimmer", "--out", "mine"]);
    assert_eq!((code, said.lines().count()), (Some(0), 13), "{said}");
    let mine = [
        "run",
        "mine/swimmer.toml",
        "--until",
        "0",
        "--set",
        "particle_radius=0.02",
        "--out",
        "run",
    ];
    let (code, _, said) = run(&mine);
    assert_eq!(code, Some(0), "{said}");
    let (code, _, said) = run(&["scenes", "swimmer", "--out", "mine"]);
    assert!(code == Some(2) && said.contains("is there already; nothing was written"), "{said}");
    let (code, _, said) = run(&["scenes", "swimer"]);
    assert!(code == Some(2) && said.contains("no bundled scene is named swimer"), "{said}");
}

#[test]
fn without_an_adapter_the_message_says_how_to_get_one() {
    let folder = folder();
    for arguments in [&["info"][..], &["run", "dam_break"], &["profile", "dam_break"]] {
        let mut command = meniscus(folder.path(), arguments);
        // No Vulkan driver, and no other backend on systems that have several.
        command.env("WGPU_BACKEND", "vulkan");
        let command = command.env("VK_DRIVER_FILES", "/none").env("VK_ICD_FILENAMES", "/none");
        let output = command.output().expect("the command starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {text}");
        assert!(text.contains("mesa-vulkan-drivers"), "{text}");
    }
}

#[test]
fn programs_can_read_the_adapters_also_where_there_is_none() {
    let read = |output: &std::process::Output| -> serde_json::Value {
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    let folder = folder();
    let mut none = meniscus(folder.path(), &["info", "--json"]);
    none.env("WGPU_BACKEND", "vulkan");
    none.env("VK_DRIVER_FILES", "/none").env("VK_ICD_FILENAMES", "/none");
    let output = none.output().expect("the command starts");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(read(&output), serde_json::json!({ "adapters": [], "chosen": null }));
    if !gpu() {
        return;
    }
    let output = meniscus(folder.path(), &["info", "--json"]).output().expect("the command starts");
    assert!(output.status.success());
    let found = read(&output);
    let chosen = &found["chosen"];
    assert!(chosen["type"].is_string(), "{found:#}");
    let adapters = found["adapters"].as_array().expect("a list");
    assert!(adapters.iter().any(|one| one["name"] == chosen["name"]), "{found:#}");
    assert!(adapters.iter().enumerate().all(|(k, one)| one["index"] == k), "{found:#}");
}

#[test]
fn an_unknown_adapter_is_named() {
    let arguments = ["run", "dam_break", "--adapter", "no such"];
    refuse(folder().path(), &arguments, 3, &["no such"]);
}

#[test]
fn what_cannot_be_written_is_named() {
    if !gpu() {
        return;
    }
    let folder = folder();
    fs::write(folder.path().join("file"), "").expect("written");
    for (options, part) in [
        (&["--out", "file/x", "--particles", "csv"][..], "cannot create the folder file/x: "),
        (&["--log", "file/log.jsonl"], "cannot create the folder file: "),
        (&["--log", "."], "cannot write .: "),
        (&["--checkpoint", "file/c"], "cannot create the folder file: "),
        (&["--checkpoint", "."], "cannot write .: "),
    ] {
        refuse(folder.path(), &[TINY, options].concat(), 1, &["error: ", part]);
    }
    #[cfg(target_os = "linux")]
    refuse(
        folder.path(),
        &[TINY, &["--log", "/dev/full"]].concat(),
        1,
        &["cannot write /dev/full"],
    );
}

#[test]
fn a_failed_simulation_says_where_to_go_on() {
    if !gpu() {
        return;
    }
    let folder = folder();
    // Falling water needs ever smaller steps.
    let wild = ["--set", "time.min_step=0.0022", "--until", "2", "--solver", "muller"];
    let arguments = [&TINY[..4], &wild, &["--checkpoint", "c", "--every", "1"]].concat();
    let parts = ["error: step ", "time.min_step", "; the last good checkpoint is c, of frame "];
    refuse(folder.path(), &arguments, 1, &parts);
    // The checkpoint can be resumed, although the run fails again.
    refuse(folder.path(), &[&arguments[..], &["--resume", "c"]].concat(), 1, &parts);
}

#[test]
fn a_diverging_simulation_keeps_its_last_good_checkpoint() {
    if !gpu() {
        return;
    }
    let folder = folder();
    // Water falls for some frames, then onto springs that are far too stiff for the step.
    let scene = "particle_radius = 0.02
time.step = 0.001
[[material]]
name = \"water\"
[[fluid]]
shape.box = { min = [-0.1, 0.1, -0.1], max = [0.1, 0.3, 0.1] }
[[boundary]]
shape.box = { min = [-0.3, 0.0, -0.3], max = [0.3, 0.6, 0.3] }
response.spring = { stiffness = 1e9, damping = 0.0 }
";
    fs::write(folder.path().join("wild.toml"), scene).expect("written");
    let run = ["run", "wild.toml", "--until", "2", "--quiet", "--checkpoint", "c", "--every", "2"];
    let saved = "; the last good checkpoint is c, of frame ";
    let (status, text) = crate::support::run(folder.path(), &run);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("error: step ") && text.contains(": particle "), "{text}");
    let frame = text.split(saved).nth(1).and_then(|frame| frame.trim().parse::<u32>().ok());
    // √(2 · 0.1 m/g) is 8.6 frames.
    assert!(frame.is_some_and(|frame| (4..=10).contains(&frame)), "{text}");
    // The checkpoint is valid: it can be resumed, and the next failure names its frame.
    let again = [&run[..], &["--resume", "c"]].concat();
    assert_eq!(crate::support::run(folder.path(), &again), (Some(1), text));
}

#[test]
fn foreign_checkpoints_are_refused() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let path = folder.path();
    succeed(path, &[TINY, &["--checkpoint", "c"]].concat());
    for other in [&["--set", "gravity=[0, -1, 0]"][..], &["--fps", "30"]] {
        let arguments = [TINY, other, &["--resume", "c"]].concat();
        refuse(path, &arguments, 2, &["c: ", "another scene"]);
    }
    let whole = fs::read(path.join("c")).expect("a checkpoint");
    fs::write(path.join("half"), &whole[..whole.len() / 2]).expect("written");
    refuse(path, &[TINY, &["--resume", "half"]].concat(), 2, &["half: ", "truncated"]);
    fs::write(path.join("text"), "position\n").expect("written");
    refuse(path, &[TINY, &["--resume", "text"]].concat(), 2, &["text: ", "not a checkpoint"]);
    refuse(path, &[TINY, &["--resume", "."]].concat(), 2, &["cannot read "]);
}

#[test]
fn a_run_that_writes_nothing_says_so() {
    if !gpu() {
        return;
    }
    let folder = folder();
    for (more, is_silent) in [(&[][..], true), (&["--boundaries", "obj"], false)] {
        let (status, text) = crate::support::run(folder.path(), &[TINY, more].concat());
        assert_eq!(
            (status, text.contains("this run writes nothing")),
            (Some(0), is_silent),
            "{text}"
        );
    }
}
