//! Law of advice: a warning's advice, followed, removes it, and the scene stays a scene.

use meniscus_formats::{LoadOptions, SCENES, load_scene};
use meniscus_methods::Registry;

/// Words of a warning that stay when its numbers change.
fn gist(warning: &str) -> String {
    warning.split_whitespace().filter(|word| !word.contains(|c: char| c.is_ascii_digit())).collect()
}

/// Overrides `KEY=VALUE` that a warning advises: `KEY = VALUE makes`, `let KEY be VALUE`, `leave out KEY`, `without KEY`.
fn advised(warning: &str) -> Vec<String> {
    let advice = warning.split("; ").skip(1).collect::<Vec<_>>().join(" ");
    let words: Vec<_> =
        advice.split_whitespace().map(|word| word.trim_end_matches([',', ';', ':'])).collect();
    let is_key = |word: &str| {
        word.contains(['_', '.'])
            && word.chars().all(|c| c.is_ascii_lowercase() || "_.[]0123456789".contains(c))
    };
    let mut overrides = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = |k: usize| at.checked_sub(k).map_or("", |at| words[at]);
        match *word {
            "=" if is_key(before(1)) => overrides.push(format!("{}={}", before(1), words[at + 1])),
            "be" if before(2) == "let" => {
                overrides.push(format!("{}={}", before(1), words[at + 1]));
            }
            key if is_key(key) && (before(1) == "without" || before(1) == "out") => {
                overrides.push(format!("{key}="));
            }
            _ => {}
        }
    }
    overrides
}

#[test]
fn advice_that_is_followed_removes_its_warning() {
    let registry = Registry::standard();
    let mut followed = 0;
    let mut wrong = Vec::new();
    for (scene, solver) in SCENES
        .iter()
        .flat_map(|scene| [None, Some("flip"), Some("mls_mpm")].map(|solver| (scene, solver)))
    {
        let options = LoadOptions { solver: solver.map(str::to_owned), set: Vec::new() };
        // A solver that cannot run it says so.
        let Ok(loaded) = load_scene(scene.name, &options) else { continue };
        for warning in registry.warnings(&loaded.scene) {
            let set = advised(&warning);
            if set.is_empty() {
                continue;
            }
            followed += 1;
            let again =
                load_scene(scene.name, &LoadOptions { set: set.clone(), ..options.clone() });
            let stays = match again {
                Ok(again) => registry
                    .warnings(&again.scene)
                    .into_iter()
                    .find(|other| gist(other) == gist(&warning)),
                Err(error) => Some(error.to_string()),
            };
            wrong.extend(stays.map(|stays| {
                format!("{} by {solver:?}, {set:?}:\n  {warning}\n  {stays}", scene.name)
            }));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(followed > 5, "bundled scenes have few warnings with advice: {followed}");
}
