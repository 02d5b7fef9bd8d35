//! `--set key=value`: setting single keys of a scene from the command line.

use meniscus_methods::Registry;
use meniscus_model::Scene;
use toml::{Table, Value};

use crate::error::Error;
use crate::key_path::{Step, related, steps, toml_path};
use crate::scene_toml::scene_of;
use crate::settings;

/// Depth limit of a key path, deeper than any key of a scene.
const DEEPEST: usize = 16;
/// First words of a problem with a key that does not belong to the solver.
const LEAVE_OUT: &str = "must be left out";
/// Rounds in which keys are left out.
const MOST_ROUNDS: usize = 8;
/// Limit on the number of brackets, braces and dots in a value: each may add a level of nesting,
/// and very deep nesting overflows the parser's stack.
const MOST_NESTED: usize = 1000;

/// The scene with all overrides applied in order. Keys are those of the native scene; a value is
/// TOML, or else a string, and without a value the key is removed.
pub(crate) fn apply(scene: Scene, overrides: &[String]) -> Result<Scene, Error> {
    if overrides.is_empty() {
        return Ok(scene);
    }
    let fail = |text: &str, message: String| Error::input(format!("--set {text}"), message);
    let registry = Registry::standard();
    let mut table = settings::whole(&scene).map_err(|error| fail("", error.to_string()))?;
    table.extend(settings::tables(&scene.settings));
    let mut culprit = None;
    for text in overrides {
        if text.matches(['[', '{', '.']).count() > MOST_NESTED {
            return Err(fail(text, "the value is too long".into()));
        }
        let (path, value) =
            key_value(text).ok_or_else(|| fail(text, "expected key=value".into()))?;
        let changed = match value {
            Some(value) => set(&mut table, &steps(path), value),
            None => remove(&mut table, &steps(path)),
        };
        changed.map_err(|message| fail(text, message))?;
        // Overrides may be valid only together, so only the final scene must be valid. An error
        // names the first override that failed.
        let parsed = scene_of(&table.to_string(), &registry);
        culprit = parsed.err().map(|(_, message)| culprit.unwrap_or_else(|| fail(text, message)));
    }
    match culprit {
        Some(error) => Err(error),
        None => scene_of(&table.to_string(), &registry).map_err(|(_, message)| fail("", message)),
    }
}

/// The scene without the keys that its solver, which is not the one that it was written for, asks to leave out; a warning for
/// each. Elements of arrays, as fluids and bodies are, stay.
pub(crate) fn leave_out(mut scene: Scene, registry: &Registry) -> (Scene, Vec<String>) {
    let mut warnings = Vec::new();
    // Each round removes a key at least, and one that is gone may ask for no other.
    for _ in 0..MOST_ROUNDS {
        let problems = registry.problems(&scene);
        let keys = problems
            .iter()
            .filter(|it| it.message.starts_with(LEAVE_OUT) && !it.path.ends_with(']'));
        let keys: Vec<_> = keys.collect();
        let Ok(mut table) = settings::whole(&scene) else { break };
        table.extend(settings::tables(&scene.settings));
        let gone = keys.iter().filter(|problem| remove(&mut table, &steps(&problem.path)).is_ok());
        let gone: Vec<_> =
            gone.map(|it| format!("left out for {:?}: {it}", scene.solver)).collect();
        let Ok(without) = scene_of(&table.to_string(), registry) else { break };
        if gone.is_empty() {
            break;
        }
        scene = without;
        warnings.extend(gone);
    }
    (scene, warnings)
}

/// Key path and value of `key=value`; no value in `key=`, which removes the key.
fn key_value(text: &str) -> Option<(&str, Option<Value>)> {
    let (path, value) = text.split_once('=')?;
    let value = value.trim();
    let parsed = value.parse().unwrap_or_else(|_| Value::String(value.to_owned()));
    (!steps(path).is_empty()).then_some((path.trim(), (!value.is_empty()).then_some(parsed)))
}

/// The scene with the value of one key changed; or the key that cannot be, and why.
pub(crate) fn change(scene: &Scene, path: &str, value: Value) -> Result<Scene, (String, String)> {
    let here = |message| (path.to_owned(), message);
    let mut table = settings::whole(scene).map_err(|error| here(error.to_string()))?;
    table.extend(settings::tables(&scene.settings));
    set(&mut table, &steps(path), value).map_err(here)?;
    let text = table.to_string();
    scene_of(&text, &Registry::standard()).map_err(|(offset, message)| {
        let message = message.replace(
            "invalid type: map, expected a sequence",
            "expected a list, as in [{ … }], not a table",
        );
        let found = toml_path(&text, offset);
        match steps(&found).len() > steps(path).len() && related(&found, path) {
            // What is wrong is within the value.
            true if message.starts_with(&found) => (found, message),
            true => (found.clone(), format!("{found}: {message}")),
            false => here(message),
        }
    })
}

/// The value at a path.
pub(crate) fn get<'a>(table: &'a Table, path: &[Step]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let Step::Key(key) = first else { return None };
    let mut value = table.get(key)?;
    for step in rest {
        value = match (step, value) {
            (Step::Key(key), Value::Table(table)) => table.get(key)?,
            (Step::Index(index), Value::Array(array)) => array.get(*index)?,
            (Step::Key(key), Value::Array(array)) => array.iter().find(|e| name(e) == Some(key))?,
            _ => return None,
        };
    }
    Some(value)
}

/// Name of an element of an array.
fn name(element: &Value) -> Option<&str> {
    element.get("name")?.as_str()
}

/// Removes the value at a path.
fn remove(table: &mut Table, path: &[Step]) -> Result<(), String> {
    let (last, parents) = path.split_last().ok_or("expected a key")?;
    let missing = || "there is no such key to remove".to_owned();
    let gone = match (parents.is_empty(), last) {
        (true, Step::Key(key)) => table.remove(key),
        (true, Step::Index(_)) => None,
        (false, last) => match (find(table, parents), last) {
            (Some(Value::Table(table)), Step::Key(key)) => table.remove(key),
            (Some(Value::Array(array)), Step::Index(index)) if *index < array.len() => {
                Some(array.remove(*index))
            }
            _ => None,
        },
    };
    gone.map(|_| ()).ok_or_else(missing)?;
    // A table that says which of several things is meant, as a response, may not be empty.
    let is_empty =
        find(table, parents).is_some_and(|parent| parent.as_table().is_some_and(Table::is_empty));
    if is_empty { remove(table, parents) } else { Ok(()) }
}

/// The value at a path, to change it.
fn find<'a>(table: &'a mut Table, path: &[Step]) -> Option<&'a mut Value> {
    let (first, rest) = path.split_first()?;
    let Step::Key(key) = first else { return None };
    let mut value = table.get_mut(key)?;
    for step in rest {
        value = match (step, value) {
            (Step::Key(key), Value::Table(table)) => table.get_mut(key)?,
            (Step::Index(index), Value::Array(array)) => array.get_mut(*index)?,
            (Step::Key(key), Value::Array(array)) => {
                array.iter_mut().find(|e| name(e) == Some(key))?
            }
            _ => return None,
        };
    }
    Some(value)
}

/// Sets the value at a path, and creates missing tables; the number after the last of an array adds an element.
pub(crate) fn set(table: &mut Table, path: &[Step], value: Value) -> Result<(), String> {
    if path.len() > DEEPEST {
        return Err("the key is nested too deeply".into());
    }
    let Some((first, rest)) = path.split_first() else { return Err("expected a key".into()) };
    let Step::Key(key) = first else { return Err("expected a key before the index".into()) };
    let mut slot = table.entry(key.as_str()).or_insert_with(|| Value::Table(Table::new()));
    for (number, step) in rest.iter().enumerate() {
        slot = match (step, slot) {
            (Step::Key(key), Value::Table(table)) => {
                table.entry(key.as_str()).or_insert_with(|| Value::Table(Table::new()))
            }
            (Step::Index(index), Value::Array(array)) => {
                let length = array.len();
                if *index == length && number + 1 == rest.len() {
                    array.push(value);
                    return Ok(());
                }
                array
                    .get_mut(*index)
                    .ok_or_else(|| format!("there is no element {index}; the array has {length}"))?
            }
            // A name in place of a number, as in material.water.viscosity.
            (Step::Key(key), Value::Array(array)) => {
                let names: Vec<_> = array.iter().filter_map(name).collect();
                let all = if names.is_empty() {
                    "its elements have numbers, as in [0]".to_owned()
                } else {
                    format!("there are {}, and numbers, as in [0]", names.join(", "))
                };
                let found = array.iter_mut().find(|element| name(element) == Some(key));
                found.ok_or_else(|| format!("there is no element named `{key}`: {all}"))?
            }
            (Step::Key(key), _) => return Err(format!("`{key}` is not within a table")),
            (Step::Index(index), _) => {
                return Err(format!("index {index} is used on a value that is not an array"));
            }
        };
    }
    *slot = value;
    Ok(())
}
