//! Native scenes in TOML.

use meniscus_methods::Registry;
use meniscus_model::Scene;
use meniscus_model::scene::{Keyframe, Motion, Shape};
use serde::Deserialize;
use toml::de::{DeTable, DeValue, Deserializer};
use toml::{Table, Value};

use crate::error::{Error, place};
use crate::key_path::toml_offset;
use crate::planar;
use crate::settings;
use crate::suggest::explain;

/// Parses a native scene. `file` is its name in errors. Only the form is checked here;
/// [`problems`](meniscus_model::check::problems) checks the values.
///
/// # Errors
///
/// [`Error::Input`] for invalid TOML, an unknown key, or a value of the wrong type.
pub fn scene_from_toml(file: &str, text: &str) -> Result<Scene, Error> {
    scene_with_methods(file, text, &Registry::standard())
}

/// Like [`scene_from_toml`], with these methods.
///
/// # Errors
///
/// As [`scene_from_toml`].
pub fn scene_with_methods(file: &str, text: &str, registry: &Registry) -> Result<Scene, Error> {
    if text.trim().is_empty() {
        let message = "the file is empty: a scene needs a [[material]] and a [[fluid]]";
        return Err(Error::input(place(file, text, 0), message));
    }
    scene_of(text, registry)
        .map_err(|(offset, message)| Error::input(place(file, text, offset), message))
}

/// Parses a native scene; an error is its byte offset and message.
///
/// Every scene passes through this text form, also one with overrides: each other form that a scene is read from, a
/// plain table as well, would compile the code of all its types once more.
pub(crate) fn scene_of(text: &str, registry: &Registry) -> Result<Scene, (usize, String)> {
    let tables = registry.tables();
    let fail = |error: toml::de::Error| {
        let offset = error.span().map_or(0, |span| span.start);
        (offset, explain(error.message(), &tables))
    };
    // The other values keep their places in the text.
    let mut root = DeTable::parse(text).map_err(fail)?;
    for name in &tables {
        root.get_mut().remove(*name);
    }
    let materials = root.get_mut().get_mut("material").map(|value| value.get_mut());
    if let Some(DeValue::Array(materials)) = materials {
        for material in materials.iter_mut() {
            if let DeValue::Table(own) = material.get_mut() {
                registry.material_keys().for_each(|key| drop(own.remove(key.name)));
            }
        }
    }
    planar::complete(&mut root);
    complete_camera(&mut root);
    let mut scene = Scene::deserialize(Deserializer::from(root)).map_err(fail)?;
    // Text nested too deeply for a plain table was rejected above.
    let mut plain: Table = text.parse().map_err(fail)?;
    scene.settings = settings::take(&mut plain, registry)
        .map_err(|problem| (toml_offset(text, &problem.path), problem.to_string()))?;
    let keys = settings::take_materials(&mut plain, registry);
    let named = |number: usize| plain.get("material")?.get(number)?.get("rest_density");
    settings::give_materials(&mut scene, keys, registry, |number| named(number).is_some());
    let own = Table::try_from(&scene).unwrap_or_default();
    if let Some((path, [found, taken])) = longer(&plain, &own, "") {
        let message = format!("{path}: expected {taken} components, not {found}");
        return Err((toml_offset(text, &path), message));
    }
    registry.simplify(&mut scene);
    Ok(scene)
}

/// A camera with keys begins at the first, unless it says more.
fn complete_camera(root: &mut toml::Spanned<DeTable<'_>>) {
    let Some(DeValue::Table(camera)) =
        root.get_mut().get_mut("camera").map(|value| value.get_mut())
    else {
        return;
    };
    let first = |names: &[&str]| {
        let key = camera.get("key")?.get_ref().as_array()?.first()?.get_ref().as_table()?;
        names.iter().find_map(|name| key.get(*name)).cloned()
    };
    let found = [("eye", first(&["eye", "position"])), ("target", first(&["target"]))];
    for (name, value) in found {
        if let (false, Some(value)) = (camera.contains_key(name), value) {
            camera.insert(toml::Spanned::new(value.span(), name.into()), value);
        }
    }
}

/// Path of an array with more elements than the scene took of it, and both numbers: serde reads the first three of four.
fn longer(found: &Table, taken: &Table, path: &str) -> Option<(String, [usize; 2])> {
    found.iter().find_map(|(key, value)| {
        let dot = if path.is_empty() { "" } else { "." };
        longer_value(value, taken.get(key)?, format!("{path}{dot}{key}"))
    })
}

fn longer_value(found: &Value, taken: &Value, path: String) -> Option<(String, [usize; 2])> {
    match (found, taken) {
        (Value::Table(found), Value::Table(taken)) => longer(found, taken, &path),
        (Value::Array(found), Value::Array(taken)) if found.len() > taken.len() => {
            Some((path, [found.len(), taken.len()]))
        }
        (Value::Array(found), Value::Array(taken)) => {
            let mut pairs = found.iter().zip(taken).enumerate();
            pairs.find_map(|(i, (found, taken))| longer_value(found, taken, format!("{path}[{i}]")))
        }
        _ => None,
    }
}

/// The scene in its native form, with all defaults written out.
#[must_use]
pub fn scene_to_toml(scene: &Scene) -> String {
    // A scene has only strings, numbers, arrays and tables, which TOML can represent.
    let own = settings::whole(scene).and_then(|table| toml::to_string(&table)).unwrap_or_default();
    let settings = settings::with_defaults(scene, &Registry::standard());
    own + "\n" + &toml::to_string(&settings::tables(&settings)).unwrap_or_default()
}

/// Hash of everything that affects a scene's results: a checkpoint can only be resumed by a scene
/// with the same hash. The title, the end time and what only pictures show do not count.
#[must_use]
pub fn scene_hash(scene: &Scene) -> u64 {
    let mut scene = scene.clone();
    scene.title = String::new();
    scene.time.until = 0.0;
    scene.camera = None;
    scene.light = None;
    scene.probes.clear();
    scene.materials.iter_mut().for_each(|material| material.color = None);
    let mut bytes = scene_to_toml(&scene).into_bytes();
    for (_, shape) in scene.shapes_mut() {
        // Hash a file's content, not its path.
        let points = match &*shape {
            Shape::Points(points) => points.content.get().map(|points| &points[..]),
            shape => shape.mesh().map(|solid| solid.mesh().positions()),
        };
        let numbers = points.into_iter().flatten().chain(shape.velocities()).flatten();
        bytes.extend(numbers.flat_map(|x| x.to_bits().to_le_bytes()));
    }
    for (_, table) in scene.flow_tables_mut() {
        let rows = table.rows.get().into_iter().flat_map(|rows| rows.iter().flatten());
        bytes.extend(rows.flat_map(|x| x.to_bits().to_le_bytes()));
    }
    for (_, motion) in scene.motions_mut() {
        if let Motion::Table { rows, .. } = motion {
            let rows = rows.get().into_iter().flat_map(|rows| rows.iter());
            let numbers = rows.flat_map(|Keyframe { time, position: [x, y, z], angle }| {
                [*time, *x, *y, *z, *angle]
            });
            bytes.extend(numbers.flat_map(|x| x.to_bits().to_le_bytes()));
        }
        if let Motion::Frames { poses, .. } = motion {
            let numbers = poses.get().into_iter().flat_map(|poses| poses.coordinates());
            bytes.extend(numbers.flat_map(|x| x.to_bits().to_le_bytes()));
        }
    }
    // FNV-1a, which is the same in every version of Rust.
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_with_too_many_components_are_refused_at_their_line() {
        let text = "[[material]]\nname = \"w\"\n[[fluid]]\nshape.box = { min = [0, 0, 0], max = [1, 1, 1, 5] }\n";
        let error = scene_from_toml("a.toml", text).expect_err("four").to_string();
        let expected = "fluid[0].shape.box.max: expected 3 components, not 4";
        assert!(error.starts_with("a.toml:4:") && error.ends_with(expected), "{error}");
        let error = scene_from_toml("a.toml", "title = \"\"\ngravity = [0, 1, 2, 3]\n");
        let error = error.expect_err("four").to_string();
        assert_eq!(error, "a.toml:2:11: gravity: expected 3 components, not 4");
    }
}
