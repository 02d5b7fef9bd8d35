//! Registry of the methods that a scene can choose.

use std::collections::BTreeSet;

use meniscus_scene::{Force, Material, Problem, ProblemKind, Scene, Value};

use crate::{
    Axis, Chosen, Family, Key, Method, Quantity, foam, liquid,
    mpm::{
        self,
        materials::{self, Model},
    },
    names::unknown,
    shifting, smoke, sph, tension, viscosity,
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
            methods: [
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
            ]
            .into_iter()
            .chain(viscosity::METHODS)
            .chain(tension::METHODS)
            .chain([&foam::METHOD, &shifting::METHOD, &liquid::gas::METHOD])
            .collect(),
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
        let axes = Axis::TABLES.into_iter().chain(Axis::SWITCHED);
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
        for axis in Axis::SWITCHED {
            if axis.is_on(scene) {
                chosen.extend(self.of(axis));
            }
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
        let at_start = scene.initial.as_ref().and_then(|initial| initial.fields.get());
        let burns = scene.sources.iter().any(|source| source.fuel > 0.0)
            || at_start.is_some_and(|fields| fields.smoke.iter().any(|[.., fuel]| *fuel > 0.0));
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
        let usual = usual.map(|of| of(scene));
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

    /// A message for each key of a solver, viscosity or tension that is not chosen, for each material's property
    /// that no chosen method uses, and the chosen methods' own.
    #[must_use]
    pub fn warnings(&self, scene: &Scene) -> Vec<String> {
        let Ok(chosen) = self.choose(scene) else { return Vec::new() };
        let is_chosen = |method: &Method| {
            chosen.methods().any(|other| other.name == method.name && other.axis == method.axis)
        };
        let message = |path: &str, axis: Axis, names: &[&str]| {
            if Axis::SWITCHED.contains(&axis) {
                return format!("{path} has no effect: {} is false", axis.key());
            }
            let names: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
            format!("{path} has no effect: {} does not name {}", axis.key(), names.join(" or "))
        };
        let mut messages = Vec::new();
        for (path, _) in scene.settings.iter() {
            messages.extend(self.foreign(&path, &chosen));
            if let Some((method, _)) = self.key(&path).filter(|(method, _)| {
                method.axis != Axis::Solver && !is_chosen(method) && method.axis.key() != path
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

    /// A message about a key of solvers that the chosen one does not have.
    #[must_use]
    pub fn foreign(&self, path: &str, chosen: &Chosen) -> Option<String> {
        let (table, name) = path.split_once('.')?;
        let has = |method: &Method| {
            method.axis == Axis::Solver
                && method.table() == table
                && method.keys().any(|key| key.name == name)
        };
        let owners: Vec<_> = self.of(Axis::Solver).filter(|method| has(method)).collect();
        let is_own = owners.iter().any(|method| method.name == chosen.method.name);
        (!owners.is_empty() && !is_own).then(|| {
            let names: Vec<_> = owners.iter().map(|method| format!("{:?}", method.name)).collect();
            let (solver, owners) = (chosen.method.name, names.join(" or "));
            format!("{path} has no effect: solver is {solver:?}, and the key is of {owners}")
        })
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
    let hot = scene.boundaries.iter().enumerate().find_map(|(number, boundary)| {
        let keys =
            [("temperature", boundary.temperature), ("heat_flux", boundary.heat_flux)].into_iter();
        keys.filter(|(_, value)| value.is_some())
            .map(|(key, _)| format!("boundary[{number}].{key}"))
            .next()
    });
    let found = [
        (!scene.sources.is_empty()).then(|| "source[0]".to_owned()),
        (!scene.vortices.is_empty()).then(|| "vortex[0]".to_owned()),
        scene.initial.is_some().then(|| "initial".to_owned()),
        wind.map(|number| format!("force[{number}].wind")),
        hot,
    ];
    let message = "must be left out: it is of smoke (solver = \"stable_fluids\")";
    // Walls that move are enough for air.
    let is_empty = found.iter().all(Option::is_none) && scene.has_smoke();
    let nothing = is_empty.then(|| Problem::new("fluid", meniscus_scene::check::NO_FLUID));
    let foreign = found.into_iter().flatten().map(move |key| Problem::new(key, message));
    foreign.chain(nothing)
}
