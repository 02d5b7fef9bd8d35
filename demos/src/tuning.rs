//! Physical parameters that can be changed while the simulation runs.

use glam::Vec3;
use meniscus::model::{
    Params, Scene, Setup, limits,
    params::{ForceField, MAX_FORCE_FIELDS, Material},
    scene::Solver,
};

/// Values of the sliders.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tuning {
    /// Gravity in m/s².
    pub(crate) gravity: Vec3,
    pub(crate) materials: Vec<Fluid>,
    pub(crate) solver: Solver,
    /// Stiffness of the first material in the equation of state: k in m²/s², equal for all
    /// materials, or B in Pa, proportional to the rest density.
    pub(crate) stiffness: f32,
    /// Clamp negative pressures to 0.
    pub(crate) clamp_pressure: bool,
    /// Threshold l on the colour field's gradient for surface tension, in m⁻¹.
    pub(crate) surface_threshold: f32,
    /// CFL factor, which scales every limit on the time step.
    pub(crate) cfl: f32,
    /// Fixed time step in s; 0 for adaptive steps.
    pub(crate) fixed_step: f32,
    /// Largest adaptive step in s, before the limits due to viscosity and surface tension.
    pub(crate) max_step: f32,
    /// The scene's own force fields.
    pub(crate) fields: Vec<ForceField>,
}

/// Properties of a material.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fluid {
    pub(crate) name: String,
    /// Rest density in kg/m³.
    pub(crate) rest_density: f32,
    /// Dynamic viscosity in Pa·s.
    pub(crate) viscosity: f32,
    /// Surface tension in N/m.
    pub(crate) surface_tension: f32,
}

impl Tuning {
    /// Parameters as given by the scene.
    pub(crate) fn of(scene: &Scene, setup: &Setup) -> Self {
        let params = &setup.params;
        let fluid = |(scene, material): (&meniscus::model::scene::Material, &Material)| Fluid {
            name: scene.name.clone(),
            rest_density: material.rest_density,
            viscosity: material.viscosity,
            surface_tension: material.surface_tension,
        };
        // An emitter emits at most one layer per step.
        let intervals = setup.emitters.iter().map(|emitter| emitter.interval);
        Self {
            gravity: params.world.gravity,
            materials: scene.materials.iter().zip(&params.materials).map(fluid).collect(),
            solver: setup.solver,
            stiffness: params.materials[0].stiffness,
            clamp_pressure: params.sph.clamp_pressure == 1,
            surface_threshold: params.sph.surface_threshold,
            cfl: params.time.cfl,
            fixed_step: params.time.fixed_step,
            max_step: intervals.fold(scene.time.max_step as f32, f32::min),
            fields: params.force_fields[..params.counts.force_fields as usize].to_vec(),
        }
    }

    /// Writes the values into `params`, with the hand's force field if it is active.
    pub(crate) fn apply(&self, params: &mut Params, hand: Option<ForceField>) {
        params.world.gravity = self.gravity;
        params.sph.clamp_pressure = u32::from(self.clamp_pressure);
        params.sph.surface_threshold = self.surface_threshold;
        params.time.cfl = self.cfl;
        params.time.fixed_step = self.fixed_step;
        for (material, tuned) in params.materials.iter_mut().zip(&self.materials) {
            material.rest_density = tuned.rest_density;
            material.mass = tuned.rest_density * material.rest_volume;
            material.viscosity = tuned.viscosity;
            material.surface_tension = tuned.surface_tension;
        }
        let first = params.materials[0].rest_density;
        params.time.sound_speed = match self.solver {
            Solver::Muller => self.stiffness.sqrt(),
            Solver::Wcsph => (params.sph.gamma * self.stiffness / first).sqrt(),
            _ => 0.0,
        };
        for material in params.materials.iter_mut().take(self.materials.len()) {
            let share = match self.solver {
                Solver::Wcsph => material.rest_density / first,
                _ => 1.0,
            };
            material.stiffness = share * self.stiffness;
        }
        let count = self.materials.len().min(params.materials.len());
        let limit =
            limits::by_materials(params.kernel.support_radius.into(), &params.materials[..count]);
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

#[cfg(test)]
mod tests {
    use meniscus_formats::{LoadOptions, SCENES, load_scene};

    use super::*;

    #[test]
    fn untouched_sliders_change_nothing() {
        for (scene, (_, solver)) in
            SCENES.iter().flat_map(|scene| Solver::ALL.iter().map(move |solver| (scene, solver)))
        {
            let mut scene = load_scene(scene.name, &LoadOptions::default()).expect("bundled").scene;
            scene.solver = *solver;
            let Ok(setup) = Setup::new(&scene) else {
                assert!(!scene.bodies.is_empty(), "{}: only bodies may be too light", scene.title);
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
