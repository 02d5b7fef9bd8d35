//! Documentation of native scenes.

use meniscus_methods::key::Default as KeyDefault;
use meniscus_methods::{Axis, Key, KeyKind, NONE, Registry};
use meniscus_model::Scene;
use serde_json::{Map, Value, json};

/// The JSON Schema of native scenes, for editors.
#[must_use]
pub fn scene_schema() -> String {
    // A schema is a JSON value, which always serialises.
    serde_json::to_string_pretty(&schema()).unwrap_or_default()
}

/// The JSON Schema of native scenes.
pub(crate) fn schema() -> Value {
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
    schema
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
    // Percent stand in the sentence.
    let has_unit = !matches!(key.unit, "" | "%");
    let unit = if has_unit { format!(" In {}.", key.unit) } else { String::new() };
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
    use super::*;

    #[test]
    fn every_key_is_explained() {
        fn walk(path: &str, value: &Value) {
            for (key, part) in value["properties"].as_object().into_iter().flatten() {
                // The kinds of a part have their meanings beside their keys.
                let means = [part, value].iter().any(|value| value["description"].is_string());
                assert!(means || part["$ref"].is_string(), "{path}.{key} has no description");
            }
            match value {
                Value::Object(map) => {
                    map.iter().for_each(|(key, value)| walk(&format!("{path}.{key}"), value));
                }
                Value::Array(array) => array.iter().for_each(|value| walk(path, value)),
                _ => {}
            }
        }
        walk("", &schema());
    }

    #[test]
    fn a_key_has_its_bounds_default_and_meaning_in_the_list() {
        let keys = crate::scene_keys();
        for line in [
            "- `particle_radius`: number, above 0, default `0.0125`. Half the particle spacing",
            "- `suction`: number, 0 to 1000000. Largest suction in Pa",
            "- `gamma`: number, 1 to 20, default `7.0`. γ in p = B((ρ/ρ0)^γ − 1)",
            "## `[[camera.key]]`",
            "    - `radius`: number, above 0, required. Radius in m.",
        ] {
            assert!(keys.contains(line), "{line:?} is not in\n{keys}");
        }
    }
}
