//! All forces on fluid particles (`wgsl/common/forces.wgsl`).

use glam::DVec3;
use meniscus_model::params::kind;

use crate::World;
use crate::kernels::Kernels;
use crate::space::{with_w, xyz};
use crate::world::is_kind;

/// What a pressure force is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Particle {
    /// V in m³.
    pub(crate) volume: f64,
    /// p in Pa.
    pub(crate) pressure: f64,
    /// Whether it is a boundary particle.
    pub(crate) wall: bool,
}

/// Acceleration f/ρ (M 8) by pressure, viscosity (M 14) and surface tension (M 19), and |n| of the
/// colour field (M 16). `term` is the factor on −∇W in the force density of pressure, for a
/// particle and its neighbour.
pub(crate) fn evaluate(world: &mut World, term: impl Fn(Particle, Particle) -> f64) {
    world.pairs.update(&world.params, &world.sorted_position[world.particles()]);
    for i in world.sorted_fluid() {
        let (force, normal) = force_density(world, i, &term);
        world.acceleration[i] = with_w(force / world.density[i], normal.length());
    }
}

/// The force density in N/m³ on particle i, and the colour field's gradient n in m⁻¹.
fn force_density(
    world: &World,
    i: usize,
    term: &impl Fn(Particle, Particle) -> f64,
) -> (DVec3, DVec3) {
    let kernels = Kernels::of(&world.params);
    let viscosity = |k: usize| f64::from(world.material(world.sorted_identity[k]).viscosity);
    let velocity = xyz(world.sorted_velocity[i]);
    let own = Particle {
        volume: world.sorted_position[i][3],
        pressure: world.sorted_velocity[i][3],
        wall: false,
    };

    let mut force = DVec3::ZERO;
    let mut normal = DVec3::ZERO;
    let mut laplacian = 0.0;
    for pair in world.pairs.of(i) {
        let volume = world.sorted_position[pair.j][3].abs();
        let other = world.sorted_velocity[pair.j];
        // Boundary particles mirror the pressure (Akinci 2012) and have a friction in its place.
        let wall = is_kind(world.sorted_identity[pair.j], kind::BOUNDARY);
        let pressure = if wall { own.pressure } else { other[3] };
        let mu = match world.params.mixed_viscosity {
            _ if wall => other[3] * viscosity(i),
            1 => 0.5 * (viscosity(i) + viscosity(pair.j)),
            _ => viscosity(i),
        };
        let factor = f64::from(world.params.gradient_calibration)
            * term(own, Particle { volume, pressure, wall });
        force -= factor * kernels.pressure_gradient(pair.offset);
        // (14)
        let mu = f64::from(world.params.viscosity_calibration) * mu;
        force += mu * volume * (xyz(other) - velocity) * kernels.drag(pair.r);
        // (16), and ∇² of the colour field (15)
        normal += volume * kernels.density_gradient(pair.offset);
        laplacian += volume * kernels.density_laplacian(pair.r);
    }
    if normal.length() > f64::from(world.params.surface_threshold) {
        // (19)
        let tension = f64::from(world.material(world.sorted_identity[i]).surface_tension);
        force -= tension * laplacian * normal.normalize();
    }
    (force, normal)
}
