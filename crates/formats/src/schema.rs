//! Documentation of native scenes.

use meniscus_methods::key::Default as KeyDefault;
use meniscus_methods::{Axis, Key, KeyKind, NONE, Registry};
use meniscus_model::Scene;
use serde_json::{Map, Value, json};

/// Native scene that explains every key (`crates/formats/scene.toml`).
pub const REFERENCE_SCENE: &str = include_str!("../scene.toml");

/// The JSON Schema of native scenes, for editors.
#[must_use]
pub fn scene_schema() -> String {
    // A schema is a JSON value, which always serialises.
    let mut schema = schemars::schema_for!(Scene).to_value();
    if let Some(parts) = schema.get_mut("$defs").and_then(Value::as_object_mut) {
        let spatial = ["Camera", "Color"];
        let parts = parts.iter_mut().filter(|(name, _)| !spatial.contains(&name.as_str()));
        parts.for_each(|(_, part)| planar(part));
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        let registry = Registry::standard();
        properties.iter_mut().for_each(|(_, value)| planar(value));
        properties.insert("solver".into(), solver(&registry));
        for name in registry.tables() {
            properties.insert(name.into(), table(name, &registry));
        }
        if let Some(own) =
            schema.pointer_mut("/$defs/Material/properties").and_then(Value::as_object_mut)
        {
            let models = registry.models().iter().map(|model| {
                json!({ "const": model.name, "description": format!("{}: {}.", model.source, model.help) })
            });
            own["model"] = json!({
                "description": "Model of the material point method; water if absent.",
                "oneOf": models.collect::<Vec<_>>(),
            });
            for key in registry.material_keys() {
                let mut value = described(key);
                // It depends on the model.
                value.as_object_mut().map(|value| value.remove("default"));
                own.insert(key.name.into(), value);
            }
        }
    }
    serde_json::to_string_pretty(&schema).unwrap_or_default()
}

/// Lets vectors have two components.
fn planar(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.get("minItems") == Some(&json!(3)) && map.get("maxItems") == Some(&json!(3)) {
                map.insert("minItems".into(), 2.into());
            }
            map.values_mut().for_each(planar);
        }
        Value::Array(array) => array.iter_mut().for_each(planar),
        _ => {}
    }
}

/// Names of the methods of an axis, each with its description.
fn methods(axis: Axis, registry: &Registry) -> Vec<Value> {
    let of = registry.of(axis);
    of.map(|m| json!({ "const": m.name, "description": format!("{}: {}.", m.source, m.help) }))
        .collect()
}

fn solver(registry: &Registry) -> Value {
    json!({
        "description": "The pressure solver.",
        "default": registry.of(Axis::Solver).find(|m| (m.default)(&Scene::default())).map(|m| m.name),
        "oneOf": methods(Axis::Solver, registry),
    })
}

/// Table of the keys of a method, or of all methods of an axis.
fn table(name: &str, registry: &Registry) -> Value {
    let mut properties = Map::new();
    let axis = Axis::TABLES.into_iter().find(|axis| axis.name() == name);
    if let Some(axis) = axis {
        let mut names = methods(axis, registry);
        names.push(json!({ "const": NONE, "description": "None of them." }));
        let one = json!({ "oneOf": names });
        let mut model = json!({
            "description": "Method, or several methods that act together.",
            "anyOf": [one, { "type": "array", "items": one }],
        });
        // The default model of tension depends on the materials.
        if axis == Axis::Viscosity {
            let default = registry.of(axis).filter(|m| (m.default)(&Scene::default()));
            model["default"] = default.map(|m| m.name).collect();
        }
        properties.insert("model".into(), model);
    }
    for (_, key) in registry.keys(name) {
        properties.insert(key.name.into(), described(key));
    }
    let description = match (axis, registry.of(Axis::Solver).find(|m| m.table() == name)) {
        (None, Some(method)) => format!("Keys of the solver {name:?} ({}).", method.source),
        _ => format!("Methods for {name}, and their keys."),
    };
    json!({
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": false,
    })
}

fn described(key: &Key) -> Value {
    let unit = if key.unit.is_empty() { String::new() } else { format!(" In {}.", key.unit) };
    let mut text = format!("{}{unit}", key.help);
    let mut value = match key.kind {
        KeyKind::Number { low, high, default } => {
            let mut value = json!({ "type": "number" });
            if low == Key::POSITIVE {
                value["exclusiveMinimum"] = 0.into();
            } else {
                value["minimum"] = low.into();
            }
            if high < Key::LARGEST {
                value["maximum"] = high.into();
            }
            match default {
                KeyDefault::Is(number) => value["default"] = number.into(),
                KeyDefault::By(_, means) => text += &format!(" {means} where absent."),
            }
            value
        }
        KeyKind::Integer { low, default } => {
            json!({ "type": "integer", "minimum": low, "default": default })
        }
        KeyKind::Numbers { count, low, high } => json!({
            "type": "array",
            "items": { "type": "number", "minimum": low, "maximum": high },
            "minItems": count,
            "maxItems": count,
        }),
        KeyKind::Flag { default } => json!({ "type": "boolean", "default": default }),
        KeyKind::Choice(choices) => {
            let names = choices.iter();
            let names = names.map(|(name, help)| json!({ "const": name, "description": help }));
            json!({ "oneOf": names.collect::<Vec<_>>(), "default": choices[0].0 })
        }
    };
    value["description"] = text.into();
    value
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::scene_toml::scene_from_toml;

    fn without(mark: &str) -> String {
        let lines = REFERENCE_SCENE.lines().filter(|line| !line.ends_with(mark));
        lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_reference_scene_can_be_simulated() {
        let scene = scene_from_toml("scene.toml", REFERENCE_SCENE).expect("valid");
        assert_eq!(meniscus_model::check::problems(&scene), []);
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
        // Every key that can be left out without effect must be marked as such.
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
