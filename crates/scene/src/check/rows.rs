//! Bounds of single keys, as they stand beside the fields ([`meniscus_geometry::bounds`]) and so in the JSON Schema.

use std::sync::LazyLock;

use meniscus_geometry::{
    Check,
    bounds::{ENDLESS, VECTOR},
    check::LARGEST,
};
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde_json::Value as Json;
use toml::Value;

use crate::Scene;

static SCENE: LazyLock<Schema> = LazyLock::new(|| schema_for!(Scene));

/// Reports the keys of a scene that are out of their bounds.
pub(super) fn scene(check: &mut Check, scene: &Scene) {
    Rows { root: SCENE.as_value(), check }.all("", scene);
}

/// Reports the keys of a part of a scene that are out of their bounds.
pub(super) fn part<T: Serialize + JsonSchema>(check: &mut Check, key: &str, part: &T) {
    let root = SCENE.as_value();
    let schema = &root["$defs"][&*T::schema_name()];
    if let Ok(value) = Value::try_from(part) {
        Rows { root, check }.walk(schema, key, &value);
    }
}

struct Rows<'a> {
    root: &'a Json,
    check: &'a mut Check,
}

impl Rows<'_> {
    fn all<T: Serialize + JsonSchema>(&mut self, path: &str, value: &T) {
        // What is no value of TOML cannot be read from a scene file either.
        if let Ok(value) = Value::try_from(value) {
            self.walk(self.root, path, &value);
        }
    }

    /// Checks a value and all below it.
    fn walk(&mut self, schema: &Json, path: &str, value: &Value) {
        let reference = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#'));
        if let Some(schema) = reference.and_then(|name| self.root.pointer(name)) {
            self.walk(schema, path, value);
        }
        let kinds = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema[key].as_array());
        kinds.flatten().for_each(|kind| self.walk(kind, path, value));
        match value {
            Value::Table(table) => {
                for (key, schema) in schema["properties"].as_object().into_iter().flatten() {
                    if let Some(value) = table.get(key) {
                        let dot = if path.is_empty() { "" } else { "." };
                        self.walk(schema, &format!("{path}{dot}{key}"), value);
                    }
                }
            }
            Value::Array(array) => {
                if let Some(rule) = schema[VECTOR].as_str() {
                    self.vector(rule, path, array);
                } else if let Some(schema) = schema.get("items") {
                    for (i, value) in array.iter().enumerate() {
                        self.walk(schema, &format!("{path}[{i}]"), value);
                    }
                }
            }
            Value::Float(number) if schema[ENDLESS].is_null() => self.number(schema, path, *number),
            Value::Integer(number) => self.number(schema, path, *number as f64),
            _ => {}
        }
    }

    fn number(&mut self, schema: &Json, path: &str, value: f64) {
        let kind = &schema["type"];
        let is_number = |kind: &Json| *kind == "number" || *kind == "integer";
        if !is_number(kind) && !kind.as_array().is_some_and(|kinds| kinds.iter().any(is_number)) {
            return;
        }
        let bound = |key: &str| schema[key].as_f64();
        let high = bound("maximum").unwrap_or(LARGEST);
        if let Some(choices) = schema["enum"].as_array() {
            if !choices.iter().any(|choice| choice.as_f64() == Some(value)) {
                let choices: Vec<_> = choices.iter().map(Json::to_string).collect();
                self.check.report(path, format!("must be {}, not {value}", choices.join(" or ")));
            }
        } else if bound("exclusiveMinimum").is_some() {
            if self.check.positive(path, value) && value > high {
                self.check.report(path, format!("must be at most {high}, not {value}"));
            }
        } else {
            self.check.within(path, value, bound("minimum").unwrap_or(-LARGEST), high);
        }
    }

    fn vector(&mut self, rule: &str, path: &str, array: &[Value]) {
        let number = |i: usize| array.get(i).and_then(Value::as_float).unwrap_or(0.0);
        let vector = [number(0), number(1), number(2)];
        match rule {
            "planar" => _ = self.check.planar(path, vector),
            "direction" => _ = self.check.direction(path, vector),
            "heading" => _ = self.check.planar(path, vector) && self.check.direction(path, vector),
            "axis" => self.check.spin(path, vector),
            _ if vector == [0.0; 3] => {}
            _ => self.check.spin(path, vector),
        }
    }
}
