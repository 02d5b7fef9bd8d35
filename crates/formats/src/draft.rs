//! Scenes that a program changes key by key.

use std::collections::BTreeMap;
use std::sync::Arc;

use meniscus_methods::Registry;
use meniscus_model::scene::check;
use meniscus_model::{Scene, Setup};
use toml::{Table, Value};

use crate::error::Error;
use crate::key_path::{Step, related, steps};
use crate::load::{Loaded, Source, read};
use crate::overrides;
use crate::scene_toml::{scene_of, scene_to_toml};
use crate::settings;
use crate::solids::{self, PointSet, PointSets};
use crate::suggest::unknown;

/// A scene that a program changes key by key. Each change is checked as far as it can be by itself; [`Draft::finish`] reads
/// files and checks the whole. Files of particles may be arrays of the program instead.
#[derive(Clone, Debug)]
pub struct Draft {
    source: Arc<Source>,
    scene: Scene,
    /// Keys set by the program; all of them are if there is no file.
    set: Vec<String>,
    has_file: bool,
    points: PointSets,
}

impl Draft {
    /// An empty scene; its files are relative to the current folder.
    ///
    /// # Errors
    /// None: the empty scene is a sound text.
    pub fn new() -> Result<Self, Error> {
        Ok(Self { has_file: false, ..Self::of_text("", "# Nothing yet.")? })
    }

    /// The scene of a file, or the bundled one of that name: as [`load_scene`](crate::load_scene), but not checked yet.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::Input`].
    pub fn read(path_or_name: &str) -> Result<Self, Error> {
        Self::of_text(path_or_name, &read(path_or_name)?)
    }

    /// The scene of this text. `path_or_name` names it in messages, and says where its files are.
    ///
    /// # Errors
    /// [`Error::Input`].
    pub fn of_text(path_or_name: &str, text: &str) -> Result<Self, Error> {
        let source = Source::read(path_or_name, text, None)?;
        let scene = source.scene().clone();
        let (source, set, points) = (Arc::new(source), Vec::new(), BTreeMap::new());
        Ok(Self { source, scene, set, has_file: true, points })
    }

    /// The scene as it is, without the content of its files.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The scene in its native form.
    #[must_use]
    pub fn to_toml(&self) -> String {
        scene_to_toml(&self.scene)
    }

    /// Value of a key by its path, as in `fluid[0].shape.box.max`, or `material.water.viscosity`; defaults are values, too.
    ///
    /// # Errors
    /// A message if there is no such key, or nothing set it and it has no constant default.
    pub fn get(&self, path: &str) -> Result<Value, String> {
        let mut table = settings::whole(&self.scene).map_err(|error| error.to_string())?;
        let own = settings::with_defaults(&self.scene, &Registry::standard());
        table.extend(settings::tables(&own));
        let steps = steps(path);
        if let Some(value) = overrides::get(&table, &steps) {
            return Ok(value.clone());
        }
        match path.rsplit_once('.') {
            Some((material, "viscosity")) => self.used_viscosity(&table, material),
            _ => None,
        }
        .ok_or_else(|| missing(&table, path))
    }

    /// Viscosity in Pa s of a material that gives none, by the method; none of a scene that is not complete.
    fn used_viscosity(&self, table: &Table, path: &str) -> Option<Value> {
        let name = overrides::get(table, &steps(path))?.get("name")?.as_str()?;
        let number = self.scene.material_index(Some(name))?;
        overrides::get(table, &steps(&format!("material[{number}]")))?;
        let setup = Setup::new(&self.finish().ok()?.scene).ok()?;
        Some(Value::Float(setup.params.materials.get(number)?.viscosity.into()))
    }

    /// Sets a key by its path, as [`Draft::get`] names it. The number after the last of a list adds an element.
    ///
    /// # Errors
    /// [`Error::Input`] if the scene has no such key, or the value cannot be one of it; the scene is unchanged then.
    pub fn set(&mut self, path: &str, value: Value) -> Result<(), Error> {
        let mut scene = overrides::change(&self.scene, path, value)
            .map_err(|(key, message)| problem(path, key, message))?;
        for (_, shape) in scene.shapes_mut() {
            solids::read_corners(shape);
        }
        let registry = Registry::standard();
        let support_radius = match registry.choose(&scene) {
            Ok(chosen) => chosen.support_radius(&scene),
            Err(_) => scene.support_radius.unwrap_or(4.0 * scene.particle_radius),
        };
        let mut problems = registry.problems(&scene);
        problems.extend(check::values(&scene, support_radius));
        // Files are read later, and what else misses may still come.
        let own = |of: &str| {
            steps(of).len() >= steps(path).len() && related(of, path) && !of.ends_with(".file")
        };
        if let Some(found) = problems.into_iter().find(|problem| own(&problem.path)) {
            return Err(problem(path, found.path.clone(), found.to_string()));
        }
        self.scene = scene;
        self.set.retain(|known| known != path);
        self.set.push(path.to_owned());
        Ok(())
    }

    /// Makes the particles of an array those of the file of this name.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn set_points(&mut self, name: &str, set: PointSet) -> Result<(), String> {
        if let Some(problem) = set.problem() {
            return Err(problem);
        }
        self.points.insert(name.to_owned(), Arc::new(set));
        Ok(())
    }

    /// All of it as plain values, from which [`Draft::from_parts`] makes it again.
    ///
    /// # Errors
    /// [`Error::Input`] if the scene cannot be written as a text.
    pub fn to_parts(&self) -> Result<DraftParts, Error> {
        let fail = |error: &dyn std::fmt::Display| Error::input(String::new(), error.to_string());
        let mut table = settings::whole(&self.scene).map_err(|error| fail(&error))?;
        table.extend(settings::tables(&self.scene.settings));
        let (name, text) = self.source.origin();
        Ok(DraftParts {
            name: name.to_owned(),
            text: text.to_owned(),
            scene: table.to_string(),
            set: self.set.clone(),
            has_file: self.has_file,
            points: self
                .points
                .iter()
                .map(|(name, set)| (name.clone(), PointSet::clone(set)))
                .collect(),
        })
    }

    /// The scene of [`Draft::to_parts`].
    ///
    /// # Errors
    /// [`Error::Input`] if they are not its.
    pub fn from_parts(parts: DraftParts) -> Result<Self, Error> {
        let DraftParts { name, text, scene, set, has_file, points } = parts;
        let mut draft = Self { has_file, set, ..Self::of_text(&name, &text)? };
        let read = scene_of(&scene, &Registry::standard());
        draft.scene = read.map_err(|(_, message)| Error::input(name, message))?;
        for (name, set) in points {
            draft.set_points(&name, set).map_err(|message| Error::input(name, message))?;
        }
        for (_, shape) in draft.scene.shapes_mut() {
            solids::read_corners(shape);
        }
        Ok(draft)
    }

    /// The whole scene with the content of its files, checked.
    ///
    /// # Errors
    /// [`Error::Input`] with every problem: at its line of the file, or named by the key that the program set.
    pub fn finish(&self) -> Result<Loaded, Error> {
        let set = |path: &str| {
            let own = self.set.iter().rev().find(|key| related(key, path)).cloned();
            own.or_else(|| (!self.has_file).then(|| path.to_owned()))
        };
        self.source.finish(self.scene.clone(), &self.points, set)
    }
}

/// What a [`Draft`] consists of, to send it to another process.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct DraftParts {
    /// Path or name of its file.
    pub name: String,
    /// Text of its file.
    pub text: String,
    /// The scene as it is, in TOML.
    pub scene: String,
    /// Keys that the program has set.
    pub set: Vec<String>,
    /// Whether there is a file.
    pub has_file: bool,
    /// Particles in place of files, by their names.
    pub points: Vec<(String, PointSet)>,
}

fn problem(place: &str, key: String, message: String) -> Error {
    let (place, key) = (place.to_owned(), Some(key));
    Error::Input(vec![crate::Diagnostic { place, key, message }])
}

/// Message for a path without a value: what the last part that is there has instead.
fn missing(table: &Table, path: &str) -> String {
    let steps = steps(path);
    let there = |count: &usize| overrides::get(table, &steps[..*count]).is_some();
    let count = (1..steps.len()).rev().find(there).unwrap_or(0);
    let Some(step) = steps.get(count) else { return "expected a key".into() };
    let parent = match overrides::get(table, &steps[..count]) {
        None => table,
        Some(Value::Table(parent)) => parent,
        Some(Value::Array(array)) => {
            return match step {
                Step::Index(at) => {
                    format!("there is no element {at}; the array has {}", array.len())
                }
                Step::Key(name) => format!("there is no element named `{name}`"),
            };
        }
        Some(_) => return format!("the value at {path:?} has no keys"),
    };
    match step {
        Step::Key(key) => {
            unknown("key", key, &parent.keys().map(String::as_str).collect::<Vec<_>>())
        }
        Step::Index(_) => "expected a key before the index".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_set_and_read_by_their_paths() {
        let mut draft = Draft::read("dam_break").expect("bundled");
        draft.set("time.cfl", Value::Float(0.5)).expect("a key");
        draft.set("material.water.viscosity", Value::Float(2.0)).expect("a key");
        assert_eq!(draft.get("time.cfl"), Ok(Value::Float(0.5)));
        // What is used where the scene gives none, as the simulation has it.
        let text = "particle_radius = 0.05\nsolver = \"wcsph\"\nmaterial = [{ name = \"water\" }]\n\
                    fluid = [{ shape.box = { min = [0, 0, 0], max = [1, 1, 1] } }]";
        let plain = Draft::of_text("scene.toml", text).expect("sound");
        let setup = Setup::new(&plain.finish().expect("sound").scene).expect("sound");
        let used = Value::Float(setup.params.materials[0].viscosity.into());
        assert!(used.as_float().is_some_and(|viscosity| viscosity > 1.0), "{used}");
        assert_eq!(plain.get("material.water.viscosity"), Ok(used.clone()));
        assert_eq!(plain.get("material[0].viscosity"), Ok(used));
        assert!(plain.get("fluid[0].viscosity").is_err());
        assert_eq!(draft.get("material[0].viscosity"), Ok(Value::Float(2.0)));
        let end = draft.finish().expect("sound").scene;
        assert_eq!((end.time.cfl, end.materials[0].viscosity), (0.5, Some(2.0)));
        let error = draft.get("time.clf").expect_err("no key");
        assert_eq!(error, "unknown key `clf`; did you mean `cfl`?");
        assert!(draft.get("fluid[9].shape").is_err_and(|error| error.contains("no element 9")));
    }

    #[test]
    fn a_wrong_change_names_its_key_and_changes_nothing() {
        let mut draft = Draft::read("dam_break").expect("bundled");
        let before = draft.to_toml();
        for (key, value) in [
            ("time.clf", Value::Integer(1)),
            ("particle_radius", Value::Float(-1.0)),
            ("particle_radius", Value::Float(f64::NAN)),
            ("fluid[3]", Value::Table(Table::new())),
            ("fluid[1]", Value::Table(Table::new())),
        ] {
            let error = draft.set(key, value).expect_err(key);
            assert!(error.to_string().starts_with(key), "{error}");
            assert_eq!(draft.to_toml(), before);
        }
    }

    #[test]
    fn the_number_after_the_last_adds_an_element() {
        let mut draft = Draft::new().expect("empty");
        let water = Table::from_iter([("name".to_owned(), Value::String("water".into()))]);
        draft.set("material[0]", Value::Table(water)).expect("the first");
        let points = "[shape.points]\nfile = \"drop\"".parse().expect("TOML");
        draft.set("fluid[0]", Value::Table(points)).expect("the first");
        let set = PointSet {
            positions: vec![[0.0; 3], [0.1, 0.0, 0.0]],
            velocities: vec![[0.0, 1.0, 0.0], [2.0, 0.0, 0.0]],
        };
        draft.set_points("drop", set.clone()).expect("sound");
        let loaded = draft.finish().expect("sound");
        assert_eq!(loaded.scene.fluids[0].shape.velocities(), set.velocities);
        let setup = Setup::new(&loaded.scene).expect("sound");
        assert_eq!(setup.velocity, [[0.0, 1.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0]]);
        // Other velocities are another scene, which no checkpoint of this one goes on.
        let still = PointSet { velocities: Vec::new(), ..set };
        draft.set_points("drop", still).expect("sound");
        assert_ne!(draft.finish().expect("sound").hash, loaded.hash);
    }

    #[test]
    fn particles_that_are_no_numbers_are_refused() {
        let mut draft = Draft::new().expect("empty");
        let of = |positions: &[[f64; 3]], velocities: &[[f64; 3]]| PointSet {
            positions: positions.to_vec(),
            velocities: velocities.to_vec(),
        };
        for (set, expected) in [
            (of(&[], &[]), "no particles"),
            (of(&[[f64::NAN; 3]], &[]), "invalid position"),
            (of(&[[0.0; 3]], &[[f64::INFINITY; 3]]), "invalid velocity"),
            (of(&[[0.0; 3]], &[[0.0; 3]; 2]), "2 velocities of 1 particles"),
        ] {
            let error = draft.set_points("a", set).expect_err(expected);
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_scene_without_a_file_has_no_lines() {
        let Error::Input(all) = Draft::new().and_then(|one| one.finish()).expect_err("empty")
        else {
            panic!("not input")
        };
        assert!(all.iter().all(|one| one.line().is_none() && Some(&one.place) == one.key.as_ref()));
    }

    #[test]
    fn problems_of_files_keep_their_line_and_those_of_changes_their_key() {
        let text = "particle_radius = 0.05\n[[material]]\nname = \"w\"\nrest_density = -1.0\n";
        let mut draft = Draft::of_text("a.toml", text).expect("TOML");
        let Error::Input(all) = draft.finish().expect_err("negative") else { panic!("not input") };
        let found = all.iter().find(|one| one.key.as_deref() == Some("material[0].rest_density"));
        let found = found.expect("a problem of the density");
        assert_eq!((found.line(), found.place.as_str()), (Some(4), "a.toml:4:16"));
        draft.set("title", Value::String("other".into())).expect("a key");
        draft.set("material[0].rest_density", Value::Float(1000.0)).expect("a key");
        let Error::Input(all) = draft.finish().expect_err("no fluid") else { panic!("not input") };
        assert!(all.iter().all(|one| one.key.as_deref() != Some("material[0].rest_density")));
    }
}
