//! `--set key=value`: single keys of a scene, set from the command line.

use meniscus_model::Scene;
use toml::{Table, Value};

use crate::error::Error;
use crate::key_path::{Step, steps};
use crate::suggest::explain;

/// Deeper than any key of a scene.
const DEEPEST: usize = 16;
/// Brackets, braces and dots that a value may have: each may nest it once more, and what is nested
/// much deeper than any key overflows the stack.
const MOST_NESTED: usize = 1000;

/// The scene with every override applied, in order. Keys are those of the native scene; values
/// are TOML, or else taken as strings.
pub(crate) fn apply(scene: Scene, overrides: &[String]) -> Result<Scene, Error> {
    if overrides.is_empty() {
        return Ok(scene);
    }
    let fail = |text: &str, message: String| Error::input(format!("--set {text}"), message);
    let mut table = Table::try_from(&scene).map_err(|error| fail("", error.to_string()))?;
    let mut culprit = None;
    for text in overrides {
        if text.matches(['[', '{', '.']).count() > MOST_NESTED {
            return Err(fail(text, "the value is too long".into()));
        }
        let (path, value) =
            key_value(text).ok_or_else(|| fail(text, "expected key=value".into()))?;
        set(&mut table, &steps(path), value).map_err(|message| fail(text, message))?;
        // Overrides may be valid only together, so that the verdict is the last one's; the blame
        // for a failure goes to the first that failed.
        let parsed = table.clone().try_into::<Scene>();
        culprit = parsed
            .err()
            .map(|error| culprit.unwrap_or_else(|| fail(text, explain(error.message()))));
    }
    match culprit {
        Some(error) => Err(error),
        None => table.try_into().map_err(|error| fail("", explain(error.message()))),
    }
}

/// The key path and the value of `key=value`.
pub(crate) fn key_value(text: &str) -> Option<(&str, Value)> {
    let (path, value) = text.split_once('=')?;
    let value = value.trim();
    let parsed = value.parse().unwrap_or_else(|_| Value::String(value.to_owned()));
    (!steps(path).is_empty()).then_some((path.trim(), parsed))
}

/// Sets the value at a path; tables on the way are made where they do not exist yet.
fn set(table: &mut Table, path: &[Step], value: Value) -> Result<(), String> {
    if path.len() > DEEPEST {
        return Err("no key is as deep as that".into());
    }
    let Some((first, rest)) = path.split_first() else { return Err("expected a key".into()) };
    let Step::Key(key) = first else { return Err("expected a key before the index".into()) };
    let mut slot = table.entry(key.as_str()).or_insert_with(|| Value::Table(Table::new()));
    for step in rest {
        slot = match (step, slot) {
            (Step::Key(key), Value::Table(table)) => {
                table.entry(key.as_str()).or_insert_with(|| Value::Table(Table::new()))
            }
            (Step::Index(index), Value::Array(array)) => {
                let length = array.len();
                array
                    .get_mut(*index)
                    .ok_or_else(|| format!("there is no element {index}: there are {length}"))?
            }
            (Step::Key(key), _) => return Err(format!("`{key}` is not within a table")),
            (Step::Index(index), _) => return Err(format!("element {index} is not in an array")),
        };
    }
    *slot = value;
    Ok(())
}
