//! Values of the methods' keys in a scene. The methods define which keys there are
//! (`meniscus_methods::Registry`).

use std::collections::BTreeMap;

/// A value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Flag(bool),
    /// A whole number.
    Integer(i64),
    /// A number.
    Number(f64),
    /// A name.
    Text(String),
    /// Several names.
    Texts(Vec<String>),
    /// Several numbers.
    Numbers(Vec<f64>),
    /// Type of a value that no key accepts, in words.
    Other(&'static str),
}

impl Value {
    /// The value as a number, if it is one, whole or not.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Flag(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<Vec<f64>> for Value {
    fn from(values: Vec<f64>) -> Self {
        Self::Numbers(values)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

/// Tables of values by key, by the name of the table: `[wcsph]` with `gamma = 7`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    tables: BTreeMap<String, BTreeMap<String, Value>>,
}

impl Settings {
    /// Value at `path`, as in `wcsph.gamma`, if the scene sets it.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&Value> {
        let (table, key) = path.split_once('.')?;
        self.tables.get(table)?.get(key)
    }

    /// Sets the value at `path`, as in `wcsph.gamma`.
    pub fn set(&mut self, path: &str, value: impl Into<Value>) {
        let (table, key) = path.split_once('.').unwrap_or((path, ""));
        self.tables.entry(table.to_owned()).or_default().insert(key.to_owned(), value.into());
    }

    /// Removes the value at `path`.
    pub fn remove(&mut self, path: &str) {
        if let Some((table, key)) = path.split_once('.')
            && let Some(values) = self.tables.get_mut(table)
        {
            values.remove(key);
            if values.is_empty() {
                self.tables.remove(table);
            }
        }
    }

    /// All values with their paths.
    pub fn iter(&self) -> impl Iterator<Item = (String, &Value)> {
        self.tables.iter().flat_map(|(table, values)| {
            values.iter().map(move |(key, value)| (format!("{table}.{key}"), value))
        })
    }

    /// The tables by name.
    #[must_use]
    pub fn tables(&self) -> &BTreeMap<String, BTreeMap<String, Value>> {
        &self.tables
    }
}
