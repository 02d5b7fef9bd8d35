//! Import of scenes of `SPlisHSPlasH` (JSON): blocks, particle files and emitters of fluid, walls
//! and meshes.
//!
//! Unsupported parts that would change the physics are errors; other unknown keys cause a warning.

mod body;
mod object;
mod offset;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use glam::{DQuat, DVec3};
use meniscus_methods::{Axis, Context, KeyKind, Method, Peer, Registry};
use meniscus_model::scene::{
    Camera, Cuboid, Drain, Emitter, Fluid, Material, MeshShape, Mouth, Packing, Points, Problem,
    Response, Rotation, Shape, Vec3,
};
use meniscus_model::{Scene, Setup};
use serde_json::Value;

use self::object::Object;
use crate::error::{Error, place};
use crate::solids::{self, Files};

/// Solvers without an equivalent here, by their `simulationMethod` number: position-based fluids,
/// projective fluids, ICSPH.
const OTHERS: [(u32, &str); 3] = [(2, "pbf"), (5, "pf"), (6, "icsph")];
/// Default id of fluids.
const DEFAULT_ID: &str = "Fluid";
/// Parts of a scene that would change the result much and are not supported yet.
const UNSUPPORTED: [&str; 1] = ["AnimationFields"];
/// `SPlisHSPlasH`'s default for `maxEmitterParticles`.
const DEFAULT_EMITTED: f64 = 10_000.0;

/// An imported scene.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) scene: Scene,
    pub(crate) warnings: Vec<String>,
    /// Native keys, and the keys of the file that they come from.
    origins: Vec<(String, String)>,
}

impl Import {
    /// Place in the file of the native key `path`.
    pub(crate) fn offset(&self, text: &str, path: &str) -> usize {
        let origins = self.origins.iter().filter(|(native, _)| path.starts_with(native));
        let nearest = origins.max_by_key(|(native, _)| native.len());
        nearest.map_or(0, |(_, imported)| offset::of(text, imported))
    }
}

/// Converts a scene. `file` is its path, to which mesh paths are relative. `solver` replaces the
/// scene's own.
pub(crate) fn import(file: &str, text: &str, solver: Option<&str>) -> Result<Import, Error> {
    if text.trim().is_empty() {
        return Err(Error::input(place(file, text, 0), "the file is empty: expected a JSON scene"));
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line").map_or(&*message, |(message, _)| message);
        Error::input(format!("{file}:{}:{}", error.line(), error.column().max(1)), message)
    })?;
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    let import = convert(&value, folder, solver);
    import.map_err(|problem| {
        Error::input(place(file, text, offset::of(text, &problem.path)), problem.to_string())
    })
}

/// Errors name the key of the file.
type Found<T> = Result<T, Problem>;

fn convert(value: &Value, folder: &Path, solver: Option<&str>) -> Found<Import> {
    let (mut unread, mut notes) = (Vec::new(), Vec::new());
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
        let default = f64::from(Axis::Solver.peer_key().1);
        return Err(no_solver("Configuration.simulationMethod", default));
    }
    let mut emission = BTreeMap::new();
    let mut friction = None;
    for (i, object) in root.objects("Materials")?.into_iter().enumerate() {
        origins.push((format!("material[{i}]"), object.path().to_owned()));
        let drag = drag(&mut scene, &object)?;
        friction = drag.or(friction);
        if let Some((method, peer)) = choose(&mut scene, &object, Axis::Tension) {
            for (own, value) in peer.usual {
                scene.settings.set(&format!("{}.{own}", method.table()), *value);
            }
            if let Some(mut own) = object.nested(peer.object)? {
                take_over(&mut scene, method, peer.keys, &mut own)?;
            }
        }
        let (material, emitted) = material(object, &scene, &mut unread, &mut notes)?;
        emission.insert(material.name.clone(), emitted);
        scene.materials.push(material);
    }
    for object in root.objects("RigidBodies")? {
        let path = object.path().to_owned();
        let body = body::read(object, folder, &mut unread)?;
        if let Some(body) = body.body() {
            origins.push((format!("body[{}]", scene.bodies.len()), path));
            scene.bodies.push(body);
        } else {
            origins.push((format!("boundary[{}]", scene.boundaries.len()), path));
            let mut boundary = body.boundary();
            if let Some(friction) = friction {
                boundary.response = Some(Response::Particles { friction, no_slip: false });
            }
            scene.boundaries.push(boundary);
        }
    }
    let mut warnings = Vec::new();
    for object in root.objects("FluidBlocks")? {
        let path = object.path().to_owned();
        let flat = scene.dimensions == 2;
        let Some((fluid, id)) = block(object, scene.particle_radius, flat, &mut unread)? else {
            warnings.push(format!("{path} is too small for a particle"));
            continue;
        };
        origins.push((format!("fluid[{}]", scene.fluids.len()), path));
        know(&mut scene, &id);
        scene.fluids.push(fluid);
    }
    for object in root.objects("FluidModels")? {
        origins.push((format!("fluid[{}]", scene.fluids.len()), object.path().to_owned()));
        let (fluid, id) = model(object, &mut unread)?;
        know(&mut scene, &id);
        scene.fluids.push(fluid);
    }
    for (i, object) in root.objects("Emitters")?.into_iter().enumerate() {
        origins.push((format!("emitter[{i}]"), object.path().to_owned()));
        let flat = scene.dimensions == 2;
        let (mut emitter, id) = emitter(object, scene.particle_radius, flat, &mut unread)?;
        know(&mut scene, &id);
        let Emission { most, region } = emission.get(&id).cloned().unwrap_or_default();
        emitter.max_live = Some(most);
        scene.emitters.push(emitter);
        // Particles that leave this box are reused.
        if let Some(shape) = region
            && !scene.drains.iter().any(|drain| drain.shape == shape)
        {
            scene.drains.push(Drain { shape, outside: true });
        }
    }
    root.finish(&mut unread);
    if scene.fluids.is_empty() && scene.emitters.is_empty() && warnings.is_empty() {
        let message = "expected FluidBlocks, FluidModels or Emitters";
        return Err(Problem::new("no fluid", message));
    }
    warnings.extend(notes);
    origins.extend(NAMES.map(|(native, imported)| (native.to_owned(), imported.to_owned())));
    // List each key once, whichever objects have it.
    let names: BTreeSet<String> = unread.iter().map(|path| without_indices(path)).collect();
    if !names.is_empty() {
        let names: Vec<_> = names.into_iter().collect();
        warnings
            .push(format!("these keys have no equivalent and are ignored: {}", names.join(", ")));
    }
    // Its Configuration has the keys of all solvers.
    let registry = Registry::standard();
    let chosen = registry.choose(&scene);
    if let Ok(chosen) = &chosen {
        let mut others: Vec<_> = scene.settings.iter().map(|(path, _)| path).collect();
        others.retain(|path| registry.foreign(path, chosen).is_some());
        others.iter().for_each(|path| scene.settings.remove(path));
    }
    if chosen.is_ok_and(|chosen| chosen.sph().is_some_and(|sph| sph.needs_viscosity)) {
        let mut filled = scene.clone();
        solids::fill_in(&mut filled, &Files::Folder(folder.to_owned()), &Default::default());
        warnings.extend(thicken(&mut filled));
        scene.materials = filled.materials;
    }
    Ok(Import { scene, warnings, origins })
}

/// Adds water as the material of fluids without one.
fn know(scene: &mut Scene, id: &str) {
    if scene.material_index(Some(id)).is_none() {
        scene.materials.push(water(id));
    }
}

/// Removes indices: `a[3].b` becomes `a[].b`.
fn without_indices(path: &str) -> String {
    let mut inside = false;
    let kept = path.chars().filter(|letter| {
        inside = (inside || *letter == '[') && *letter != ']';
        !inside && *letter != ']'
    });
    kept.collect()
}

/// Where forces do not conserve energy, a fluid with less viscosity than the artificial
/// viscosity at its resolution heats up. Scenes made for implicit solvers get the artificial
/// viscosity instead, and a warning.
fn thicken(scene: &mut Scene) -> Vec<String> {
    let Ok(setup) = Setup::new(scene) else { return Vec::new() };
    let mut warnings = Vec::new();
    let solver = scene.solver.clone();
    for (i, material) in scene.materials.iter_mut().enumerate() {
        let least = setup.artificial_viscosity * material.rest_density;
        if let Some(named) = material.viscosity.filter(|named| *named < least) {
            material.viscosity = None;
            warnings.push(format!(
                "solver {solver} needs more viscosity at this resolution: {least:.3} Pa·s in place of \
                 {named} (--set material[{i}].viscosity={named} insists)"
            ));
        }
    }
    warnings
}

/// Sources of single keys.
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
    solver: Option<&str>,
    unread: &mut Vec<String>,
) -> Found<()> {
    let (key, default) = Axis::Solver.peer_key();
    let method = object.number(key)?.unwrap_or(f64::from(default));
    let registry = Registry::standard();
    let own = equivalent(&registry, Axis::Solver, method).map(|(own, _)| own.name);
    let name = solver.or(own);
    scene.solver =
        name.ok_or_else(|| no_solver("Configuration.simulationMethod", method))?.to_owned();
    scene.particle_radius = object.number("particleRadius")?.unwrap_or(0.025);
    scene.gravity = object.vector("gravitation")?.unwrap_or(scene.gravity);
    if let Some(eye) = object.vector("cameraPosition")? {
        let target = object.vector("cameraLookat")?.unwrap_or([0.0; 3]);
        if eye != target {
            scene.camera = Some(Camera::still(eye, target, 40.0));
        }
    }
    if object.boolean("sim2D")?.unwrap_or(false) {
        scene.dimensions = 2;
    }
    let adaptive = object.number("cflMethod")?.unwrap_or(1.0) != 0.0;
    if adaptive {
        // There, `timeStepSize` is only the first step: leave it among the ignored keys.
        scene.time.cfl = object.number("cflFactor")?.unwrap_or(0.5);
        scene.time.max_step = object.number("cflMaxTimeStepSize")?.unwrap_or(0.005);
    } else {
        scene.time.step = Some(object.number("timeStepSize")?.unwrap_or(0.001));
    }
    if let Some(fps) = object.number("dataExportFPS")? {
        scene.time.fps = fps;
    }
    for method in registry.of(Axis::Solver) {
        let Some(peer) = method.peer.filter(|peer| !peer.keys.is_empty()) else { continue };
        let Some(mut theirs) = object.object(peer.object)? else { continue };
        take_over(scene, method, peer.keys, &mut theirs)?;
        theirs.finish(unread);
    }
    registry.simplify(scene);
    // A negative time means no end.
    if let Some(until) = object.number("stopAt")?.filter(|until| *until >= 0.0) {
        scene.time.until = until;
    }
    object.finish(unread);
    Ok(())
}

/// Values of their keys for a method's.
fn take_over(
    scene: &mut Scene,
    method: &Method,
    keys: &[(&str, &str)],
    theirs: &mut Object<'_>,
) -> Found<()> {
    let registry = Registry::standard();
    for (key, own) in keys {
        let path = format!("{}.{own}", method.table());
        let Some(number) = theirs.number(key)? else { continue };
        match registry.key(&path).map(|(_, key)| key.kind) {
            Some(KeyKind::Integer { .. }) => scene.settings.set(&path, number as i64),
            _ => scene.settings.set(&path, number),
        }
    }
    Ok(())
}

/// Chooses the viscosity that is a material's there, with its keys, if it is not the default. Returns the
/// friction of walls, if the material has one.
fn drag(scene: &mut Scene, object: &Object<'_>) -> Found<Option<f64>> {
    let Some((method, peer)) = choose(scene, object, Axis::Viscosity) else { return Ok(None) };
    let Some((property, at_walls)) = peer.coefficient.and_then(|c| Some((c, c.at_walls?))) else {
        return Ok(None);
    };
    let Some(mut own) = object.nested(peer.object)? else { return Ok(None) };
    take_over(scene, method, peer.keys, &mut own)?;
    let inside = own.number(property.key)?.unwrap_or(property.default);
    let at_walls = own.number(at_walls)?.unwrap_or(0.0);
    Ok((inside > 0.0).then(|| at_walls / inside))
}

/// Lets the scene have the method of a viscosity or tension that a material asks for.
fn choose(
    scene: &mut Scene,
    object: &Object<'_>,
    axis: Axis,
) -> Option<(&'static Method, &'static Peer)> {
    let (key, default) = axis.peer_key();
    let number = object.peek(key).and_then(Value::as_f64).unwrap_or(f64::from(default));
    let (method, peer) = equivalent(&Registry::standard(), axis, number)?;
    // A default that depends on the materials is not known yet.
    if axis == Axis::Tension || !(method.default)(scene) {
        scene.settings.set(axis.key(), method.name);
    }
    Some((method, peer))
}

/// The method of an axis that is theirs by number.
fn equivalent(
    registry: &Registry,
    axis: Axis,
    number: f64,
) -> Option<(&'static Method, &'static Peer)> {
    let all = registry.of(axis).filter_map(|method| Some((method, method.peer.as_ref()?)));
    all.into_iter().find(|(_, peer)| f64::from(peer.number) == number)
}

fn no_solver(path: &str, method: f64) -> Problem {
    let registry = Registry::standard();
    let numbers = registry.of(Axis::Solver).filter_map(|m| Some((m.peer?.number, m.name)));
    let name = numbers.chain(OTHERS).find(|(number, _)| f64::from(*number) == method);
    let name = name.map_or_else(|| method.to_string(), |(_, name)| name.to_owned());
    let known = registry.names(Axis::Solver).join(" or ");
    Problem::new(path, format!("solver {name:?} does not exist yet; try --solver {known}"))
}

/// A material's settings for emitters.
#[derive(Clone, Debug)]
struct Emission {
    /// Most particles in addition to those at the start.
    most: u32,
    /// Box outside of which particles are reused.
    region: Option<Shape>,
}

impl Default for Emission {
    fn default() -> Self {
        Self { most: DEFAULT_EMITTED as u32, region: None }
    }
}

fn material(
    mut object: Object<'_>,
    scene: &Scene,
    unread: &mut Vec<String>,
    notes: &mut Vec<String>,
) -> Found<(Material, Emission)> {
    let mut material = water(object.string("id")?.unwrap_or(DEFAULT_ID));
    let most = object.number("maxEmitterParticles")?.unwrap_or(DEFAULT_EMITTED);
    let reuse = object.boolean("emitterReuseParticles")?.unwrap_or(false);
    let min = object.vector("emitterBoxMin")?.unwrap_or([-1.0; 3]);
    let max = object.vector("emitterBoxMax")?.unwrap_or([1.0; 3]);
    let region = reuse.then_some(Shape::Box(Cuboid { min, max }));
    let emission = Emission { most: most as u32, region };
    material.rest_density = object.number("density0")?.unwrap_or(material.rest_density);
    let rest_density = material.rest_density;
    if let Some(tension) =
        coefficient(&mut object, Axis::Tension, rest_density, scene, unread, notes)?
    {
        material.surface_tension = tension;
    }
    if let Some(viscosity) =
        coefficient(&mut object, Axis::Viscosity, rest_density, scene, unread, notes)?
    {
        material.viscosity = Some(viscosity);
    }
    object.finish(unread);
    Ok((material, emission))
}

/// Property of a material, by the method that is theirs. Without one the key stays unread, so that
/// the warning lists it.
fn coefficient(
    object: &mut Object<'_>,
    axis: Axis,
    rest_density: f64,
    scene: &Scene,
    unread: &mut Vec<String>,
    notes: &mut Vec<String>,
) -> Found<Option<f64>> {
    let (key, default) = axis.peer_key();
    let number = object.peek(key).and_then(Value::as_f64).unwrap_or(f64::from(default));
    if number == 0.0 {
        object.number(key)?;
        return Ok(Some(0.0));
    }
    let Some((_, peer)) = equivalent(&Registry::standard(), axis, number) else { return Ok(None) };
    let Some(property) = peer.coefficient else { return Ok(None) };
    object.number(key)?;
    let mut named = None;
    if let Some(mut own) = object.object(peer.object)? {
        named = own.number(property.key)?;
        for key in peer.keys.iter().map(|(key, _)| *key).chain(property.at_walls) {
            own.number(key)?;
        }
        own.finish(unread);
    }
    let mut factor = if property.kinematic { rest_density } else { 1.0 };
    if let Some(tension) = property.tension {
        let chosen = Registry::standard().choose(scene)?;
        let context = Context { scene, chosen: &chosen, expected_speed: 0.0 };
        factor = tension(&context, rest_density);
        if let Some(named) = named {
            notes.push(format!(
                "the {} {named} of {} depends on the size of the particles: with these it is a tension of {:.4} N/m",
                property.key,
                peer.object,
                named * factor
            ));
        }
    }
    // As a dynamic viscosity it would be that of a thin liquid.
    const SYRUP: f64 = 100.0;
    if let Some(named) = named.filter(|named| property.kinematic && named * rest_density > SYRUP) {
        notes.push(format!(
            "the {} {named} of {} is kinematic, in m²/s: {} Pa·s here",
            property.key,
            peer.object,
            named * rest_density
        ));
    }
    Ok(Some(named.unwrap_or(property.default) * factor))
}

/// Their material without any keys, with the viscosity of their default method.
fn water(id: &str) -> Material {
    let rest_density = 1000.0;
    let (_, number) = Axis::Viscosity.peer_key();
    let standard = equivalent(&Registry::standard(), Axis::Viscosity, f64::from(number));
    let viscosity = standard.and_then(|(_, peer)| peer.coefficient);
    Material {
        rest_density,
        viscosity: viscosity.map(|property| property.default * rest_density),
        ..Material::new(id)
    }
}

/// Rotation of an object.
fn rotation(object: &mut Object<'_>) -> Found<Rotation> {
    let axis = object.vector("rotationAxis")?.unwrap_or([1.0, 0.0, 0.0]);
    let angle = object.number("rotationAngle")?.unwrap_or(0.0).to_degrees();
    Ok(if angle == 0.0 { Rotation::default() } else { Rotation { axis, angle } })
}

/// A block of fluid and the id of its material; `None` if it is too small for a particle.
fn block(
    mut object: Object<'_>,
    radius: f64,
    flat: bool,
    unread: &mut Vec<String>,
) -> Found<Option<(Fluid, String)>> {
    let mode = object.number("denseMode")?.unwrap_or(0.0);
    let packing = match mode {
        0.0 => Packing::Cubic,
        1.0 => Packing::Staggered,
        2.0 => Packing::Hexagonal,
        _ => {
            let message = format!("expected 0, 1 or 2, found {mode}");
            return Err(Problem::new(object.key("denseMode"), message));
        }
    };
    let start = object.vector("start")?.ok_or_else(|| object.missing("start"))?;
    let end = object.vector("end")?.ok_or_else(|| object.missing("end"))?;
    let translation = object.vector("translation")?.unwrap_or([0.0; 3]);
    let scale = object.vector("scale")?.unwrap_or([1.0; 3]);
    let velocity = object.vector("initialVelocity")?.unwrap_or([0.0; 3]);
    let angular_velocity = object.vector("initialAngularVelocity")?.unwrap_or([0.0; 3]);
    let id = object.string("id")?.unwrap_or(DEFAULT_ID).to_owned();
    object.finish(unread);
    // As SimulatorBase::createFluidBlocks: round(extent / step) - 1 particles on each axis, the
    // first 2r from the start; the denser modes shift the start.
    let diameter = 2.0 * radius;
    let (step, aside) = match packing {
        Packing::Filled | Packing::Cubic => ([diameter; 3], [0.0; 3]),
        Packing::Staggered => {
            ([diameter, 3f64.sqrt() * radius, diameter], [diameter, 0.0, diameter])
        }
        Packing::Hexagonal => {
            let row = 6f64.sqrt() * diameter / 3.0;
            ([row, 3f64.sqrt() * radius, diameter], [row, 0.0, diameter])
        }
    };
    let count: Vec3 = std::array::from_fn(|k| {
        let extent = (end[k] - start[k]) * scale[k] - aside[k];
        (extent / step[k]).round() - 1.0
    });
    // An invalid radius is reported later.
    if radius > 0.0 && count.iter().any(|count| *count < 2.0) {
        return Ok(None);
    }
    // The box that holds these particles begins r from the start.
    let min: Vec3 = std::array::from_fn(|k| start[k] * scale[k] + translation[k] + radius);
    let over = match packing {
        Packing::Filled | Packing::Cubic => [0.0; 3],
        Packing::Staggered => [radius, 0.0, radius],
        Packing::Hexagonal => [0.5 * step[0], 0.0, diameter],
    };
    let max = std::array::from_fn(|k| min[k] + (count[k] - 1.0) * step[k] + diameter + over[k]);
    let mut fluid = Fluid::new(Shape::Box(Cuboid { min, max }));
    fluid.material = Some(id.clone());
    fluid.packing = packing;
    fluid.velocity = if flat { [velocity[0], velocity[1], 0.0] } else { velocity };
    fluid.angular_velocity = if flat { [0.0, 0.0, angular_velocity[2]] } else { angular_velocity };
    Ok(Some((fluid, id)))
}

/// Fluid from a particle file, or filling a mesh.
fn model(mut object: Object<'_>, unread: &mut Vec<String>) -> Found<(Fluid, String)> {
    let file = object.string("particleFile")?.ok_or_else(|| object.missing("particleFile"))?;
    let translation = object.vector("translation")?.unwrap_or([0.0; 3]);
    let scale = object.vector("scale")?.unwrap_or([1.0; 3]);
    let rotation = rotation(&mut object)?;
    let velocity = object.vector("initialVelocity")?.unwrap_or([0.0; 3]);
    let angular_velocity = object.vector("initialAngularVelocity")?.unwrap_or([0.0; 3]);
    let id = object.string("id")?.unwrap_or(DEFAULT_ID).to_owned();
    object.finish(unread);
    let extension = Path::new(file).extension().unwrap_or_default().to_ascii_lowercase();
    let shape = if extension == "obj" || extension == "ply" {
        Shape::Mesh(MeshShape { scale, rotation, translation, ..MeshShape::new(file) })
    } else {
        // Particle files have a uniform scale there.
        let scale = [scale[0]; 3];
        let content = meniscus_model::scene::Content::default();
        let (file, velocities) = (file.to_owned(), Default::default());
        Shape::Points(Points { file, scale, rotation, translation, content, velocities })
    };
    let mut fluid = Fluid::new(shape);
    fluid.material = Some(id.clone());
    fluid.velocity = velocity;
    fluid.angular_velocity = angular_velocity;
    Ok((fluid, id))
}

/// An emitter and the id of its material.
fn emitter(
    mut object: Object<'_>,
    radius: f64,
    flat: bool,
    unread: &mut Vec<String>,
) -> Found<(Emitter, String)> {
    let count = |number: Option<f64>| number.unwrap_or(5.0).round().max(0.0);
    let width = count(object.number("width")?);
    let height = count(object.number("height")?);
    let round = object.number("type")?.unwrap_or(0.0) == 1.0;
    let center = object.vector("translation")?.unwrap_or([0.0; 3]);
    let speed = object.number("velocity")?.unwrap_or(1.0);
    let Rotation { axis, angle } = rotation(&mut object)?;
    let start = object.number("emitStartTime")?.unwrap_or(0.0);
    let end = object.number("emitEndTime")?.filter(|end| *end < 1e12).unwrap_or(f64::INFINITY);
    let id = object.string("id")?.unwrap_or(DEFAULT_ID).to_owned();
    object.finish(unread);
    // It emits along its own x axis; its height is along y, its width along z.
    let turn = DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::X), angle.to_radians());
    // Remove rounding errors of a half turn from components that should be 0.
    let clean = |v: DVec3| v.to_array().map(|x| if x.abs() < 1e-12 { 0.0 } else { x });
    let (mut velocity, up) = (clean(turn * DVec3::X * speed), clean(turn * DVec3::Y));
    let diameter = 2.0 * radius;
    let mouth = match (flat, round) {
        // In 2-D only the height matters.
        (true, true) => Mouth::Rectangle { width: width * diameter, height: diameter },
        (true, false) => Mouth::Rectangle { width: height * diameter, height: diameter },
        (false, true) => Mouth::Disc { across: width as u32 },
        (false, false) => Mouth::Rectangle { width: width * diameter, height: height * diameter },
    };
    if flat {
        velocity[2] = 0.0;
    }
    let center = if flat { [center[0], center[1], 0.0] } else { center };
    let emitter = Emitter {
        material: Some(id.clone()),
        start,
        end,
        up: (up != [0.0, 1.0, 0.0] && !flat).then_some(up),
        ..Emitter::new(mouth, center, velocity)
    };
    Ok((emitter, id))
}
