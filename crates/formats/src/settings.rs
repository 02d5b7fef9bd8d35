//! Values of methods' keys in TOML, in their own tables: `[wcsph]`, `[viscosity]`, …

use meniscus_methods::Registry;
use meniscus_model::Scene;
use meniscus_model::scene::{Problem, Settings, Value};
use toml::{Table, Value as Toml};

/// Removes the tables of methods from a scene's table.
pub(crate) fn take(table: &mut Table, registry: &Registry) -> Result<Settings, Problem> {
    let mut settings = Settings::default();
    for name in registry.tables() {
        match table.remove(name) {
            None => {}
            Some(Toml::Table(values)) => {
                for (key, value) in values {
                    settings.set(&format!("{name}.{key}"), from_toml(value));
                }
            }
            Some(other) => {
                let message = format!("must be a table, not {}", other.type_str());
                return Err(Problem::new(name, message));
            }
        }
    }
    Ok(settings)
}

/// Tables of methods.
pub(crate) fn tables(settings: &Settings) -> Table {
    let mut tables = Table::new();
    for (name, values) in settings.tables() {
        let values = values.iter().map(|(key, value)| (key.clone(), to_toml(value)));
        tables.insert(name.clone(), Toml::Table(values.collect()));
    }
    tables
}

/// The scene's settings with all constant defaults of its methods.
pub(crate) fn with_defaults(scene: &Scene, registry: &Registry) -> Settings {
    let mut settings = scene.settings.clone();
    for method in registry.choose(scene).iter().flat_map(|chosen| chosen.methods()) {
        for key in method.keys() {
            let path = format!("{}.{}", method.table(), key.name);
            let named = settings.get(&path).is_some();
            if let Some(value) = key.constant().filter(|_| !named) {
                settings.set(&path, value);
            }
        }
    }
    settings
}

fn from_toml(value: Toml) -> Value {
    match value {
        Toml::Boolean(value) => Value::Flag(value),
        Toml::Integer(value) => Value::Integer(value),
        Toml::Float(value) => Value::Number(value),
        Toml::String(value) => Value::Text(value),
        Toml::Array(values) => {
            let names = values.iter().map(|value| value.as_str().map(str::to_owned));
            names.collect::<Option<_>>().map_or(Value::Other("an array"), Value::Texts)
        }
        Toml::Table(_) => Value::Other("a table"),
        Toml::Datetime(_) => Value::Other("a date"),
    }
}

fn to_toml(value: &Value) -> Toml {
    match value {
        Value::Flag(value) => Toml::Boolean(*value),
        Value::Integer(value) => Toml::Integer(*value),
        Value::Number(value) => Toml::Float(*value),
        Value::Text(value) => Toml::String(value.clone()),
        Value::Texts(values) => Toml::Array(values.iter().cloned().map(Toml::String).collect()),
        // Never valid, and must not become valid by being written.
        Value::Other(kind) => Toml::String((*kind).to_owned()),
    }
}
