//! No input, random or a mutated valid scene, makes a reader panic.

use meniscus_formats::{LoadOptions, SCENES, load_scene};
use meniscus_model::{Setup, scene::Shape};
use proptest::prelude::*;

const JSON: &str = include_str!("../import/column.json");
const TOML: &str = include_str!("../import/every_table.toml");

/// Replacements for a token.
const TOKENS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e308",
    "-1e308",
    "1e-308",
    "1e999",
    "0x7fffffffffffffff",
    "4294967296",
    "\"\"",
    "\"text\"",
    "true",
    "null",
    "[]",
    "{}",
    "[[",
    "]]",
    "=",
    ",",
    "{",
    "}",
    "[0, 0, 0]",
    "[1e9, 1e9, 1e9]",
    "{ box = { min = [0, 0, 0], max = [1e6, 1e6, 1e6] } }",
    "é",
];

/// Loads any input, and returns the message.
fn load(extension: &str, bytes: &[u8], set: Vec<String>) -> Option<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(format!("scene.{extension}"));
    std::fs::write(&path, bytes).expect("written");
    let options = LoadOptions { solver: Some("muller".into()), set };
    match load_scene(path.to_str().expect("UTF-8"), &options) {
        Ok(loaded) => {
            // A valid scene must give a valid initial state.
            let scene = &loaded.scene;
            let count = |shape: &Shape| shape.count(scene.spacing(), scene.dimensions);
            let particles: f64 = scene.fluids.iter().map(|fluid| count(&fluid.shape)).sum();
            if particles < 2e5 {
                let setup = Setup::new(scene).expect("valid");
                let values = setup.position.iter().chain(&setup.velocity).flatten();
                assert!(values.into_iter().all(|value| value.is_finite()), "{scene:?}");
                assert!(!format!("{:?}", setup.params).contains("NaN"), "{scene:?}");
                assert!(!format!("{:?}", setup.params).contains("inf"), "{scene:?}");
            }
            None
        }
        Err(error) => Some(error.to_string()),
    }
}

/// A position in a text on a character boundary.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at % (text.len() + 1)).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Mutation of a text at a position.
fn mutate(text: &str, (kind, at, token): (u8, usize, usize)) -> String {
    let at = boundary(text, at);
    let (before, after) = text.split_at(at);
    let token = TOKENS[token % TOKENS.len()];
    // The word after the position.
    let is_break = |c: char| c.is_whitespace() || "[]{}(),=:".contains(c);
    let start = after.find(|c| !is_break(c)).unwrap_or(after.len());
    let length = after[start..].find(is_break).unwrap_or(after.len() - start);
    let (gap, word, rest) = (&after[..start], &after[start..][..length], &after[start + length..]);
    match kind % 5 {
        0 => before.to_owned(),
        1 => format!("{before}{gap}{token}{rest}"),
        2 => format!("{before}{gap}{rest}"),
        3 => format!("{before}{gap}{word} {word}{rest}"),
        _ => {
            let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
            format!("{before}{gap}{}{word}{}", &rest[..line], &rest[line..])
        }
    }
}

fn changes() -> impl Strategy<Value = Vec<(u8, usize, usize)>> {
    prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>()), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        load("toml", &bytes, Vec::new());
        load("json", &bytes, Vec::new());
    }

    #[test]
    fn mutated_toml(scene in 0..=SCENES.len(), changes in changes()) {
        let text = SCENES.get(scene).map_or(TOML, |scene| scene.text);
        let text = changes.into_iter().fold(text.to_owned(), |text, change| mutate(&text, change));
        if let Some(message) = load("toml", text.as_bytes(), Vec::new()) {
            prop_assert!(message.lines().all(|line| line.contains("scene.toml:")), "{message}");
        }
    }

    #[test]
    fn mutated_json(changes in changes()) {
        let text = changes.into_iter().fold(JSON.to_owned(), |text, change| mutate(&text, change));
        if let Some(message) = load("json", text.as_bytes(), Vec::new()) {
            prop_assert!(message.lines().all(|line| line.contains("scene.json:")), "{message}");
        }
    }

    #[test]
    fn random_overrides(
        key in "[a-z_]{0,8}([.\\[][a-z0-9_]{0,8}\\]?){0,4}",
        token in 0..TOKENS.len(),
        text in ".{0,20}",
    ) {
        load("toml", TOML.as_bytes(), vec![format!("{key}={}", TOKENS[token]), ]);
        load("toml", TOML.as_bytes(), vec![text]);
    }
}

#[test]
fn deep_nesting_is_refused() {
    let deep = "[".repeat(100_000);
    assert!(load("json", deep.as_bytes(), Vec::new()).is_some());
    assert!(load("toml", format!("a = {deep}").as_bytes(), Vec::new()).is_some());
    let keys = format!("a{} = 1", ".a".repeat(100_000));
    assert!(load("toml", keys.as_bytes(), Vec::new()).is_some());
    let tables = format!("[a{}]", ".a".repeat(100_000));
    assert!(load("toml", tables.as_bytes(), Vec::new()).is_some());
    let keys = ["a"; 79].join(".");
    let both = format!("{}1{}", format!("{{{keys} = ").repeat(78), "}".repeat(78));
    assert!(load("toml", format!("title = {both}").as_bytes(), Vec::new()).is_some());
    for levels in [12, 78] {
        let nested = format!("{}1{}", format!("{{{keys} = ").repeat(levels), "}".repeat(levels));
        assert!(load("toml", TOML.as_bytes(), vec![format!("title={nested}")]).is_some());
    }
    assert!(load("toml", TOML.as_bytes(), vec![format!("a={deep}")]).is_some());
    assert!(load("toml", TOML.as_bytes(), vec![format!("a{}=1", ".a".repeat(100_000))]).is_some());
}
