//! A watch for energy that comes from nowhere.

use glam::DVec3;
use meniscus_methods::Chosen;
use meniscus_model::Scene;
use meniscus_scene::{Kernel, Response};

use crate::FrameReport;

/// Share of what was available by which energy may grow: sampling and compression at the start take some percent.
const SHARE: f64 = 0.1;

/// Warns, once, when a fluid has more energy than it started with: kinetic energy and that in gravity can only fall where
/// nothing moves, feeds or pulls it.
#[derive(Clone, Debug)]
pub struct EnergyWatch {
    gravity: DVec3,
    start: Option<f64>,
    warned: bool,
    advice: String,
}

impl EnergyWatch {
    /// A watch of a scene; `None` if something in it works on the fluid: emitters, drains, moving solids, bodies, muscles,
    /// forces, surface tension, open boundaries, or gravity along a periodic axis.
    #[must_use]
    pub fn of(scene: &Scene, chosen: &Chosen) -> Option<Self> {
        let gravity = DVec3::from(scene.gravity);
        let moves = scene.boundaries.iter().any(|boundary| !boundary.motion.is_empty());
        let tense = scene.materials.iter().any(|material| material.surface_tension > 0.0);
        let driven = scene
            .domain
            .as_ref()
            .is_some_and(|domain| (0..3).any(|axis| domain.periodic[axis] && gravity[axis] != 0.0));
        let works = moves
            || tense
            || chosen.models().iter().any(|model| model.works)
            || driven
            || !chosen.family().has_particles
            || !scene.emitters.is_empty()
            || !scene.drains.is_empty()
            || !scene.inlets.is_empty()
            || !scene.outlets.is_empty()
            || !scene.bodies.is_empty()
            || !scene.forces.is_empty();
        let advice = advice(scene, chosen);
        (!works).then_some(Self { gravity, start: None, warned: false, advice })
    }

    /// Takes the report of a frame, the first as the start; a sentence when there is too much energy for the first time.
    pub fn frame(&mut self, report: &FrameReport) -> Option<String> {
        let energy = report.kinetic_energy + report.potential_energy;
        let start = *self.start.get_or_insert(energy);
        // The lowest point that the fluid has reached.
        let corners = [report.bounds_min, report.bounds_max].map(DVec3::from);
        let lowest = (self.gravity * corners[0]).max(self.gravity * corners[1]).element_sum();
        let available = start + report.mass * lowest;
        let excess = energy - start;
        if self.warned || available <= 0.0 || excess <= SHARE * available {
            return None;
        }
        self.warned = true;
        Some(format!(
            "at {:.4} s the fluid has {excess:.3e} J more than at the start, when {available:.3e} J were available: pictures \
             and numbers from here on are wrong; {}",
            report.time, self.advice
        ))
    }
}

/// What keeps the energy, the likeliest first.
fn advice(scene: &Scene, chosen: &Chosen) -> String {
    let particles = scene
        .boundaries
        .iter()
        .position(|boundary| matches!(chosen.response(boundary), Response::Particles { .. }));
    if let Some(number) = particles.filter(|_| chosen.sph().is_some()) {
        return format!(
            "walls of particles heat water of little viscosity: boundary[{number}].response.volume = {{}}, or more viscosity, \
             keeps its energy"
        );
    }
    if chosen.sph().is_some() && chosen.kernel(scene) != Kernel::WendlandC2 {
        return "kernel = \"wendland_c2\", without support_radius, or more viscosity, keeps its energy".into();
    }
    match chosen.sph() {
        Some(sph) if sph.needs_viscosity => {
            "another solver, or more viscosity, keeps its energy: this one's forces do not".into()
        }
        _ => "a smaller time.cfl may help".into(),
    }
}
