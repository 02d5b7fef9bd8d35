//! Physical parameters that can be changed while the simulation runs.

use std::sync::Arc;

use glam::Vec3;
use meniscus::{
    Scene,
    methods::{Axis, Chosen, Context, Family, KeyKind, Matter},
    raw::{
        Params, Setup,
        model::{
            params::{ForceField, MAX_FORCE_FIELDS, MaterialParams},
            setup::apply_methods,
        },
    },
};

/// Values of the sliders.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tuning {
    /// Gravity in m/s².
    pub gravity: Vec3,
    /// Materials, in the scene's order.
    pub materials: Vec<MaterialSettings>,
    /// Keys of the scene's methods.
    pub keys: Vec<MethodKey>,
    /// CFL factor, which scales every limit on the time step.
    pub cfl: f32,
    /// Fixed time step in s; 0 for adaptive steps.
    pub fixed_step: f32,
    /// Largest adaptive step in s, before the limits due to viscosity and surface tension.
    pub max_step: f32,
    /// The scene's own force fields.
    pub fields: Vec<ForceField>,
    base: Base,
}

/// Properties of a material.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaterialSettings {
    /// Name in the scene.
    pub name: String,
    /// Rest density in kg/m³.
    pub rest_density: f32,
    /// Dynamic viscosity in Pa·s.
    pub viscosity: f32,
    /// Surface tension in N/m.
    pub surface_tension: f32,
}

/// Key of a method.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MethodKey {
    /// Path in scene files, as in `wcsph.gamma`.
    pub path: String,
    /// Name of a slider.
    pub label: String,
    /// Unit; empty for pure numbers.
    pub unit: &'static str,
    /// A sentence about it.
    pub help: &'static str,
    /// Value.
    pub value: Value,
}

impl MethodKey {
    /// Gives it the number, or whether it is on, in place of its own; of another kind than its own nothing is taken.
    pub fn set(&mut self, number: Option<f64>, is_on: Option<bool>) {
        match (&mut self.value, number, is_on) {
            (Value::Number(own, _), Some(number), _) => *own = number,
            (Value::Integer(own, _), Some(number), _) => *own = number as i64,
            (Value::Flag(own), _, Some(is_on)) => *own = is_on,
            _ => {}
        }
    }
}

/// Value of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// A number, with its bounds.
    Number(f64, [f64; 2]),
    /// A whole number, with its lower bound.
    Integer(i64, i64),
    /// On or off.
    Flag(bool),
}

/// The scene and its methods.
#[derive(Clone, Debug)]
struct Base {
    scene: Arc<Scene>,
    chosen: Chosen,
    expected_speed: f64,
    keys: Vec<MethodKey>,
}

impl PartialEq for Base {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.scene, &other.scene)
    }
}

impl Tuning {
    /// Parameters as given by the scene.
    #[must_use]
    pub fn of(scene: &Scene, setup: &Setup) -> Self {
        let params = &setup.params;
        let fluid =
            |(scene, material): (&meniscus::scene::Material, &MaterialParams)| MaterialSettings {
                name: scene.name.clone(),
                rest_density: material.rest_density,
                viscosity: material.viscosity,
                surface_tension: material.surface_tension,
            };
        // An emitter emits at most one layer per step.
        let intervals = setup.emitters.iter().map(|emitter| emitter.interval);
        let keys = keys(scene, setup);
        let base = Base {
            scene: Arc::new(scene.clone()),
            chosen: setup.chosen.clone(),
            expected_speed: setup.expected_speed,
            keys: keys.clone(),
        };
        Self {
            gravity: params.world.gravity,
            materials: scene.materials.iter().zip(&params.materials).map(fluid).collect(),
            keys,
            cfl: params.time.cfl,
            fixed_step: params.time.fixed_step,
            max_step: intervals.fold(scene.time.max_step as f32, f32::min),
            fields: params.force_fields[..params.counts.force_fields as usize].to_vec(),
            base,
        }
    }

    /// Family of the scene's solver.
    pub(crate) fn family(&self) -> &'static Family {
        self.base.chosen.family()
    }

    /// Whether its materials may have surface tension.
    pub(crate) fn is_tense(&self) -> bool {
        self.family().joins.contains(&Axis::Tension) || self.family().tense
    }

    /// The scene's dimensions, 2 or 3.
    pub(crate) fn dimensions(&self) -> u32 {
        self.base.scene.dimensions
    }

    /// Writes the values into `params`, with the hand's force field if it is active.
    pub fn apply(&self, params: &mut Params, hand: Option<ForceField>) {
        params.world.gravity = self.gravity;
        // Fields of a grid reach as many cells as the scene's own factor lets particles move.
        let reach = params.grid.layers as f32 - 1.0;
        let most = if self.family().long_steps { reach } else { f32::INFINITY };
        params.time.cfl = self.cfl.min(most);
        params.time.fixed_step = self.fixed_step;
        for (material, tuned) in params.materials.iter_mut().zip(&self.materials) {
            material.rest_density = tuned.rest_density;
            material.mass = tuned.rest_density * material.rest_volume;
            material.viscosity = tuned.viscosity;
            material.surface_tension = tuned.surface_tension;
        }
        let Base { scene, chosen, expected_speed, keys } = &self.base;
        let mut scene = Scene::clone(scene);
        scene.time.cfl = self.cfl.into();
        for (key, _) in self.keys.iter().zip(keys).filter(|(key, own)| key != own) {
            match key.value {
                Value::Number(value, _) => scene.settings.set(&key.path, value),
                Value::Integer(value, _) => scene.settings.set(&key.path, value),
                Value::Flag(value) => scene.settings.set(&key.path, value),
            }
        }
        let context = Context { scene: &scene, chosen, expected_speed: *expected_speed };
        apply_methods(&context, params);
        let matter = |fluid: &MaterialSettings| Matter {
            rest_density: fluid.rest_density.into(),
            viscosity: fluid.viscosity.into(),
            surface_tension: fluid.surface_tension.into(),
        };
        let matter: Vec<_> = self.materials.iter().map(matter).collect();
        let limit = chosen.longest_step(params.time.length.into(), &matter);
        params.time.max_step = self.max_step.min(self.cfl * limit as f32);
        // The hand replaces the last force field if all slots are taken.
        let most = MAX_FORCE_FIELDS - usize::from(hand.is_some());
        let fields = self.fields.iter().copied().take(most).chain(hand);
        let mut count = 0;
        for (slot, field) in params.force_fields.iter_mut().zip(fields) {
            *slot = field;
            count += 1;
        }
        params.counts.force_fields = count;
    }
}

/// Keys of the scene's methods, except choices between stages and others that act only when a simulation starts.
fn keys(scene: &Scene, setup: &Setup) -> Vec<MethodKey> {
    let context = Context { scene, chosen: &setup.chosen, expected_speed: setup.expected_speed };
    let all = setup.chosen.methods().flat_map(|method| method.keys().map(move |k| (method, k)));
    let key = |(method, key): (&meniscus::methods::Method, &meniscus::methods::Key)| {
        if key.at_start {
            return None;
        }
        let path = format!("{}.{}", method.table(), key.name);
        let value = match key.kind {
            KeyKind::Number { low, high, .. } => Value::Number(context.number(&path), [low, high]),
            KeyKind::Integer { low, .. } => Value::Integer(context.number(&path) as i64, low),
            KeyKind::Flag { .. } => Value::Flag(context.flag(&path)),
            KeyKind::Choice(_) | KeyKind::Numbers { .. } => return None,
        };
        let mut label = key.name.replace('_', " ");
        label[..1].make_ascii_uppercase();
        Some(MethodKey { path, label, unit: key.unit, help: key.help, value })
    };
    all.filter_map(key).collect()
}

#[cfg(test)]
mod tests {
    use meniscus::{
        Registry,
        methods::{Axis, Method},
    };
    use meniscus_formats::{BundledScene, LoadOptions, SCENES, load_scene};

    use super::*;

    #[test]
    fn untouched_sliders_change_nothing() {
        let registry = Registry::standard();
        let with_solvers = |scene: &BundledScene| {
            let scene = crate::coarse(scene.name);
            let family = registry.choose(&scene).expect("a solver").family();
            let with = move |method: &Method| {
                let mut scene = scene.clone();
                scene.solver = method.name.into();
                scene
            };
            registry.solvers(family).map(with).collect::<Vec<_>>()
        };
        for scene in SCENES.iter().flat_map(with_solvers) {
            let Ok(setup) = Setup::new(&scene) else {
                // Bodies may be too light for another solver, and it may have no gas.
                let refused = !scene.bodies.is_empty() || Axis::Gas.is_on(&scene);
                assert!(refused, "{}: not with {}", scene.title, scene.solver);
                continue;
            };
            let mut params = setup.params;
            Tuning::of(&scene, &setup).apply(&mut params, None);
            let relative = (params.time.max_step / setup.params.time.max_step - 1.0).abs();
            assert!(relative < 1e-5, "{}: {relative}", scene.title);
            let change = (params.time.sound_speed - setup.params.time.sound_speed).abs();
            assert!(change <= 1e-5 * setup.params.time.sound_speed, "{}: {change}", scene.title);
            for (tuned, own) in params.materials.iter().zip(&setup.params.materials) {
                assert!((tuned.mass - own.mass).abs() <= 1e-6 * own.mass);
                assert!((tuned.stiffness - own.stiffness).abs() <= 1e-6 * own.stiffness);
            }
            let mut rest = params;
            rest.time.max_step = setup.params.time.max_step;
            rest.time.sound_speed = setup.params.time.sound_speed;
            rest.materials = setup.params.materials;
            assert_eq!(rest, setup.params, "{}", scene.title);
        }
    }

    #[test]
    fn thicker_fluid_takes_smaller_steps() {
        let scene = load_scene("dam_break", &LoadOptions::default()).expect("bundled").scene;
        let setup = Setup::new(&scene).expect("valid");
        let mut tuning = Tuning::of(&scene, &setup);
        let (h, mut params) = (setup.params.kernel.support_radius, setup.params);
        tuning.materials[0].viscosity = 1000.0;
        tuning.apply(&mut params, None);
        let limit = scene.time.cfl as f32 * 0.125 * (0.5 * h).powi(2) / 1.0;
        assert!(limit < 0.1 * setup.params.time.max_step, "it bounds the step");
        assert!(
            (params.time.max_step / limit - 1.0).abs() < 1e-5,
            "{} and {limit}",
            params.time.max_step
        );
    }

    #[test]
    fn the_hand_finds_a_place_among_the_fields() {
        let scene = load_scene("splash", &LoadOptions::default()).expect("bundled").scene;
        let setup = Setup::new(&scene).expect("valid");
        let mut tuning = Tuning::of(&scene, &setup);
        let hand = ForceField { strength: 7.0, ..ForceField::default() };
        let mut params = setup.params;
        tuning.apply(&mut params, Some(hand));
        assert_eq!((params.counts.force_fields, params.force_fields[1]), (2, hand));
        tuning.fields = vec![ForceField::default(); MAX_FORCE_FIELDS];
        tuning.apply(&mut params, Some(hand));
        assert_eq!((params.counts.force_fields, params.force_fields[7]), (8, hand));
    }
}
