//! JSON objects that record which of their keys were read.

use std::collections::BTreeSet;

use meniscus_model::scene::{Problem, Vec3};
use serde_json::{Map, Value};

/// A JSON object with its path in the file.
pub(super) struct Object<'a> {
    path: String,
    map: &'a Map<String, Value>,
    read: BTreeSet<String>,
}

impl<'a> Object<'a> {
    pub(super) fn new(path: impl Into<String>, value: &'a Value) -> Result<Self, Problem> {
        let path = path.into();
        match value {
            Value::Object(map) => Ok(Self { path, map, read: BTreeSet::new() }),
            other => Err(wrong(&path, "an object", other)),
        }
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// Path of one of its keys.
    pub(super) fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Value of a key, without marking it as read.
    pub(super) fn peek(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key)
    }

    pub(super) fn missing(&self, key: &str) -> Problem {
        Problem::new(self.path.clone(), format!("`{key}` is missing"))
    }

    pub(super) fn number(&mut self, key: &str) -> Result<Option<f64>, Problem> {
        self.read(key, "a number", Value::as_f64)
    }

    /// `true` or `false`; older scenes use a number, 0 or not.
    pub(super) fn boolean(&mut self, key: &str) -> Result<Option<bool>, Problem> {
        let boolean =
            |value: &Value| value.as_bool().or(value.as_f64().map(|number| number != 0.0));
        self.read(key, "true or false", boolean)
    }

    pub(super) fn string(&mut self, key: &str) -> Result<Option<&'a str>, Problem> {
        self.read(key, "a string", Value::as_str)
    }

    pub(super) fn vector(&mut self, key: &str) -> Result<Option<Vec3>, Problem> {
        self.read(key, "three numbers", |value| {
            let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
            numbers?.try_into().ok()
        })
    }

    pub(super) fn object(&mut self, key: &str) -> Result<Option<Object<'a>>, Problem> {
        let value = self.read(key, "an object", Some)?;
        value.map(|value| Object::new(self.key(key), value)).transpose()
    }

    /// Object of a key, which does not count as read by this; `None` if it is absent.
    pub(super) fn nested(&self, key: &str) -> Result<Option<Object<'a>>, Problem> {
        self.peek(key).map(|value| Object::new(self.key(key), value)).transpose()
    }

    /// Objects of an array; none if it is absent.
    pub(super) fn objects(&mut self, key: &str) -> Result<Vec<Object<'a>>, Problem> {
        let array = self.read(key, "an array", Value::as_array)?;
        let path = |i| format!("{}[{i}]", self.key(key));
        array
            .into_iter()
            .flatten()
            .enumerate()
            .map(|(i, value)| Object::new(path(i), value))
            .collect()
    }

    /// Adds the paths of unread keys to `unread`.
    pub(super) fn finish(self, unread: &mut Vec<String>) {
        let rest = self.map.keys().filter(|key| !self.read.contains(*key));
        unread.extend(rest.map(|key| self.key(key)));
    }

    fn read<T>(
        &mut self,
        key: &str,
        expected: &str,
        convert: impl Fn(&'a Value) -> Option<T>,
    ) -> Result<Option<T>, Problem> {
        self.read.insert(key.to_owned());
        let Some(value) = self.map.get(key) else { return Ok(None) };
        convert(value).map(Some).ok_or_else(|| wrong(&self.key(key), expected, value))
    }
}

fn wrong(path: &str, expected: &str, found: &Value) -> Problem {
    let mut found = found.to_string();
    if found.chars().count() > 40 {
        found = found.chars().take(40).chain(['…']).collect();
    }
    let path = if path.is_empty() { "the scene" } else { path };
    Problem::new(path, format!("expected {expected}, found {found}"))
}
