//! The physical parameters that can be changed while the simulation runs.

use glam::Vec3;
use meniscus::model::{
    Params, Scene, Setup,
    params::{ForceField, MAX_FORCE_FIELDS, Material},
};

/// What the sliders hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tuning {
    /// m/s².
    pub(crate) gravity: Vec3,
    pub(crate) materials: Vec<Fluid>,
    /// k of the equation of state, the same for all materials, in m²/s².
    pub(crate) stiffness: f32,
    /// Pressures below 0 become 0.
    pub(crate) clamp_pressure: bool,
    /// l, in m⁻¹.
    pub(crate) surface_threshold: f32,
    /// Factor on every limit of the step.
    pub(crate) cfl: f32,
    /// Fixed step in s; 0 when adaptive.
    pub(crate) fixed_step: f32,
    /// Largest adaptive step in s, before the limits of viscosity and tension.
    pub(crate) max_step: f32,
    /// The scene's own force fields.
    pub(crate) fields: Vec<ForceField>,
}

/// One material.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fluid {
    pub(crate) name: String,
    /// kg/m³.
    pub(crate) rest_density: f32,
    /// Pa·s.
    pub(crate) viscosity: f32,
    /// N/m.
    pub(crate) surface_tension: f32,
}

impl Tuning {
    /// As the scene has them.
    pub(crate) fn of(scene: &Scene, setup: &Setup) -> Self {
        let params = &setup.params;
        let fluid = |(scene, material): (&meniscus::model::scene::Material, &Material)| Fluid {
            name: scene.name.clone(),
            rest_density: material.rest_density,
            viscosity: material.viscosity,
            surface_tension: material.surface_tension,
        };
        // An emitter sends out one layer a step at most.
        let intervals = setup.emitters.iter().map(|emitter| emitter.interval);
        Self {
            gravity: params.gravity,
            materials: scene.materials.iter().zip(&params.materials).map(fluid).collect(),
            stiffness: params.materials[0].stiffness,
            clamp_pressure: params.clamp_pressure == 1,
            surface_threshold: params.surface_threshold,
            cfl: params.cfl,
            fixed_step: params.fixed_step,
            max_step: intervals.fold(scene.time.max_step as f32, f32::min),
            fields: params.force_fields[..params.force_field_count as usize].to_vec(),
        }
    }

    /// Writes them into the parameters, with the force field of the hand where it is down.
    pub(crate) fn apply(&self, params: &mut Params, hand: Option<ForceField>) {
        params.gravity = self.gravity;
        params.clamp_pressure = u32::from(self.clamp_pressure);
        params.surface_threshold = self.surface_threshold;
        params.cfl = self.cfl;
        params.fixed_step = self.fixed_step;
        params.sound_speed = self.stiffness.sqrt();
        for (material, tuned) in params.materials.iter_mut().zip(&self.materials) {
            material.rest_density = tuned.rest_density;
            material.mass = tuned.rest_density * material.rest_volume;
            material.viscosity = tuned.viscosity;
            material.surface_tension = tuned.surface_tension;
            material.stiffness = self.stiffness;
        }
        params.max_step = self.step_limit(params.support_radius);
        // The hand takes the last place where all are taken.
        let most = MAX_FORCE_FIELDS - usize::from(hand.is_some());
        let fields = self.fields.iter().copied().take(most).chain(hand);
        let mut count = 0;
        for (slot, field) in params.force_fields.iter_mut().zip(fields) {
            *slot = field;
            count += 1;
        }
        params.force_field_count = count;
    }

    /// The largest adaptive step: 0.125 (h/2)²/ν of each viscosity, 0.25 √(ρ(h/2)³/(2πσ)) of each
    /// tension, as `Setup` has them.
    fn step_limit(&self, support_radius: f32) -> f32 {
        let half = 0.5 * support_radius;
        let mut limit = self.max_step;
        for fluid in &self.materials {
            if fluid.viscosity > 0.0 {
                let nu = fluid.viscosity / fluid.rest_density;
                limit = limit.min(self.cfl * 0.125 * half * half / nu);
            }
            if fluid.surface_tension > 0.0 {
                let around = 2.0 * std::f32::consts::PI * fluid.surface_tension;
                let squared = fluid.rest_density * half.powi(3) / around;
                limit = limit.min(self.cfl * 0.25 * squared.sqrt());
            }
        }
        limit
    }
}

#[cfg(test)]
mod tests {
    use meniscus_formats::{LoadOptions, SCENES, load_scene};

    use super::*;

    #[test]
    fn untouched_sliders_change_nothing() {
        for scene in SCENES {
            let scene = load_scene(scene.name, &LoadOptions::default()).expect("bundled").scene;
            let setup = Setup::new(&scene).expect("valid");
            let mut params = setup.params;
            Tuning::of(&scene, &setup).apply(&mut params, None);
            let relative = (params.max_step / setup.params.max_step - 1.0).abs();
            assert!(relative < 1e-5, "{}: {relative}", scene.title);
            let relative = (params.sound_speed / setup.params.sound_speed - 1.0).abs();
            assert!(relative < 1e-5, "{}: {relative}", scene.title);
            for (tuned, own) in params.materials.iter().zip(&setup.params.materials) {
                assert!((tuned.mass - own.mass).abs() <= 1e-6 * own.mass);
            }
            let rest = Params {
                max_step: setup.params.max_step,
                sound_speed: setup.params.sound_speed,
                materials: setup.params.materials,
                ..params
            };
            assert_eq!(rest, setup.params, "{}", scene.title);
        }
    }

    #[test]
    fn the_hand_finds_a_place_among_the_fields() {
        let scene = load_scene("splash", &LoadOptions::default()).expect("bundled").scene;
        let setup = Setup::new(&scene).expect("valid");
        let mut tuning = Tuning::of(&scene, &setup);
        let hand = ForceField { strength: 7.0, ..ForceField::default() };
        let mut params = setup.params;
        tuning.apply(&mut params, Some(hand));
        assert_eq!((params.force_field_count, params.force_fields[1]), (2, hand));
        tuning.fields = vec![ForceField::default(); MAX_FORCE_FIELDS];
        tuning.apply(&mut params, Some(hand));
        assert_eq!((params.force_field_count, params.force_fields[7]), (8, hand));
    }
}
