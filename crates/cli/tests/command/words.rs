//! Output of the command: nothing but its own messages.

use crate::support::{bytes, folder, gpu, run, succeed};

#[test]
fn without_a_display_only_our_own_words_appear() {
    if !gpu() {
        return;
    }
    let folder = folder();
    let small = ["--set", "particle_radius=0.1"];
    let film = ["--out", "film", "--size", "64x48", "--until", "0.01"];
    let commands: [&[&str]; 4] = [
        &["info"],
        &["run", "dam_break", "--until", "0.02", "--quiet", "--log", "log.jsonl"],
        &["render", "dam_break", "--quiet"],
        &["profile", "dam_break", "--steps", "1"],
    ];
    for (number, command) in commands.iter().enumerate() {
        let more: Vec<&str> = match number {
            0 => Vec::new(),
            2 => small.iter().chain(&film).copied().collect(),
            _ => small.to_vec(),
        };
        let (status, text) = run(folder.path(), &[command, &more[..]].concat());
        assert_eq!((status, text.as_str()), (Some(0), ""), "{command:?}");
    }
}

/// docs/log.md has every key of a line.
#[test]
fn the_log_s_keys_are_explained() {
    if !gpu() {
        return;
    }
    let page = include_str!("../../../../docs/log.md");
    let folder = folder();
    let run = ["run", "dam_break", "--set", "particle_radius=0.1", "--until", "0.02", "--quiet"];
    for solver in ["wcsph", "dfsph"] {
        let log = ["--log", "l.jsonl", "--solver", solver];
        succeed(folder.path(), &[&run[..], &log].concat());
        let text = String::from_utf8(bytes(folder.path().join("l.jsonl"))).expect("UTF-8");
        let line: serde_json::Value =
            serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
        for key in line.as_object().expect("an object").keys() {
            let general = ["_density", "_divergence"].iter().fold(key.clone(), |key, name| {
                if key.starts_with("density") { key } else { key.replace(name, "_LOOP") }
            });
            assert!(page.contains(&format!("`{general}`")), "{key}");
        }
    }
}
