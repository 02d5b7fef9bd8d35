//! A watch for what spoils a run without stopping it: energy that comes from nowhere, and particles that pair.

use glam::DVec3;
use meniscus_methods::Chosen;
use meniscus_model::Scene;
use meniscus_scene::{Kernel, Response};

use crate::FrameReport;

/// Share of what was available by which energy may grow: sampling and compression at the start take some percent.
const SHARE: f64 = 0.1;

/// Share of the particles that may be nearer than half a spacing to another one, and reports in a row in which there are more of them
/// where particles pair: splashes press a few together for a moment.
const PAIRED: f64 = 0.05;
const LASTING: u32 = 30;

/// Support radius in particle radii from which particles pair by the cubic spline, whose gradient falls off towards 0 within
/// two thirds of it: water at rest has none nearer than 0.8 spacings at 4, and one in eight nearer than 0.65 at 5.
const PAIRING_SUPPORT: f64 = 4.4;

/// Warns, once of each, when a fluid has more energy than it started with, and when more than 5 % of its particles pair and stay so.
#[derive(Clone, Debug)]
pub struct Watch {
    energy: Option<Energy>,
    /// What keeps particles apart, until pairs were warned of; absent without SPH.
    pairs: Option<String>,
    /// Reports in a row with pairs.
    paired: u32,
}

impl Watch {
    /// A watch of a scene.
    #[must_use]
    pub fn of(scene: &Scene, chosen: &Chosen) -> Self {
        let pairs = chosen.sph().map(|_| apart(scene, chosen));
        Self { energy: Energy::of(scene, chosen), pairs, paired: 0 }
    }

    /// Whether there is nothing left to warn of.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.energy.is_none() && self.pairs.is_none()
    }

    /// Stops watching the energy, since something works on the fluid that the scene does not tell.
    pub fn forget_energy(&mut self) {
        self.energy = None;
    }

    /// Takes the report of a frame, the first as the start; a sentence on what is found for the first time.
    pub fn frame(&mut self, report: &FrameReport) -> Vec<String> {
        let grown = self.energy.as_mut().and_then(|energy| energy.frame(report));
        self.energy.take_if(|_| grown.is_some());
        let close = report.close.unwrap_or(0.0);
        self.paired = if close > PAIRED { self.paired + 1 } else { 0 };
        let lasting = self.paired >= LASTING;
        let paired = self.pairs.take_if(|_| lasting).map(|advice| {
            format!(
                "at {:.4} s {:.1} % of the particles are nearer than half a spacing to another one: such a pair acts as one \
                 particle, and the fluid is coarser than particle_radius says; {advice}",
                report.time,
                100.0 * close
            )
        });
        grown.into_iter().chain(paired).collect()
    }
}

/// What keeps particles apart, the likeliest first: thick liquids pair where the flow draws them out (honey from a mouth: 64 %,
/// with shifts 2 %), thin ones by the kernel.
fn apart(scene: &Scene, chosen: &Chosen) -> String {
    let has = |name: &str| chosen.methods().any(|method| method.name == name);
    let (thick, shifts) = (has("implicit"), has("shifting"));
    let wide = chosen.support_radius(scene) > PAIRING_SUPPORT * scene.particle_radius;
    let kernel = match chosen.kernel(scene) {
        Kernel::WendlandC2 => None,
        Kernel::CubicSpline if !wide => Some("kernel = \"wendland_c2\""),
        _ => Some("kernel = \"wendland_c2\", without support_radius,"),
    };
    match kernel {
        Some(kernel) if !thick || shifts => format!("{kernel} keeps them apart"),
        _ if !shifts => "the table [shifting] keeps most of them apart".into(),
        _ => "a smaller time.cfl, or more viscosity, may help".into(),
    }
}

/// Energy at the start, which kinetic energy and that in gravity can only fall from where nothing moves, feeds or pulls the fluid.
#[derive(Clone, Debug)]
struct Energy {
    gravity: DVec3,
    start: Option<f64>,
    advice: String,
}

impl Energy {
    /// A watch of a scene; `None` if something in it works on the fluid: emitters, drains, moving solids, bodies, muscles,
    /// forces, surface tension, open boundaries, or gravity along a periodic axis.
    fn of(scene: &Scene, chosen: &Chosen) -> Option<Self> {
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
            || scene.capacity.is_some()
            || !scene.drains.is_empty()
            || !scene.inlets.is_empty()
            || !scene.outlets.is_empty()
            || !scene.bodies.is_empty()
            || !scene.forces.is_empty();
        let advice = advice(scene, chosen);
        (!works).then_some(Self { gravity, start: None, advice })
    }

    /// Takes the report of a frame, the first as the start; a sentence when there is too much energy.
    fn frame(&mut self, report: &FrameReport) -> Option<String> {
        let energy = report.kinetic_energy + report.potential_energy;
        let start = *self.start.get_or_insert(energy);
        // The lowest point that the fluid has reached.
        let corners = [report.bounds_min, report.bounds_max].map(DVec3::from);
        let lowest = (self.gravity * corners[0]).max(self.gravity * corners[1]).element_sum();
        let available = start + report.mass * lowest;
        let excess = energy - start;
        // Not with NaN, of worlds with gravities of their own.
        let is_much = available > 0.0 && excess > SHARE * available;
        if !is_much {
            return None;
        }
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
