//! Output of the command: nothing but its own messages.

use crate::support::{folder, gpu, run};

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
