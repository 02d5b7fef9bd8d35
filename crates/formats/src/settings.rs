//! Values of methods' keys in TOML, in their own tables: `[wcsph]`, `[viscosity]`, …

use std::collections::BTreeMap;

use meniscus_methods::{Axis, Registry};
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
                if let Some(switch) = Axis::switch(name) {
                    settings.set(switch, true);
                }
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

/// Values of the keys of models by material.
pub(crate) type MaterialKeys = Vec<BTreeMap<String, Value>>;

/// Removes the keys of models of material points from a scene's materials.
pub(crate) fn take_materials(table: &mut Table, registry: &Registry) -> MaterialKeys {
    let materials = table.get_mut("material").and_then(Toml::as_array_mut);
    let own = |material: &mut Toml| {
        let mut keys = BTreeMap::new();
        for key in registry.material_keys() {
            if let Some(value) = material.as_table_mut().and_then(|table| table.remove(key.name)) {
                keys.insert(key.name.to_owned(), from_toml(value));
            }
        }
        keys
    };
    materials.map(|all| all.iter_mut().map(own).collect()).unwrap_or_default()
}

/// Gives the materials of a scene these keys, and the rest density of their model where `names_density` says that they
/// name none.
pub(crate) fn give_materials(
    scene: &mut Scene,
    keys: MaterialKeys,
    registry: &Registry,
    names_density: impl Fn(usize) -> bool,
) {
    for (number, (material, keys)) in scene.materials.iter_mut().zip(keys).enumerate() {
        material.keys = keys;
        let model = material.model.as_ref().and_then(|_| registry.model(material).ok());
        if let Some(model) = model.filter(|_| !names_density(number)) {
            material.rest_density = model.rest_density;
        }
    }
}

/// A scene as a table, with the tables of methods and the keys of models.
pub(crate) fn whole(scene: &Scene) -> Result<Table, toml::ser::Error> {
    let mut table = Table::try_from(scene)?;
    let materials = table.get_mut("material").and_then(Toml::as_array_mut);
    for (own, material) in materials.into_iter().flatten().zip(&scene.materials) {
        let keys = material.keys.iter().map(|(key, value)| (key.clone(), to_toml(value)));
        own.as_table_mut().into_iter().for_each(|own| own.extend(keys.clone()));
    }
    Ok(table)
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
            let number = |value: &Toml| value.as_float().or(value.as_integer().map(|n| n as f64));
            let numbers = || values.iter().map(number).collect::<Option<_>>().map(Value::Numbers);
            let texts = names.collect::<Option<_>>().map(Value::Texts);
            texts.or_else(numbers).unwrap_or(Value::Other("an array"))
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
        Value::Numbers(values) => Toml::Array(values.iter().copied().map(Toml::Float).collect()),
        // Never valid, and must not become valid by being written.
        Value::Other(kind) => Toml::String((*kind).to_owned()),
    }
}
