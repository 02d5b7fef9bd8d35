//! `meniscus sweep`: planned runs end with the same bytes, however they were done.

use std::{fs, path::Path, process::Command, time::Duration};

use crate::support::{bytes, folder, gpu, meniscus, names, refuse, run, succeed};

/// Four runs of 250 particles in two dimensions, of two frames.
const PLAN: &[&str] = &[
    "sweep",
    "plan",
    "dam_break",
    "--set",
    "particle_radius=0.1",
    "--set",
    "fluid[0].jitter=0.1",
    "--set",
    "time.until=0.0334",
    "--vary",
    "material[0].viscosity=0.001,0.01",
    "--seeds",
    "2",
    "--particles",
    "csv",
    "--out",
    "runs",
];

/// Names and bytes of the results of a run.
fn results(folder: &Path, run: &str) -> Vec<(String, Vec<u8>)> {
    let folder = folder.join("runs").join(run).join("results");
    names(&folder).into_iter().map(|name| (name.clone(), bytes(folder.join(name)))).collect()
}

fn list(folder: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(folder.join("runs/runs.jsonl")).expect("a plan");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_plan_has_a_run_for_each_combination() {
    let folder = folder();
    let path = folder.path();
    let plan = |more: &[&'static str]| [&PLAN[..11], more, &["--out", "runs"]].concat();
    succeed(path, &plan(&["--vary", "fluid[0].shape.box.max[1]=0.5..1:3", "--seeds", "2"]));
    let found: Vec<_> = list(path)
        .iter()
        .map(|run| {
            let value = |key: &str| run["values"][key].as_f64().expect("a number");
            let index = run["index"].as_u64().expect("a number");
            let [viscosity, height] =
                ["material[0].viscosity", "fluid[0].shape.box.max[1]"].map(value);
            (index, viscosity, height, run["seed"].as_u64().expect("a number"))
        })
        .collect();
    let mut expected = Vec::new();
    for viscosity in [0.001, 0.01] {
        for height in [0.5, 0.75, 1.0] {
            for seed in [0, 1] {
                expected.push((expected.len() as u64, viscosity, height, seed));
            }
        }
    }
    assert_eq!(found, expected);
    let scene = fs::read_to_string(path.join("runs/00003/scene.toml")).expect("a scene");
    assert!(scene.contains("seed = 1") && scene.contains("viscosity = 0.001"), "{scene}");
    // The same again changes nothing, and another one is refused.
    let before = bytes(path.join("runs/runs.jsonl"));
    succeed(path, &plan(&["--vary", "fluid[0].shape.box.max[1]=0.5..1:3", "--seeds", "2"]));
    refuse(path, &plan(&["--seeds", "2"]), 2, &["runs/runs.jsonl is of another plan"]);
    assert_eq!(bytes(path.join("runs/runs.jsonl")), before);
}

#[test]
fn wrong_plans_are_refused() {
    let folder = folder();
    let path = folder.path();
    for (options, parts) in [
        (
            &["--vary", "material[0].viscosty=1,2"][..],
            &["--vary material[0].viscosty=1", "did you mean `viscosity`?"][..],
        ),
        (
            &["--vary", "time.cfl=0.2..0.6"],
            &["--vary time.cfl=0.2..0.6: a range has a number of values"],
        ),
        (&["--vary", "time.cfl=0.2,-1"], &["--vary time.cfl=-1: "]),
        (&["--vary", "time.cfl"], &["expected KEY=VALUES"]),
        (&["--vary", "time.cfl=1,2", "--vary", "time.cfl=3"], &["the key varies already"]),
        (&["--vary", "seed=1,2", "--seeds", "2"], &["--seeds sets the key, too"]),
        (&["--seeds", "0"], &["--seeds"]),
        (&["--seeds", "2"], &["--seeds: no fluid has jitter", "--set fluid[0].jitter=0.1"]),
        (&["--set", "time.fp=1"], &["--set time.fp=1", "did you mean `fps`?"]),
        (
            &["--vary", "time.cfl=0.1..0.2:2000", "--vary", "time.fps=1..2:2000"],
            &["more than 1000000 runs"],
        ),
    ] {
        let all = [&["sweep", "plan", "dam_break", "--out", "runs"], options].concat();
        refuse(path, &all, 2, parts);
        assert!(!path.join("runs").exists(), "{options:?} left something");
    }
    refuse(path, &["sweep", "plan", "dam_brek", "--out", "r"], 2, &["did you mean `dam_break`?"]);
}

#[test]
fn wrong_folders_and_indices_are_refused() {
    let folder = folder();
    let path = folder.path();
    for command in [
        &["sweep", "run", ".", "--index", "0"][..],
        &["sweep", "status", "."],
        &["sweep", "merge", "."],
    ] {
        refuse(path, command, 2, &[". is no folder of `meniscus sweep plan`", "runs.jsonl"]);
    }
    succeed(path, PLAN);
    refuse(path, &["sweep", "run", "runs"], 2, &["--index"]);
    refuse(path, &["sweep", "run", "runs", "--index", "4"], 2, &["--index 4", "expected 0 to 3"]);
    refuse(path, &["sweep", "merge", "runs"], 2, &["4 of 4 runs are not finished, the first is 0"]);
    let list = path.join("runs/runs.jsonl");
    let text = fs::read_to_string(&list).expect("a plan");
    fs::write(&list, text.replacen("\"index\":1", "\"index\":7", 1)).expect("written");
    refuse(path, &["sweep", "status", "runs"], 2, &["runs.jsonl:2: expected the run 1, not 7"]);
    fs::write(&list, "{}\n").expect("written");
    refuse(path, &["sweep", "status", "runs"], 2, &["runs.jsonl:1: expected a line"]);
}

/// The loop of docs/sweeps.md, twice.
#[cfg(unix)]
#[test]
fn a_loop_of_the_shell_does_all_runs_with_the_same_bytes() {
    if !gpu() {
        return;
    }
    let [first, second] = [folder(), folder()];
    for folder in [&first, &second] {
        let path = folder.path();
        succeed(path, PLAN);
        let program = env!("CARGO_BIN_EXE_meniscus");
        let text = format!(
            "for k in $(seq 0 3); do {program} sweep run runs --index $k --quiet || exit 1; done"
        );
        let shell = Command::new("sh").args(["-c", &text]).current_dir(path).output();
        let output = shell.expect("a shell");
        assert!(output.status.success(), "{output:?}");
        succeed(path, &["sweep", "merge", "runs", "--out", "table.csv"]);
    }
    for run in ["00000", "00001", "00002", "00003"] {
        let found = results(first.path(), run);
        assert_eq!(found, results(second.path(), run));
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        let frames = ["particles_00000.csv", "particles_00001.csv", "particles_00002.csv"];
        assert_eq!(names, [&["log.jsonl"], &frames[..], &["report.json", "run.toml"]].concat());
        assert!(!first.path().join("runs").join(run).join("work").exists());
    }
    // Seeds and values make a difference.
    let end = |run| bytes(first.path().join("runs").join(run).join("results/report.json"));
    assert!(end("00000") != end("00001") && end("00000") != end("00002"));
    let table = bytes(first.path().join("table.csv"));
    assert_eq!(table, bytes(second.path().join("table.csv")));
    let table = String::from_utf8(table).expect("UTF-8");
    let head = "index,seed,material[0].viscosity,frame,time,steps,dt,";
    assert!(table.starts_with(head) && table.contains(",center_of_mass_x,"), "{table}");
    let starts = ["0,0,0.001,2,", "1,1,0.001,2,", "2,0,0.01,2,", "3,1,0.01,2,"];
    assert_eq!(table.lines().count(), 5);
    assert!(
        table.lines().skip(1).zip(starts).all(|(line, start)| line.starts_with(start)),
        "{table}"
    );

    // A finished run returns at once, without a device.
    let path = first.path();
    let mut again = meniscus(path, &["sweep", "run", "runs", "--index", "2", "--adapter", "none"]);
    let output = again.output().expect("it starts");
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success() && text.contains("finished already"), "{text}");
    let status = meniscus(path, &["sweep", "status", "runs"]).output().expect("it starts");
    let text = String::from_utf8(status.stdout).expect("UTF-8");
    assert!(text.starts_with("4 runs\n       4 finished\n       0 running\n"), "{text}");
    fs::remove_dir_all(path.join("runs/00001/results")).expect("removed");
    refuse(path, &["sweep", "merge", "runs"], 2, &["1 of 4 runs are not finished, the first is 1"]);
    let (status, text) = run(path, &["sweep", "merge", "runs", "--unfinished", "--out", "t.csv"]);
    assert!(status == Some(0) && text.contains("warning: runs: 1 of 4"), "{text}");
    assert_eq!(fs::read_to_string(path.join("t.csv")).expect("a table").lines().count(), 4);
}

/// Killed and terminated in the middle, a run ends with the bytes of one that was not.
#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_the_same_bytes() {
    if !gpu() {
        return;
    }
    let [whole, parts] = [folder(), folder()];
    let run = ["sweep", "run", "runs", "--index", "1", "--quiet", "--every", "2"];
    for folder in [&whole, &parts] {
        let plan: Vec<_> = PLAN
            .iter()
            .map(|word| if *word == "time.until=0.0334" { "time.until=1" } else { *word })
            .collect();
        succeed(folder.path(), &plan);
    }
    succeed(whole.path(), &run);
    let path = parts.path();
    let work = path.join("runs/00001/work");
    let lines =
        || fs::read_to_string(work.join("log.jsonl")).map_or(0, |text| text.lines().count());
    let (mut before, mut hits) = (1, 0);
    for signal in ["-KILL", "-TERM"] {
        let mut process = meniscus(path, &run).spawn().expect("it starts");
        while process.try_wait().expect("a state").is_none() && lines() < before + 3 {
            std::thread::sleep(Duration::from_millis(2));
        }
        let send = |signal: &str| {
            let kill = Command::new("kill").args([signal, &process.id().to_string()]).status();
            assert!(kill.expect("kill starts").success());
        };
        if signal == "-KILL" {
            // So that it does not end meanwhile.
            send("-STOP");
            refuse(path, &run, 1, &["runs/00001: another process is doing this run"]);
            let status = meniscus(path, &["sweep", "status", "runs"]).output().expect("it starts");
            let text = String::from_utf8(status.stdout).expect("UTF-8");
            assert!(text.contains("1 running\n           --index 1, at frame "), "{text}");
        }
        send(signal);
        hits += usize::from(!process.wait().expect("it ends").success());
        assert!(work.exists(), "it ended before {signal}");
        assert!(!path.join("runs/00001/results").exists());
        before = lines();
        let status = meniscus(path, &["sweep", "status", "runs"]).output().expect("it starts");
        let text = String::from_utf8(status.stdout).expect("UTF-8");
        assert!(text.contains("1 interrupted\n           --index 1, at frame "), "{text}");
    }
    assert_eq!(hits, 2);
    // What a process that was killed while it wrote would leave.
    fs::write(work.join(".checkpoint.abc.partial"), "half").expect("written");
    succeed(path, &run);
    assert_eq!(results(whole.path(), "00001"), results(path, "00001"));
}
