//! Documentation of native scenes.

use meniscus_model::Scene;

/// Native scene that explains every key (`crates/formats/scene.toml`).
pub const REFERENCE_SCENE: &str = include_str!("../scene.toml");

/// The JSON Schema of native scenes, for editors.
#[must_use]
pub fn scene_schema() -> String {
    // A schema is a JSON value, which always serialises.
    serde_json::to_string_pretty(&schemars::schema_for!(Scene)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::scene_toml::scene_from_toml;

    fn without(mark: &str) -> String {
        let lines = REFERENCE_SCENE.lines().filter(|line| !line.ends_with(mark));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_schema_beside_the_reference_scene_is_up_to_date() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/scene.schema.json");
        let written = std::fs::read_to_string(file).expect("the schema");
        let now = scene_schema() + "\n";
        assert!(written == now, "run `cargo run --release -p tools -- schema`");
    }

    #[test]
    fn the_reference_scene_can_be_simulated() {
        let scene = scene_from_toml("scene.toml", REFERENCE_SCENE).expect("valid");
        assert_eq!(meniscus_model::check::problems(&scene), []);
        assert_eq!(meniscus_model::scene::overlaps(&scene), []);
    }

    #[test]
    fn what_it_calls_a_default_is_one() {
        let scene = scene_from_toml("scene.toml", REFERENCE_SCENE).expect("valid");
        let shorter = without("# default");
        assert!(shorter.lines().count() + 18 < REFERENCE_SCENE.lines().count());
        assert_eq!(scene_from_toml("scene.toml", &shorter).expect("valid"), scene);
    }

    #[test]
    fn every_default_of_the_code_is_called_one() {
        // Every key that may be left out without an effect must be marked as such.
        let scene = scene_from_toml("scene.toml", REFERENCE_SCENE).expect("valid");
        let lines: Vec<&str> = REFERENCE_SCENE.lines().collect();
        for (i, line) in lines.iter().enumerate() {
            let is_key = line.contains(" = ") && !line.starts_with('#');
            if is_key && !line.ends_with("# default") {
                let rest = lines.iter().enumerate().filter(|(other, _)| *other != i);
                let rest = rest.map(|(_, line)| *line).collect::<Vec<_>>().join("\n");
                let same = scene_from_toml("scene.toml", &rest).is_ok_and(|other| other == scene);
                assert!(!same, "{line:?} is a default");
            }
        }
    }

    #[test]
    fn keys_that_are_absent_by_default_are_right() {
        let all = REFERENCE_SCENE.replace("#? ", "");
        assert_ne!(all, REFERENCE_SCENE);
        // A body has either a density or a mass.
        let all = all.replace("\ndensity = 600.0\n", "\n");
        let scene = scene_from_toml("scene.toml", &all).expect("valid");
        assert_eq!(meniscus_model::check::problems(&scene), []);
    }

    #[test]
    fn every_key_of_the_schema_is_explained() {
        let schema: Value = serde_json::from_str(&scene_schema()).expect("JSON");
        let mut keys = BTreeSet::new();
        collect(&schema, &mut keys);
        assert!(keys.len() > 40, "{keys:?}");
        for key in keys {
            let patterns =
                [format!("{key} = "), format!("[{key}]"), format!("\n{key}."), format!(".{key} ")];
            let found = patterns.iter().any(|pattern| REFERENCE_SCENE.contains(pattern));
            assert!(found, "{key} is not in crates/formats/scene.toml");
        }
    }

    fn collect(value: &Value, keys: &mut BTreeSet<String>) {
        if let Some(properties) = value.get("properties").and_then(Value::as_object) {
            keys.extend(properties.keys().cloned());
        }
        match value {
            Value::Object(map) => map.values().for_each(|value| collect(value, keys)),
            Value::Array(array) => array.iter().for_each(|value| collect(value, keys)),
            _ => {}
        }
    }
}
