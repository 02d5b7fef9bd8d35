//! Scenes that a program changes key by key.

use std::collections::BTreeMap;
use std::sync::Arc;

use meniscus_methods::Registry;
use meniscus_model::Scene;
use meniscus_model::scene::check;
use toml::{Table, Value};

use crate::error::Error;
use crate::key_path::{related, steps};
use crate::load::{Loaded, Source, read};
use crate::overrides;
use crate::scene_toml::scene_to_toml;
use crate::settings;
use crate::solids::{PointSet, PointSets};
use crate::suggest::unknown;

/// A scene that a program changes key by key. Each change is checked as far as it can be by itself; [`Draft::finish`] reads
/// files and checks the whole. Files of particles may be arrays of the program instead.
#[derive(Clone, Debug)]
pub struct Draft {
    source: Arc<Source>,
    scene: Scene,
    /// Keys set by the program.
    set: Vec<String>,
    points: PointSets,
}

impl Draft {
    /// An empty scene; its files are relative to the current folder.
    ///
    /// # Errors
    /// None: the empty scene is a sound text.
    pub fn new() -> Result<Self, Error> {
        Self::of_text("a scene of a program", "# Nothing yet.")
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
        Ok(Self { source: Arc::new(source), scene, set: Vec::new(), points: BTreeMap::new() })
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
        match overrides::get(&table, &steps) {
            Some(value) => Ok(value.clone()),
            None => Err(missing(&table, path)),
        }
    }

    /// Sets a key by its path, as [`Draft::get`] names it. The number after the last of a list adds an element.
    ///
    /// # Errors
    /// [`Error::Input`] if the scene has no such key, or the value cannot be one of it; the scene is unchanged then.
    pub fn set(&mut self, path: &str, value: Value) -> Result<(), Error> {
        let scene = overrides::change(&self.scene, path, value)
            .map_err(|message| problem(path, path.to_owned(), message))?;
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

    /// The whole scene with the content of its files, checked.
    ///
    /// # Errors
    /// [`Error::Input`] with every problem: at its line of the file, or named by the key that the program set.
    pub fn finish(&self) -> Result<Loaded, Error> {
        let set = |path: &str| self.set.iter().rev().find(|key| related(key, path)).cloned();
        self.source.finish(self.scene.clone(), &self.points, set)
    }
}

fn problem(place: &str, key: String, message: String) -> Error {
    let (place, key) = (place.to_owned(), Some(key));
    Error::Input(vec![crate::Diagnostic { place, key, message }])
}

/// Message for a path without a value: the nearest names of the table in which it would be.
fn missing(table: &Table, path: &str) -> String {
    let steps = steps(path);
    let found = (0..steps.len()).rev().find_map(|count| match count {
        0 => Some((0, table)),
        count => Some((count, overrides::get(table, &steps[..count])?.as_table()?)),
    });
    let (count, parent) = found.unwrap_or((0, table));
    let names: Vec<_> = parent.keys().map(String::as_str).collect();
    match steps.get(count) {
        Some(crate::key_path::Step::Key(key)) => unknown("key", key, &names),
        Some(crate::key_path::Step::Index(index)) => format!("there is no element {index}"),
        None => "expected a key".into(),
    }
}
