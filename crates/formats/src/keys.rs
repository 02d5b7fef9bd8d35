//! Every key of a scene, explained: the JSON Schema as text.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use meniscus_model::scene::bounds::VECTOR;
use serde_json::{Map, Value};

use crate::schema::schema;

/// Every key of a native scene in Markdown, table by table: type, bounds, default, meaning.
#[must_use]
pub fn scene_keys() -> String {
    let root = schema();
    let mut keys = Keys { root: &root, told: BTreeSet::new(), text: String::new() };
    keys.table("", &root);
    keys.text
}

struct Keys<'a> {
    root: &'a Value,
    /// Names of the kinds of parts that have been explained.
    told: BTreeSet<&'a str>,
    text: String,
}

impl<'a> Keys<'a> {
    /// What a schema is, without a reference, an absence or a list around it, and the name of that kind.
    fn kind(&self, schema: &'a Value) -> (&'a Value, Option<&'a str>) {
        if let Some(name) = schema["$ref"].as_str() {
            let definition = name.strip_prefix('#').and_then(|name| self.root.pointer(name));
            return (definition.unwrap_or(schema), Some(name));
        }
        let any = schema["anyOf"].as_array().into_iter().flatten();
        let mut any = any.filter(|kind| kind["type"] != "null");
        match (any.next(), any.next()) {
            (Some(one), None) => self.kind(one),
            _ => (schema, None),
        }
    }

    /// A table of the scene: its own keys, then the tables in it.
    fn table(&mut self, path: &str, schema: &'a Value) {
        let mut tables = Vec::new();
        for (key, value) in properties(schema) {
            let (kind, _) = self.kind(value);
            let (item, _) = self.kind(&kind["items"]);
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            if path == *key && is_table(kind) {
                tables.push((path.clone(), format!("[{path}]"), value, kind));
            } else if is_table(item) || path == *key && is_choice(item) {
                tables.push((path.clone(), format!("[[{path}]]"), value, item));
            } else {
                self.key(0, key, value, is_required(schema, key));
            }
        }
        for (path, title, value, kind) in tables {
            let text = text(value).or_else(|| text(kind)).unwrap_or_default();
            let _ = write!(self.text, "\n## `{title}`\n\n{text}\n\n");
            match is_choice(kind) {
                true => self.choices(0, kind),
                false => self.table(&path, kind),
            }
        }
    }

    /// A key, and what is in it.
    fn key(&mut self, depth: usize, name: &str, schema: &'a Value, required: bool) {
        let (kind, reference) = self.kind(schema);
        let (item, of) = self.kind(&kind["items"]);
        let mut facts = self.facts(schema, kind);
        match &schema["default"] {
            _ if required => facts.push("required".to_owned()),
            Value::Null => {}
            default => facts.push(format!("default `{default}`")),
        }
        let indent = "  ".repeat(depth);
        let meaning = text(schema).or_else(|| text(kind)).unwrap_or_default();
        let _ = writeln!(self.text, "{indent}- `{name}`: {}. {meaning}", facts.join(", "));
        let (part, part_name) = if item.is_null() { (kind, reference) } else { (item, of) };
        if part_name.is_some_and(|part| !self.told.insert(part)) {
            return;
        }
        if is_choice(part) {
            self.choices(depth + 1, part);
        } else if is_table(part) {
            for (key, value) in properties(part) {
                self.key(depth + 1, key, value, is_required(part, key));
            }
        }
        for one in
            part["oneOf"].as_array().into_iter().flatten().filter(|one| one["const"].is_string())
        {
            let _ = writeln!(
                self.text,
                "{indent}  - `{}`: {}",
                one["const"],
                text(one).unwrap_or_default()
            );
        }
    }

    /// The kinds of a part of which exactly one is given.
    fn choices(&mut self, depth: usize, part: &'a Value) {
        for kind in part["oneOf"].as_array().into_iter().flatten() {
            for (name, value) in properties(kind) {
                let (fields, _) = self.kind(value);
                let meaning = text(kind).or_else(|| text(fields)).unwrap_or_default();
                let _ = writeln!(self.text, "{}- `{name}`: {meaning}", "  ".repeat(depth));
                for (key, value) in properties(fields) {
                    self.key(depth + 1, key, value, is_required(fields, key));
                }
            }
        }
    }

    /// Type and bounds.
    fn facts(&self, schema: &Value, kind: &'a Value) -> Vec<String> {
        let (item, of) = self.kind(&kind["items"]);
        let types = [&kind["type"], &kind["type"][0], &kind["anyOf"][0]["type"]];
        let what = match types.into_iter().find_map(Value::as_str) {
            Some("boolean") => "true or false",
            Some("string") => "text",
            Some("integer") => "whole number",
            Some("number") => "number",
            Some("array") if kind["maxItems"] == 3 && item["type"] == "number" => "vector",
            Some("array") if of.is_some() => "list of tables",
            Some("array") => "list",
            _ if is_choice(kind) => "one of",
            _ if kind["oneOf"].is_array() => "text",
            _ if is_table(kind) => "table",
            _ => "any of",
        };
        let bounds = [schema, kind, item].into_iter().find_map(bounds);
        let rule = match schema[VECTOR].as_str() {
            Some("direction" | "heading" | "axis") => Some("not 0".to_owned()),
            _ => None,
        };
        [Some(what.to_owned()), bounds, rule].into_iter().flatten().collect()
    }
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flat_map(Map::iter)
}

fn is_table(schema: &Value) -> bool {
    schema["properties"].is_object()
}

/// Whether it is a part of which exactly one kind is given, each by a key of its own.
fn is_choice(schema: &Value) -> bool {
    schema["oneOf"][0]["properties"].is_object()
}

fn is_required(schema: &Value, key: &str) -> bool {
    schema["required"].as_array().is_some_and(|all| all.iter().any(|name| name == key))
}

/// Description, without the breaks of its lines.
fn text(schema: &Value) -> Option<String> {
    schema["description"].as_str().map(|text| text.replace('\n', " "))
}

fn bounds(schema: &Value) -> Option<String> {
    if let Some(choices) = schema["enum"].as_array() {
        return Some(choices.iter().map(Value::to_string).collect::<Vec<_>>().join(" or "));
    }
    let [low, above, high] =
        ["minimum", "exclusiveMinimum", "maximum"].map(|key| schema[key].as_f64());
    match (low, above, high) {
        (_, Some(above), Some(high)) => Some(format!("above {above}, at most {high}")),
        (_, Some(above), None) => Some(format!("above {above}")),
        (Some(low), None, Some(high)) => Some(format!("{low} to {high}")),
        (Some(low), None, None) => Some(format!("{low} or more")),
        (None, None, Some(high)) => Some(format!("at most {high}")),
        (None, None, None) => None,
    }
}
