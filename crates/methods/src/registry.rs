//! Registry of methods, and the methods chosen by a scene.

use std::collections::BTreeSet;

use meniscus_scene::{
    Boundary, Force, Kernel, Material, Problem, ProblemKind, Response, Scene, Settings, Value,
};

use crate::{
    Axis, Context, Family, Key, KeyKind, Limit, Loop, Matter, Method, Quantity, Scope, Solver,
    Sound, Sph, foam, kernel, liquid,
    mpm::{
        self,
        materials::{self, Model},
    },
    names::unknown,
    smoke, sph,
    stage::Entry,
    tension, viscosity,
};

/// Registry of the methods that scenes can choose.
#[derive(Clone, Debug)]
pub struct Registry {
    methods: Vec<&'static Method>,
    models: Vec<&'static Model>,
}

impl Default for Registry {
    fn default() -> Self {
        Self::standard()
    }
}

impl Registry {
    /// Methods of this crate, in the order in which forces are summed.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            methods: vec![
                &sph::muller::METHOD,
                &sph::wcsph::METHOD,
                &sph::pcisph::METHOD,
                &sph::iisph::METHOD,
                &sph::dfsph::METHOD,
                &mpm::mls_mpm::METHOD,
                &mpm::classic_mpm::METHOD,
                &liquid::pic::METHOD,
                &liquid::apic::METHOD,
                &liquid::flip::METHOD,
                &liquid::polypic::METHOD,
                &liquid::eulerian::METHOD,
                &smoke::METHOD,
                &viscosity::muller::METHOD,
                &viscosity::pairwise::METHOD,
                &viscosity::implicit::METHOD,
                &viscosity::artificial::METHOD,
                &viscosity::xsph::METHOD,
                &tension::color_field::METHOD,
                &tension::free_surface::METHOD,
                &tension::near_surface::METHOD,
                &tension::pairwise::METHOD,
                &tension::akinci::METHOD,
                &foam::METHOD,
            ],
            models: vec![
                &materials::water::MODEL,
                &materials::jelly::MODEL,
                &materials::snow::MODEL,
                &materials::sand::MODEL,
                &materials::muscle::MODEL,
                &materials::paste::MODEL,
            ],
        }
    }

    /// This registry with another model of material points.
    #[must_use]
    pub fn with_model(mut self, model: &'static Model) -> Self {
        self.models.push(model);
        self
    }

    /// The models of material points, in the order of their numbers in shaders; the first is that of materials that name
    /// none.
    #[must_use]
    pub fn models(&self) -> &[&'static Model] {
        &self.models
    }

    /// The model of a material.
    ///
    /// # Errors
    /// A message that lists the models, if none has this name.
    pub fn model(&self, material: &Material) -> Result<&'static Model, String> {
        let Some(name) = &material.model else { return Ok(self.models[0]) };
        let found = self.models.iter().find(|model| model.name == name);
        let names: Vec<_> = self.models.iter().map(|model| model.name).collect();
        found.copied().ok_or_else(|| unknown("model", name, &names))
    }

    /// Keys of the models of material points, each once, in the table of a material.
    pub fn material_keys(&self) -> impl Iterator<Item = &'static Key> {
        let mut known = BTreeSet::new();
        let all = self.models.iter().flat_map(|model| model.keys);
        all.filter(move |key| known.insert(key.name))
    }

    /// Registry with another method, in place of one of the same name on its axis.
    #[must_use]
    pub fn with(mut self, method: &'static Method) -> Self {
        self.methods.retain(|other| (other.axis, other.name) != (method.axis, method.name));
        self.methods.push(method);
        self
    }

    /// All methods.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> {
        self.methods.iter().copied()
    }

    /// The methods of an axis.
    pub fn of(&self, axis: Axis) -> impl Iterator<Item = &'static Method> {
        self.methods().filter(move |method| method.axis == axis)
    }

    /// Names of the methods of an axis.
    #[must_use]
    pub fn names(&self, axis: Axis) -> Vec<&'static str> {
        self.of(axis).map(|method| method.name).collect()
    }

    /// The solvers of a family.
    pub fn solvers<'a>(&'a self, family: &'a Family) -> impl Iterator<Item = &'static Method> + 'a {
        self.of(Axis::Solver).filter(move |method| method.family() == Some(family))
    }

    /// Names of the tables of keys in scene files.
    #[must_use]
    pub fn tables(&self) -> Vec<&'static str> {
        let own = self.of(Axis::Solver).filter(|method| method.keys().next().is_some());
        let mut tables: Vec<_> = own.map(Method::table).collect();
        tables.dedup();
        let axes = Axis::TABLES.into_iter().chain([Axis::Foam]);
        tables.into_iter().chain(axes.map(Axis::name)).collect()
    }

    /// The keys of a table, each with its method; methods of a family share theirs, which are those of its first.
    pub fn keys<'a>(
        &'a self,
        table: &'a str,
    ) -> impl Iterator<Item = (&'static Method, &'static Key)> + 'a {
        let methods = self.methods().filter(move |method| method.table() == table);
        let all = methods.flat_map(|method| method.keys().map(move |key| (method, key)));
        let mut known = BTreeSet::new();
        all.filter(move |(_, key)| known.insert(key.name))
    }

    /// The key at `path`, as in `wcsph.gamma`.
    #[must_use]
    pub fn key(&self, path: &str) -> Option<(&'static Method, &'static Key)> {
        let (table, name) = path.split_once('.')?;
        self.keys(table).find(|(_, key)| key.name == name)
    }

    /// Methods chosen by a scene.
    ///
    /// # Errors
    /// A name that no method has.
    pub fn choose(&self, scene: &Scene) -> Result<Chosen, Problem> {
        let find = |axis: Axis, name: &str| {
            let found = self.of(axis).find(|method| method.name == name);
            found.ok_or_else(|| {
                let known = self.names(axis);
                let message = unknown(axis.name(), name, &known);
                Problem::new(axis.key(), message).of(ProblemKind::Unknown)
            })
        };
        let method = find(Axis::Solver, &scene.solver)?;
        let Some(solver) = method.solver else {
            return Err(Problem::new("solver", format!("{:?} is not a solver", method.name)));
        };
        let mut chosen = vec![method];
        for axis in Axis::TABLES {
            match scene.settings.get(axis.key()) {
                None if !solver.family.joins.contains(&axis) => {}
                None => chosen.extend(self.of(axis).filter(|method| (method.default)(scene))),
                Some(Value::Text(name)) if name == NONE => {}
                Some(Value::Text(name)) => chosen.push(find(axis, name)?),
                Some(Value::Texts(names)) => {
                    for name in names {
                        chosen.push(find(axis, name)?);
                    }
                }
                Some(_) => {
                    let message = format!("must be a name or a list of names: {}", {
                        let mut known = self.names(axis);
                        known.push(NONE);
                        known.join(", ")
                    });
                    return Err(Problem::new(axis.key(), message));
                }
            }
        }
        if foam::is_on(scene) {
            chosen.extend(self.of(Axis::Foam));
        }
        for axis in solver.family.joins {
            let implied = |method: &&Method| (method.implied)(scene, &chosen);
            let joined: Vec<_> = self.of(*axis).filter(implied).collect();
            chosen.extend(joined);
        }
        let mut models = Vec::new();
        for (number, material) in scene.materials.iter().enumerate() {
            let model = self.model(material).map_err(|message| {
                Problem::new(format!("material[{number}].model"), message).of(ProblemKind::Unknown)
            })?;
            models.push(model);
        }
        let is_chosen = |method: &&Method| chosen.iter().any(|other| std::ptr::eq(*other, *method));
        let chosen = self.methods().filter(is_chosen).collect();
        let settings = scene.settings.clone();
        let viscous = scene.materials.iter().any(|one| one.viscosity.unwrap_or(0.0) > 0.0);
        let burns = scene.sources.iter().any(|source| source.fuel > 0.0);
        Ok(Chosen {
            registry: self.clone(),
            method,
            solver,
            chosen,
            models,
            viscous,
            burns,
            settings,
        })
    }

    /// The quantity of a scene's particles with this name.
    ///
    /// # Errors
    /// A message that lists the scene's quantities.
    pub fn quantity(&self, scene: &Scene, name: &str) -> Result<Quantity, String> {
        self.choose(scene).map_err(|problem| problem.to_string())?.quantity(name)
    }

    /// The quantity that colours a scene's particles where the user names none: their material where materials have
    /// colours or differ in kind, else their speed.
    #[must_use]
    pub fn usual_quantity(&self, scene: &Scene) -> Quantity {
        let usual = self.choose(scene).ok().and_then(|chosen| chosen.family().usual_quantity);
        let colored = scene.materials.iter().any(|material| material.color.is_some());
        usual.unwrap_or(if colored { Quantity::MATERIAL } else { Quantity::SPEED })
    }

    /// Problems of the names of methods and the values of their keys, in the order of keys.
    #[must_use]
    pub fn problems(&self, scene: &Scene) -> Vec<Problem> {
        let mut problems: Vec<_> = self.choose(scene).err().into_iter().collect();
        for (path, value) in scene.settings.iter() {
            if Axis::TABLES.iter().any(|axis| axis.key() == path) {
                continue;
            }
            let Some((_, key)) = self.key(&path) else {
                let (table, name) = path.split_once('.').unwrap_or(("", &path));
                let mut known: Vec<_> = self.keys(table).map(|(_, key)| key.name).collect();
                known.extend(
                    Axis::TABLES.iter().any(|axis| axis.name() == table).then_some("model"),
                );
                let problem = Problem::new(path.clone(), unknown("key", name, &known));
                problems.push(problem.of(ProblemKind::Unknown));
                continue;
            };
            if let Some(message) = key.problem(value) {
                problems.push(Problem::new(path.clone(), message));
            }
        }
        if problems.is_empty() {
            problems.extend(self.methods().flat_map(|method| self.orders(method, scene)));
        }
        if problems.is_empty()
            && let Ok(chosen) = self.choose(scene)
        {
            problems.extend(Axis::TABLES.iter().filter_map(|axis| chosen.twice(*axis)));
            let own = chosen.methods().filter_map(|method| method.problems);
            problems.extend(own.flat_map(|problems| problems(scene, &chosen)));
            let family = chosen.family();
            if family.has_particles {
                problems.extend(of_fields(scene));
            }
            problems.extend((family.problems)(scene, &chosen));
            let most = family.largest_cfl();
            if scene.time.cfl > most {
                let message = format!("must be at most {most}, not {}", scene.time.cfl);
                problems.push(Problem::new("time.cfl", message));
            }
        }
        problems
    }

    /// Keys of a method that are smaller than they must be.
    fn orders<'a>(
        &'a self,
        method: &'static Method,
        scene: &'a Scene,
    ) -> impl Iterator<Item = Problem> + 'a {
        let number = move |path: &str| {
            let named = scene.settings.get(path).cloned();
            named.or_else(|| self.key(path)?.1.constant())?.number()
        };
        method.keys().filter_map(move |key| {
            let path = format!("{}.{}", method.table(), key.name);
            let other = format!("{}.{}", method.table(), key.at_least?);
            let (value, least) = (number(&path)?, number(&other)?);
            let message = format!("must be at least {other} = {least}, not {value}");
            (value < least).then(|| Problem::new(path, message))
        })
    }

    /// A message for each key of a viscosity or tension that is not chosen, for each material's property
    /// that no chosen method uses, and the chosen methods' own.
    #[must_use]
    pub fn warnings(&self, scene: &Scene) -> Vec<String> {
        let Ok(chosen) = self.choose(scene) else { return Vec::new() };
        let is_chosen = |method: &Method| {
            chosen.methods().any(|other| other.name == method.name && other.axis == method.axis)
        };
        let message = |path: &str, axis: Axis, names: &[&str]| {
            if axis == Axis::Foam {
                return format!("{path} has no effect: {} is false", axis.key());
            }
            let names: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
            format!("{path} has no effect: {} does not name {}", axis.key(), names.join(" or "))
        };
        let mut messages = Vec::new();
        for (path, _) in scene.settings.iter() {
            if let Some((method, _)) = self.key(&path).filter(|(method, _)| {
                method.axis != Axis::Solver && !is_chosen(method) && foam::SWITCH != path
            }) {
                messages.push(message(&path, method.axis, &[method.name]));
            }
        }
        for axis in Axis::TABLES.into_iter().filter(|axis| !chosen.materials_have(*axis)) {
            let names: Vec<_> = self
                .of(axis)
                .filter(|method| method.of_materials)
                .map(|method| method.name)
                .collect();
            for (number, material) in scene.materials.iter().enumerate() {
                let (key, value) = match axis {
                    Axis::Tension => ("surface_tension", material.surface_tension),
                    _ => ("viscosity", material.viscosity.unwrap_or(0.0)),
                };
                if value > 0.0 {
                    messages.push(message(&format!("material[{number}].{key}"), axis, &names));
                }
            }
        }
        let angles = scene.boundaries.iter().map(|boundary| boundary.contact_angle);
        for number in angles.enumerate().filter_map(|(number, angle)| angle.map(|_| number)) {
            if !chosen.methods().any(|method| method.wets) {
                let path = format!("boundary[{number}].contact_angle");
                let wet = self.of(Axis::Tension).filter(|method| method.wets);
                let names: Vec<_> = wet.map(|method| method.name).collect();
                messages.push(message(&path, Axis::Tension, &names));
            }
        }
        let own = chosen.methods().filter_map(|method| method.warnings);
        messages.extend(own.flat_map(|warnings| warnings(scene, &chosen)));
        messages.extend((chosen.family().warnings)(scene, &chosen));
        messages
    }

    /// Removes settings that equal their defaults.
    pub fn simplify(&self, scene: &mut Scene) {
        let is_default = |(path, value): &(String, &Value)| {
            let constant = self.key(path).and_then(|(_, key)| key.constant());
            constant.is_some_and(|constant| match (constant.number(), value.number()) {
                (Some(a), Some(b)) => a == b,
                _ => constant == **value,
            })
        };
        let paths: Vec<_> =
            scene.settings.iter().filter(is_default).map(|(path, _)| path).collect();
        for path in paths {
            scene.settings.remove(&path);
        }
        for axis in Axis::TABLES {
            let default = self.of(axis).filter(|m| (m.default)(scene));
            let default: Vec<_> = default.map(|m| m.name.to_owned()).collect();
            let is_default = match scene.settings.get(axis.key()) {
                Some(Value::Text(name)) => default == [name.as_str()],
                Some(Value::Texts(names)) => default == *names,
                _ => false,
            };
            if is_default {
                scene.settings.remove(axis.key());
            }
        }
    }
}

/// Name for no method, on axes that can do without.
pub const NONE: &str = "none";

/// Problems of what only fluids without particles have.
fn of_fields(scene: &Scene) -> impl Iterator<Item = Problem> {
    let wind = scene.forces.iter().position(|force| matches!(force, Force::Wind { .. }));
    let found = [
        (!scene.sources.is_empty()).then(|| "source[0]".to_owned()),
        (!scene.vortices.is_empty()).then(|| "vortex[0]".to_owned()),
        wind.map(|number| format!("force[{number}].wind")),
    ];
    let message = "must be left out: it is of smoke (solver = \"stable_fluids\")";
    // Walls that move are enough for air.
    let is_empty = found.iter().all(Option::is_none) && scene.has_smoke();
    let nothing = is_empty.then(|| Problem::new("fluid", meniscus_scene::check::NO_FLUID));
    let foreign = found.into_iter().flatten().map(move |key| Problem::new(key, message));
    foreign.chain(nothing)
}

/// Methods chosen by a scene, in the order of the registry.
#[derive(Clone, Debug)]
pub struct Chosen {
    registry: Registry,
    method: &'static Method,
    solver: Solver,
    chosen: Vec<&'static Method>,
    models: Vec<&'static Model>,
    viscous: bool,
    burns: bool,
    settings: Settings,
}

impl Chosen {
    /// Whether a material names a viscosity above 0.
    #[must_use]
    pub fn is_viscous(&self) -> bool {
        self.viscous
    }

    /// Whether a source has fuel.
    #[must_use]
    pub fn burns(&self) -> bool {
        self.burns
    }

    /// The solver.
    #[must_use]
    pub fn solver(&self) -> &'static Method {
        self.method
    }

    /// Properties of a solver of SPH.
    #[must_use]
    pub fn sph(&self) -> Option<&Sph> {
        self.solver.sph.as_ref()
    }

    /// Sound in the fluid, with an equation of state.
    #[must_use]
    pub fn sound(&self) -> Option<&Sound> {
        self.sph()?.sound.as_ref()
    }

    /// Share of the step by which positions move before forces are computed.
    #[must_use]
    pub fn first_drift(&self) -> f64 {
        self.sph().map_or(0.0, |sph| sph.first_drift)
    }

    /// Limit on the step relative to length/(c + v).
    #[must_use]
    pub fn step_share(&self) -> f64 {
        self.solver.step_share
    }

    /// Stages of a step.
    #[must_use]
    pub fn stages(&self, scope: &Scope) -> Vec<Entry> {
        (self.solver.stages)(scope)
    }

    /// Kinematic viscosity in m²/s of materials that name none.
    #[must_use]
    pub fn usual_viscosity(&self, context: &Context<'_>) -> f64 {
        self.sph().map_or(0.0, |sph| (sph.usual_viscosity)(context))
    }

    /// Models of the scene's materials, one for each.
    #[must_use]
    pub fn models(&self) -> &[&'static Model] {
        &self.models
    }

    /// Number of a model in shaders.
    #[must_use]
    pub fn model_number(&self, model: &Model) -> u32 {
        let all = self.registry.models().iter();
        all.take_while(|other| other.name != model.name).count() as u32
    }

    /// Name of a pass of constitutive models, with those of the scene's materials.
    #[must_use]
    pub fn with_models(&self, pass: &str) -> String {
        let used = |model: &&&Model| self.models.iter().any(|own| own.name == model.name);
        let all = self.registry.models().iter().filter(used);
        all.fold(pass.to_owned(), |pass, model| pass + "+" + model.name)
    }

    /// All that were chosen.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> + '_ {
        self.chosen.iter().copied()
    }

    /// Quantities of particles, in the order of menus: those of all methods, then the chosen
    /// methods' own.
    #[must_use]
    pub fn quantities(&self) -> Vec<Quantity> {
        let own = self.methods().flat_map(|method| method.quantities);
        let of_family = self.family().quantities.iter().copied().flatten();
        of_family.chain(own).copied().collect()
    }

    /// The quantity with this name.
    ///
    /// # Errors
    /// A message that lists the quantities.
    pub fn quantity(&self, name: &str) -> Result<Quantity, String> {
        let all = self.quantities();
        all.iter().find(|quantity| quantity.name == name).copied().ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|quantity| quantity.name).collect();
            format!("unknown quantity `{name}`; this scene has: {}", known.join(", "))
        })
    }

    /// Response of a boundary to particles: the scene's, else by its volume. Sheets have particles, and all boundaries where
    /// one of the methods needs them.
    #[must_use]
    pub fn response(&self, boundary: &Boundary) -> Response {
        let particles =
            boundary.shape.is_sheet() || self.methods().any(|method| method.wall_particles);
        let usual = || match particles {
            true => Response::Particles { friction: 0.0, no_slip: false },
            false => Response::Volume { friction: 0.0, no_slip: false },
        };
        boundary.response.clone().unwrap_or_else(usual)
    }

    /// Family of the solver.
    #[must_use]
    pub fn family(&self) -> &'static Family {
        self.solver.family
    }

    /// Length in m that no signal crosses in a step: the support radius, or the edge of a grid method's cells.
    #[must_use]
    pub fn length(&self, scene: &Scene) -> f64 {
        (self.family().length)(&Context { scene, chosen: self, expected_speed: 0.0 })
    }

    /// Order of the paths along the field, 1 to 3, if the solver has one.
    #[must_use]
    pub fn trace(&self) -> u32 {
        match self.choice(&format!("{}.trace", self.method.table())) {
            "rk1" => 1,
            "rk2" => 2,
            _ => 3,
        }
    }

    /// Name chosen by the scene at `path`, as in `wcsph.density`, or the default.
    #[must_use]
    pub fn choice(&self, path: &str) -> &str {
        if let Some(Value::Text(name)) = self.settings.get(path) {
            return name;
        }
        match self.registry.key(path).map(|(_, key)| key.kind) {
            Some(KeyKind::Choice([(name, _), ..])) => name,
            _ => "",
        }
    }

    /// The scene's settings of methods when they were chosen.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// All registered methods.
    #[must_use]
    pub fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Whether pressures are computed by iteration, without sound.
    #[must_use]
    pub fn is_incompressible(&self) -> bool {
        self.sound().is_none()
    }

    /// Loops of all methods, each once with its method, in the order of a step's stages.
    #[must_use]
    pub fn all_loops(&self) -> Vec<(&'static Method, &'static Loop)> {
        let scope = Scope::of_methods(self);
        let mut loops = Vec::new();
        for entry in self.stages(&scope) {
            let Entry::Repeat { name, .. } = entry else { continue };
            if loops.iter().any(|(_, known): &(_, &'static Loop)| known.name == name) {
                continue;
            }
            let all =
                self.methods().flat_map(|method| method.loops.iter().map(move |l| (method, l)));
            loops.extend(all.filter(|(_, found)| found.name == name));
        }
        loops
    }

    /// Names of the loops of all methods, in the order of a step's stages.
    #[must_use]
    pub fn loops(&self) -> Vec<&'static str> {
        self.all_loops().into_iter().map(|(_, found)| found.name).collect()
    }

    /// Friction of a wall's particles, relative to the fluid's viscosity, with which the fluid at the wall moves
    /// with it; h and the particle spacing in m.
    #[must_use]
    pub fn no_slip_friction(&self, kernel: Kernel, h: f64, spacing: f64, dimensions: u32) -> f64 {
        match self.methods().find_map(|method| method.no_slip) {
            Some(friction) => friction(kernel, h, spacing, dimensions),
            None => {
                kernel::no_slip_friction(kernel, h, spacing, dimensions, kernel::laplacian_drag)
            }
        }
    }

    /// Smoothing kernel; the solver's default if the scene sets none, on grids that of the surface's mesh.
    #[must_use]
    pub fn kernel(&self, scene: &Scene) -> Kernel {
        scene.kernel.unwrap_or_else(|| self.sph().map_or(Kernel::CubicSpline, |sph| sph.kernel))
    }

    /// Support radius of the kernel in m; the kernel's usual one if the scene sets none.
    #[must_use]
    pub fn support_radius(&self, scene: &Scene) -> f64 {
        let usual = kernel::usual_support(self.kernel(scene));
        scene.support_radius.unwrap_or(usual * scene.particle_radius)
    }

    /// Name of the walk over neighbours that sums the forces of all chosen methods, with its terms:
    /// viscosities first, then pressure if it acts by a force, then tensions.
    #[must_use]
    pub fn forces(&self) -> String {
        self.walk("sph/forces", &[Axis::Viscosity, Axis::Solver, Axis::Tension], |_| true)
    }

    /// Name of the walk that sums the forces where no material has surface tension.
    #[must_use]
    pub fn forces_without_tension(&self) -> String {
        let acts = |method: &Method| method.axis != Axis::Tension || !method.of_materials;
        self.walk("sph/forces", &[Axis::Viscosity, Axis::Solver, Axis::Tension], acts)
    }

    /// Name of the walk that sums the reactions of these forces except pressure on bodies. Tensions that are not sums over pairs act
    /// on the fluid only.
    #[must_use]
    pub fn reactions(&self) -> String {
        let acts = |method: &Method| method.axis != Axis::Tension || method.reacts;
        self.walk("body/react", &[Axis::Viscosity, Axis::Tension], acts)
    }

    /// Name of the walk that sums the reaction of pressure, if that acts by a force.
    #[must_use]
    pub fn pressure_reaction(&self) -> String {
        self.walk("body/react", &[Axis::Solver], |_| true)
    }

    /// Name of the walk that sums reactions where no material has surface tension.
    #[must_use]
    pub fn reactions_without_tension(&self) -> String {
        self.walk("body/react", &[Axis::Viscosity], |_| true)
    }

    /// A pass with the terms of the chosen methods on these axes that act.
    fn walk(&self, file: &str, axes: &[Axis], acts: impl Fn(&Method) -> bool) -> String {
        let of = |axis: &Axis| {
            let axis = *axis;
            self.methods().filter(move |method| method.axis == axis)
        };
        let acting = axes.iter().flat_map(of).filter(|method| acts(method));
        let terms = acting.filter_map(|method| method.term);
        terms.fold(file.to_owned(), |pass, term| pass + "+" + term)
    }

    /// Whether the materials' viscosity or tension acts.
    #[must_use]
    pub fn materials_have(&self, axis: Axis) -> bool {
        let family = self.family();
        let own = axis == Axis::Viscosity && family.viscous && !family.joins.contains(&axis);
        own || self.methods().any(|method| method.axis == axis && method.of_materials)
    }

    /// Problem of several methods that are all the viscosity or tension of the materials.
    fn twice(&self, axis: Axis) -> Option<Problem> {
        let same = self.methods().filter(|method| method.axis == axis && method.of_materials);
        let names: Vec<_> = same.map(|method| format!("{:?}", method.name)).collect();
        let (all, what) = (names.join(" and "), axis.name());
        let message = format!(
            "{all} are all the {what} of the materials, which would act twice: name one of them"
        );
        (names.len() > 1).then(|| Problem::new(axis.key(), message))
    }

    /// The limits on the time step of all chosen methods.
    pub fn limits(&self) -> impl Iterator<Item = Limit> + '_ {
        self.methods().filter_map(|method| method.limit)
    }

    /// Longest step in s that the chosen methods allow, for the length in m that no signal crosses.
    #[must_use]
    pub fn longest_step(&self, length: f64, matter: &[Matter]) -> f64 {
        self.limits().map(|limit| (limit.step)(length, matter)).fold(f64::INFINITY, f64::min)
    }

    /// Speed of sound in m/s; `None` for an incompressible fluid.
    #[must_use]
    pub fn sound_speed(&self, context: &Context<'_>) -> Option<f64> {
        self.sound().map(|sound| (sound.speed)(context))
    }
}
