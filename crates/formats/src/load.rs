//! Loading a scene from a path or a bundled name.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use meniscus_methods::{Axis, Chosen, Registry};
use meniscus_model::scene::{MeshShape, Motion, Points, Polygon, Problem, ProblemKind, Shape};
use meniscus_model::{Scene, check, geometry::Length};

use crate::error::{Diagnostic, Error, place};
use crate::key_path::{related, toml_offset};
use crate::scene_toml::{scene_from_toml, scene_hash, scene_to_toml};
use crate::solids::{self, Files, PointSets};
use crate::splishsplash::{self, Import};
use crate::suggest::unknown;
use crate::write::write_whole;
use crate::{SCENES, doubts, overrides, panorama, scenes};

/// Changes to a scene from the command line.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Name of the solver, in place of the scene's own.
    pub solver: Option<String>,
    /// Overrides `key=value` with the keys of a native scene (`time.fps=30`,
    /// `material[0].viscosity=2`).
    pub set: Vec<String>,
}

/// A valid scene.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Loaded {
    /// The scene with overrides applied; it has no problems.
    pub scene: Scene,
    /// Warnings about an imported scene, one sentence each.
    pub warnings: Vec<String>,
    /// Path, or name of the bundled scene.
    pub source: String,
    /// [`scene_hash`](crate::scene_hash) of the scene.
    pub hash: u64,
}

impl Loaded {
    /// Places the particles of walls and bodies that are meshes, or reads them from the user's cache folder. A simulation
    /// does so too, but without the cache. It takes seconds for a million particles, so tell the warnings first.
    pub fn sample_meshes(&self) {
        solids::warm_up(&self.scene, &Registry::standard());
    }
}

/// Reads a scene. A `.json` file is a scene of `SPlisHSPlasH`, any other file native TOML; a name
/// without a file may be that of a bundled scene ([`SCENES`]).
///
/// # Errors
///
/// [`Error::Read`] if there is no such file, or if it is a directory or not UTF-8; [`Error::Input`]
/// with every problem of the scene or the options, each with its file, line and column.
pub fn load_scene(path_or_name: &str, options: &LoadOptions) -> Result<Loaded, Error> {
    load_text(path_or_name, &read(path_or_name)?, options)
}

/// Like [`load_scene`] with the text of the file, whose name `path_or_name` says which format it
/// has and where other files are.
///
/// # Errors
///
/// [`Error::Input`] with every problem of the scene or the options.
pub fn load_text(path_or_name: &str, text: &str, options: &LoadOptions) -> Result<Loaded, Error> {
    let registry = Registry::standard();
    let solver = options.solver.as_deref().map(|name| solver_of(name, &registry)).transpose()?;
    let source = Source::read(path_or_name, text, solver)?;
    let mut scene = source.scene().clone();
    let mut left_out = Vec::new();
    if let Some(solver) = solver {
        let keeps_radius = !options.set.iter().any(|set| sets(set, "particle_radius"));
        let was = registry.choose(&scene).ok().filter(|old| old.sph().is_some() && keeps_radius);
        scene.solver = solver.to_owned();
        leave_others(&mut scene, &registry);
        (scene, left_out) = overrides::leave_out(scene, &registry);
        left_out.extend(was.and_then(|old| coarser(&old, &scene, &registry)));
    }
    let scene = overrides::apply(scene, &options.set)?;
    let set = |path: &str| {
        let set = options.set.iter().rev().find(|set| sets(set, path))?;
        Some(format!("--set {set}"))
    };
    let mut loaded = source.finish(scene, &PointSets::new(), set)?;
    loaded.warnings.extend(left_out);
    Ok(loaded)
}

/// A scene file, as it was read.
#[derive(Debug)]
pub(crate) struct Source {
    path_or_name: String,
    text: String,
    origin: Origin,
}

impl Source {
    /// Reads a scene from the text of its file. `solver` replaces that of a file of another program.
    pub(crate) fn read(
        path_or_name: &str,
        text: &str,
        solver: Option<&str>,
    ) -> Result<Self, Error> {
        let is_json =
            Path::new(path_or_name).extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
        let origin = if is_json {
            Origin::Imported(splishsplash::import(path_or_name, text, solver)?)
        } else {
            Origin::Native(scene_from_toml(path_or_name, text)?)
        };
        Ok(Self { path_or_name: path_or_name.to_owned(), text: text.to_owned(), origin })
    }

    /// Name and text of the file.
    pub(crate) fn origin(&self) -> (&str, &str) {
        (&self.path_or_name, &self.text)
    }

    /// The scene as the file has it.
    pub(crate) fn scene(&self) -> &Scene {
        self.origin.scene()
    }

    /// Reads the files that a scene refers to, which comes from this one by changes, and checks it. `set` is the place of
    /// the change that set a key, for messages.
    pub(crate) fn finish(
        &self,
        mut scene: Scene,
        sets: &PointSets,
        set: impl Fn(&str) -> Option<String>,
    ) -> Result<Loaded, Error> {
        let Self { path_or_name, text, origin } = self;
        let registry = Registry::standard();
        let mut warnings = origin.warnings();
        let files = Files::of(path_or_name);
        let mut problems = solids::fill_in(&mut scene, &files, sets);
        if matches!(files, Files::Folder(_)) {
            warnings.extend(solids::sheets(&scene));
        }
        if problems.is_empty() {
            problems = check::problems(&scene);
        }
        if problems.is_empty() {
            problems = solids::crowds(&scene, &registry);
        }
        if let (Origin::Imported(_), true) = (origin, problems.iter().all(is_overlap)) {
            scene.allow_overlap |= !problems.is_empty();
            warnings.extend(problems.drain(..).map(|problem| problem.to_string()));
        }
        if !problems.is_empty() {
            let diagnose = |problem: &Problem| {
                let in_file = || place(path_or_name, text, origin.offset(text, &problem.path));
                let place = set(&problem.path).unwrap_or_else(in_file);
                Diagnostic { place, key: Some(problem.path.clone()), message: problem.to_string() }
            };
            let mut all: Vec<_> = problems.iter().map(diagnose).collect();
            if let Some(last) = all.last_mut() {
                doubts::sizes(&scene, &registry)
                    .iter()
                    .for_each(|note| last.message += &format!("; {note}"));
            }
            return Err(Error::Input(all));
        }
        // (Of the thickness of meshes, too, which have been read by now.)
        warnings.extend(registry.warnings(&scene));
        warnings.extend(doubts::of(&scene));
        warnings.extend(panorama::stretched(&scene));
        warnings.extend(doubts::sizes(&scene, &registry));
        let hash = scene_hash(&scene);
        Ok(Loaded { scene, warnings, source: path_or_name.clone(), hash })
    }
}

/// Note about a scene of SPH that a solver takes whose cells hold several particles.
fn coarser(old: &Chosen, scene: &Scene, registry: &Registry) -> Option<String> {
    let new = registry.choose(scene).ok().filter(|new| new.sph().is_none())?;
    new.family().has_particles.then(|| {
        format!(
            "{:?} has cells of {}, and splashes as fine as those of {:?} need half the radius: --set particle_radius={:?}",
            scene.solver,
            Length(new.length(scene)),
            old.solver().name,
            0.5 * scene.particle_radius
        )
    })
}

/// Removes keys of solvers of other families than the scene's, which another one has replaced, and what only SPH has.
fn leave_others(scene: &mut Scene, registry: &Registry) {
    let Ok(chosen) = registry.choose(scene) else { return };
    if chosen.sph().is_none() {
        (scene.kernel, scene.support_radius) = (None, None);
    }
    let others =
        registry.of(Axis::Solver).filter(|method| method.family() != Some(chosen.family()));
    let tables: BTreeSet<_> = others.map(|method| method.table()).collect();
    let paths: Vec<_> = scene.settings.iter().map(|(path, _)| path).collect();
    for path in paths {
        if path.split_once('.').is_some_and(|(table, _)| tables.contains(table)) {
            scene.settings.remove(&path);
        }
    }
}

/// The scene as a native file that works in any folder: files of meshes and particles have absolute
/// paths.
///
/// # Errors
///
/// [`Error::Read`] if the current folder is not known.
pub fn native_scene(loaded: &Loaded) -> Result<String, Error> {
    let folder = Path::new(&loaded.source).parent().unwrap_or(Path::new(""));
    let head = format!("# From {}.\n", loaded.source.replace(char::is_control, " "));
    Ok(head + &absolute_scene(&loaded.scene, folder)?)
}

/// The scene as native TOML with absolute paths of the files that it refers to, which are relative to a folder.
fn absolute_scene(scene: &Scene, folder: &Path) -> Result<String, Error> {
    let mut scene = scene.clone();
    let absolute = |file: &String| match std::path::absolute(folder.join(file)) {
        Ok(path) => Ok(path.display().to_string()),
        Err(source) => Err(Error::Read { path: file.clone(), source }),
    };
    for (_, shape) in scene.shapes_mut() {
        let (Shape::Mesh(MeshShape { file, .. })
        | Shape::Points(Points { file, .. })
        | Shape::Polygon(Polygon { file, .. })) = shape
        else {
            continue;
        };
        // A polygon may have its corners in the scene.
        if !file.is_empty() {
            *file = absolute(file)?;
        }
    }
    for (_, motion) in scene.motions_mut() {
        if let Motion::Table { file, .. } | Motion::Frames { files: file, .. } = motion {
            *file = absolute(file)?;
        }
    }
    for (_, table) in scene.flow_tables_mut() {
        table.file = absolute(&table.file)?;
    }
    if let Some(light) = scene.light.as_mut().filter(|light| !light.sky_image.is_empty()) {
        light.sky_image = absolute(&light.sky_image)?;
    }
    if let Some(initial) = &mut scene.initial {
        initial.file = absolute(&initial.file)?;
    }
    Ok(scene_to_toml(&scene))
}

/// Name of the file that [`keep_scene`] writes.
pub const KEPT_SCENE: &str = "run.toml";

/// First words of that file.
const KEPT: &str = "# The scene of the run that wrote the files in this folder, with the options of its command.\n";

/// Leaves the scene of a run beside its files, as [`KEPT_SCENE`], which works from any folder: meshes and particles of files
/// have absolute paths, bundled ones are written beside it. A file of that name that is something else stays; the result then
/// says so.
///
/// # Errors
/// [`Error::Read`], [`Error::Write`].
pub fn keep_scene(folder: &Path, loaded: &Loaded) -> Result<Option<String>, Error> {
    let path = folder.join(KEPT_SCENE);
    if path.exists() && !std::fs::read(&path).is_ok_and(|old| old.starts_with(KEPT.as_bytes())) {
        return Ok(Some(format!(
            "{} is something else and stays: `meniscus render {}` needs --scene",
            path.display(),
            folder.display()
        )));
    }
    let text = match Files::of(&loaded.source) {
        Files::Folder(own) => absolute_scene(&loaded.scene, &own)?,
        Files::Bundled => {
            for (_, shape) in loaded.scene.clone().shapes_mut() {
                if let Shape::Mesh(MeshShape { file, .. }) = shape
                    && let Some(bytes) = scenes::mesh_of(file)
                {
                    write_whole(&folder.join(&*file), |writer| writer.write_all(bytes))?;
                }
            }
            for file in solids::frame_files(&loaded.scene, &Files::Bundled) {
                if let Some(bytes) = scenes::mesh_of(&file) {
                    write_whole(&folder.join(&file), |writer| writer.write_all(bytes))?;
                }
            }
            scene_to_toml(&loaded.scene)
        }
    };
    write_whole(&path, |writer| {
        writer.write_all(KEPT.as_bytes())?;
        writer.write_all(text.as_bytes())
    })?;
    Ok(None)
}

/// Format of a scene file.
#[derive(Debug)]
enum Origin {
    Native(Scene),
    Imported(Import),
}

impl Origin {
    fn scene(&self) -> &Scene {
        match self {
            Self::Native(scene) => scene,
            Self::Imported(import) => &import.scene,
        }
    }

    fn warnings(&self) -> Vec<String> {
        match self {
            Self::Native(_) => Vec::new(),
            Self::Imported(import) => import.warnings.clone(),
        }
    }

    /// Place in the file of the native key `path`.
    fn offset(&self, text: &str, path: &str) -> usize {
        match self {
            Self::Native(_) => toml_offset(text, path),
            Self::Imported(import) => import.offset(text, path),
        }
    }
}

/// Whether a problem is that of particles on top of each other, which other programs let fly apart.
fn is_overlap(problem: &Problem) -> bool {
    problem.kind == ProblemKind::Overlap && problem.path.starts_with("fluid")
}

fn sets(set: &str, path: &str) -> bool {
    // Its value may be nested too deeply to be read.
    set.split_once('=').is_some_and(|(key, _)| related(key.trim(), path))
}

fn solver_of<'a>(name: &'a str, registry: &Registry) -> Result<&'a str, Error> {
    let known = registry.names(Axis::Solver);
    let message = || unknown("solver", name, &known);
    if known.contains(&name) {
        Ok(name)
    } else {
        Err(Error::input(format!("--solver {name}"), message()))
    }
}

pub(crate) fn read(path_or_name: &str) -> Result<String, Error> {
    let fail = |source: io::Error| Error::Read { path: path_or_name.to_owned(), source };
    let path = Path::new(path_or_name);
    // A folder with that name does not hide a bundled scene.
    if !path.is_file()
        && let Some(text) = scenes::text_of(path_or_name)
    {
        return Ok(text.to_owned());
    }
    if path.is_dir() {
        return Err(fail(io::Error::other("this is a directory, not a scene file")));
    }
    let bytes = std::fs::read(path).map_err(|error| match error.kind() {
        // (A browser has no files.)
        io::ErrorKind::NotFound | io::ErrorKind::Unsupported => {
            fail(io::Error::new(error.kind(), no_such_scene(path_or_name)))
        }
        _ => fail(error),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("byte {at} is not UTF-8 text");
        fail(io::Error::new(io::ErrorKind::InvalidData, message))
    })
}

fn no_such_scene(name: &str) -> String {
    let names: Vec<&str> = SCENES.iter().map(|scene| scene.name).collect();
    let is_name = !name.contains(['/', '\\', '.']);
    if is_name {
        format!("there is no such file; {}", unknown("bundled scene", name, &names))
    } else {
        "there is no such file".into()
    }
}
