//! Scenes of `SPlisHSPlasH` (JSON): fluid blocks and a box wall.
//!
//! What has no counterpart here yet and would change the physics is an error; whatever else is not
//! understood is named in a warning.

mod object;
mod offset;

use std::path::Path;

use meniscus_model::scene::{Boundary, Fluid, Material, Problem, Shape, Side, Solver, Vec3};
use meniscus_model::{Scene, Setup};
use serde_json::Value;

use self::object::Object;
use crate::error::{Error, place};

/// What `simulationMethod` counts.
const METHODS: [&str; 7] = ["wcsph", "pcisph", "pbf", "iisph", "dfsph", "pf", "icsph"];
/// The method where a scene names none.
const DEFAULT_METHOD: f64 = 4.0;
/// `SPlisHSPlasH`'s default for “Standard viscosity”, in m²/s.
const DEFAULT_VISCOSITY: f64 = 0.01;
/// The id of fluids that name none.
const DEFAULT_ID: &str = "Fluid";
/// Parts of a scene that would change it much, and that nothing here reads yet.
const UNSUPPORTED: [&str; 3] = ["FluidModels", "Emitters", "AnimationFields"];

/// A scene as far as it was understood.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) scene: Scene,
    pub(crate) warnings: Vec<String>,
    /// Native keys with the keys of the file that they come from.
    origins: Vec<(String, String)>,
}

impl Import {
    /// Where in the file the native key `path` comes from.
    pub(crate) fn offset(&self, text: &str, path: &str) -> usize {
        let origins = self.origins.iter().filter(|(native, _)| path.starts_with(native));
        let nearest = origins.max_by_key(|(native, _)| native.len());
        nearest.map_or(0, |(_, imported)| offset::of(text, imported))
    }
}

/// Converts a scene. `file` is its path: meshes are looked for from there. `solver` replaces the
/// scene's own.
pub(crate) fn import(file: &str, text: &str, solver: Option<Solver>) -> Result<Import, Error> {
    if text.trim().is_empty() {
        return Err(Error::input(place(file, text, 0), "the file is empty: expected a JSON scene"));
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line").map_or(&*message, |(message, _)| message);
        Error::input(format!("{file}:{}:{}", error.line(), error.column().max(1)), message)
    })?;
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    convert(&value, folder, solver).map_err(|problem| {
        Error::input(place(file, text, offset::of(text, &problem.path)), problem.to_string())
    })
}

/// What fails says at which key of the file.
type Found<T> = Result<T, Problem>;

fn convert(value: &Value, folder: &Path, solver: Option<Solver>) -> Found<Import> {
    let mut unread = Vec::new();
    let mut root = Object::new("", value)?;
    for key in UNSUPPORTED {
        if !root.objects(key)?.is_empty() {
            return Err(Problem::new(key, "is not supported yet"));
        }
    }
    let mut scene = Scene::default();
    let mut origins = Vec::new();
    if let Some(configuration) = root.object("Configuration")? {
        configure(&mut scene, configuration, solver, &mut unread)?;
    } else if solver.is_none() {
        return Err(no_solver("Configuration.simulationMethod", DEFAULT_METHOD));
    }
    for (i, object) in root.objects("Materials")?.into_iter().enumerate() {
        origins.push((format!("material[{i}]"), object.path().to_owned()));
        scene.materials.push(material(object, &mut unread)?);
    }
    for (i, object) in root.objects("RigidBodies")?.into_iter().enumerate() {
        origins.push((format!("boundary[{i}]"), object.path().to_owned()));
        scene.boundaries.push(wall(object, folder, &mut unread)?);
    }
    for (i, object) in root.objects("FluidBlocks")?.into_iter().enumerate() {
        origins.push((format!("fluid[{i}]"), object.path().to_owned()));
        let (fluid, id) = block(object, scene.particle_radius, &mut unread)?;
        if scene.material_index(Some(&id)).is_none() {
            scene.materials.push(water(&id));
        }
        scene.fluids.push(fluid);
    }
    root.finish(&mut unread);
    origins.extend(NAMES.map(|(native, imported)| (native.to_owned(), imported.to_owned())));
    let warnings = (!unread.is_empty()).then(|| {
        format!("these keys have no counterpart here and are ignored: {}", unread.join(", "))
    });
    let mut warnings: Vec<_> = warnings.into_iter().collect();
    if scene.solver == Solver::Muller {
        warnings.extend(thicken(&mut scene));
    }
    Ok(Import { scene, warnings, origins })
}

/// Müller's forces do not conserve energy: a fluid thinner than the artificial viscosity of its
/// resolution heats up. Scenes made for implicit solvers get that viscosity instead, and a warning.
fn thicken(scene: &mut Scene) -> Vec<String> {
    let Ok(setup) = Setup::new(scene) else { return Vec::new() };
    let mut warnings = Vec::new();
    for (i, material) in scene.materials.iter_mut().enumerate() {
        let least = setup.artificial_viscosity * material.rest_density;
        if let Some(named) = material.viscosity.filter(|named| *named < least) {
            material.viscosity = None;
            warnings.push(format!(
                "solver muller needs more viscosity at this resolution: {least:.3} Pa·s in place of \
                 {named} (--set material[{i}].viscosity={named} insists)"
            ));
        }
    }
    warnings
}

/// Where single keys come from.
const NAMES: [(&str, &str); 10] = [
    ("particle_radius", "Configuration.particleRadius"),
    ("gravity", "Configuration.gravitation"),
    ("dimensions", "Configuration.sim2D"),
    ("time.step", "Configuration.timeStepSize"),
    ("time.max_step", "Configuration.cflMaxTimeStepSize"),
    ("time.cfl", "Configuration.cflFactor"),
    ("time.fps", "Configuration.dataExportFPS"),
    ("time.until", "Configuration.stopAt"),
    ("fluid", "FluidBlocks"),
    ("material", "Materials"),
];

fn configure(
    scene: &mut Scene,
    mut object: Object<'_>,
    solver: Option<Solver>,
    unread: &mut Vec<String>,
) -> Found<()> {
    let method = object.number("simulationMethod")?.unwrap_or(DEFAULT_METHOD);
    let own = METHODS.iter().enumerate().find(|(number, _)| *number as f64 == method);
    let own = own.and_then(|(_, name)| Solver::ALL.iter().find(|(known, _)| known == name));
    scene.solver = solver
        .or(own.map(|(_, solver)| *solver))
        .ok_or_else(|| no_solver("Configuration.simulationMethod", method))?;
    scene.particle_radius = object.number("particleRadius")?.unwrap_or(0.025);
    scene.gravity = object.vector("gravitation")?.unwrap_or(scene.gravity);
    if object.boolean("sim2D")?.unwrap_or(false) {
        scene.dimensions = 2;
    }
    let adaptive = object.number("cflMethod")?.unwrap_or(1.0) != 0.0;
    if adaptive {
        // `timeStepSize` is only the first step there: it stays among the keys not understood.
        scene.time.cfl = object.number("cflFactor")?.unwrap_or(0.5);
        scene.time.max_step = object.number("cflMaxTimeStepSize")?.unwrap_or(0.005);
    } else {
        scene.time.step = Some(object.number("timeStepSize")?.unwrap_or(0.001));
    }
    if let Some(fps) = object.number("dataExportFPS")? {
        scene.time.fps = fps;
    }
    if let Some(mut dfsph) = object.object("DFSPH")? {
        let own = &mut scene.dfsph;
        own.max_error = dfsph.number("maxError")?.unwrap_or(own.max_error);
        own.max_divergence_error = dfsph.number("maxErrorV")?.unwrap_or(own.max_divergence_error);
        let count = |number: Option<f64>, default: u32| number.map_or(default, |n| n as u32);
        own.min_iterations = count(dfsph.number("minIterations")?, own.min_iterations);
        own.max_iterations = count(dfsph.number("maxIterations")?, own.max_iterations);
        dfsph.finish(unread);
    }
    // Negative: never.
    if let Some(until) = object.number("stopAt")?.filter(|until| *until >= 0.0) {
        scene.time.until = until;
    }
    object.finish(unread);
    Ok(())
}

fn no_solver(path: &str, method: f64) -> Problem {
    let known: Vec<&str> = Solver::ALL.iter().map(|(name, _)| *name).collect();
    let name = METHODS.iter().enumerate().find(|(number, _)| *number as f64 == method);
    let name = name.map_or_else(|| method.to_string(), |(_, name)| (*name).to_owned());
    let message =
        format!("solver {name:?} does not exist yet; try --solver {}", known.join(" or "));
    Problem::new(path, message)
}

fn material(mut object: Object<'_>, unread: &mut Vec<String>) -> Found<Material> {
    let mut material = water(object.string("id")?.unwrap_or(DEFAULT_ID));
    material.rest_density = object.number("density0")?.unwrap_or(material.rest_density);
    // The coefficient is kinematic, ours dynamic: μ = ν ρ0. Their operator is 2(d + 2) ν Σ V
    // (v·r)/(r² + 0.01 h²) ∇W, ours M (14): both approximate ν ∇²v, and differ at this resolution.
    material.viscosity = match object.peek("viscosityMethod").and_then(Value::as_f64) {
        Some(0.0) => Some(0.0),
        None | Some(1.0) => {
            let standard = object.object("Standard viscosity")?;
            let nu = match standard {
                None => None,
                Some(mut standard) => {
                    let nu = standard.number("viscosity")?;
                    standard.finish(unread);
                    nu
                }
            };
            Some(nu.unwrap_or(DEFAULT_VISCOSITY) * material.rest_density)
        }
        // Another method: not understood, so that the key is in the warning.
        Some(_) => {
            object.finish(unread);
            return Ok(material);
        }
    };
    object.number("viscosityMethod")?;
    object.finish(unread);
    Ok(material)
}

fn water(id: &str) -> Material {
    let viscosity = Some(DEFAULT_VISCOSITY * 1000.0);
    Material { name: id.to_owned(), rest_density: 1000.0, viscosity, surface_tension: 0.0 }
}

/// The box that holds the fluid; no other body is known yet.
fn wall(mut object: Object<'_>, folder: &Path, unread: &mut Vec<String>) -> Found<Boundary> {
    let mesh = object.string("geometryFile")?.unwrap_or("").to_owned();
    let key = object.key("geometryFile");
    if !folder.join(&mesh).is_file() {
        return Err(Problem::new(key, format!("there is no mesh file {mesh:?}")));
    }
    if mesh.rsplit(['/', '\\']).next() != Some("UnitBox.obj") {
        return Err(Problem::new(key, "bodies other than UnitBox.obj are not supported yet"));
    }
    if !object.boolean("isWall")?.unwrap_or(false) {
        let message = "a box that is not a wall (isWall: true) is not supported yet";
        return Err(Problem::new(object.path(), message));
    }
    if object.boolean("isDynamic")?.unwrap_or(false) {
        return Err(Problem::new(object.key("isDynamic"), "dynamic bodies are not supported yet"));
    }
    no_rotation(&mut object)?;
    let translation = object.vector("translation")?.unwrap_or([0.0; 3]);
    let scale = object.vector("scale")?.unwrap_or([1.0; 3]);
    object.finish(unread);
    // The mesh reaches from -1/2 to 1/2.
    let min = std::array::from_fn(|axis| translation[axis] - 0.5 * scale[axis]);
    let max = std::array::from_fn(|axis| translation[axis] + 0.5 * scale[axis]);
    Ok(Boundary {
        shape: Shape::Box { min, max },
        side: Side::Inside,
        velocity: [0.0; 3],
        motion: Vec::new(),
        response: None,
    })
}

/// A block of fluid and the id of its material.
fn block(mut object: Object<'_>, radius: f64, unread: &mut Vec<String>) -> Found<(Fluid, String)> {
    let mode = object.number("denseMode")?.unwrap_or(0.0);
    if mode != 0.0 {
        let message = format!("denseMode {mode} is not supported yet, only 0");
        return Err(Problem::new(object.key("denseMode"), message));
    }
    no_rotation(&mut object)?;
    let start = object.vector("start")?.ok_or_else(|| object.missing("start"))?;
    let end = object.vector("end")?.ok_or_else(|| object.missing("end"))?;
    let translation = object.vector("translation")?.unwrap_or([0.0; 3]);
    let scale = object.vector("scale")?.unwrap_or([1.0; 3]);
    let velocity = object.vector("initialVelocity")?.unwrap_or([0.0; 3]);
    if object.vector("initialAngularVelocity")?.is_some_and(|spin| spin != [0.0; 3]) {
        return Err(Problem::new(object.key("initialAngularVelocity"), "is not supported yet"));
    }
    let id = object.string("id")?.unwrap_or(DEFAULT_ID).to_owned();
    object.finish(unread);
    // Dense mode 0 puts round(extent / 2r) - 1 particles on each axis, the first 2r from the start:
    // the box that is filled so begins r from the start.
    let min: Vec3 = std::array::from_fn(|k| start[k] * scale[k] + translation[k] + radius);
    let cells = |k: usize| ((end[k] - start[k]) * scale[k] / (2.0 * radius)).round() - 1.0;
    let max = std::array::from_fn(|k| min[k] + cells(k) * 2.0 * radius);
    let shape = Shape::Box { min, max };
    Ok((Fluid { material: Some(id.clone()), shape, velocity, jitter: 0.0 }, id))
}

fn no_rotation(object: &mut Object<'_>) -> Found<()> {
    object.vector("rotationAxis")?;
    if object.number("rotationAngle")?.is_some_and(|angle| angle != 0.0) {
        return Err(Problem::new(object.key("rotationAngle"), "is not supported yet, only 0"));
    }
    Ok(())
}
