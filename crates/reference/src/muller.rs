//! Müller, Charypar, Gross 2003 (`wgsl/muller/`).

use glam::DVec3;
use meniscus_model::params::kind;

use crate::World;
use crate::kernels::Kernels;
use crate::space::{with_w, xyz};
use crate::world::is_kind;

/// Pressure p = k(ρ − ρ0) (M 12), clamped at 0 if asked for, and volume V = m/ρ.
pub(crate) fn pressure(world: &mut World) {
    for i in world.sorted_fluid() {
        let material = world.material(world.sorted_identity[i]);
        let density = world.density[i];
        let p = f64::from(material.stiffness) * (density - f64::from(material.rest_density));
        let clamp = world.params.clamp_pressure == 1;
        world.sorted_velocity[i][3] = if clamp { p.max(0.0) } else { p };
        world.sorted_position[i][3] = f64::from(material.mass) / density;
    }
}

/// Acceleration f/ρ (M 8) by pressure (M 10), viscosity (M 14) and surface tension (M 19), and
/// |n| of the colour field (M 16).
pub(crate) fn forces(world: &mut World) {
    world.pairs.update(&world.params, &world.sorted_position[world.particles()]);
    for i in world.sorted_fluid() {
        let (force, normal) = force_density(world, i);
        world.acceleration[i] = with_w(force / world.density[i], normal.length());
    }
}

/// The force density in N/m³ on particle i, and the colour field's gradient n in m⁻¹.
fn force_density(world: &World, i: usize) -> (DVec3, DVec3) {
    let kernels = Kernels::of(&world.params);
    let viscosity = |k: usize| f64::from(world.material(world.sorted_identity[k]).viscosity);
    let (velocity, pressure) = (xyz(world.sorted_velocity[i]), world.sorted_velocity[i][3]);

    let mut force = DVec3::ZERO;
    let mut normal = DVec3::ZERO;
    let mut laplacian = 0.0;
    for pair in world.pairs.of(i) {
        let volume = world.sorted_position[pair.j][3].abs();
        let other = world.sorted_velocity[pair.j];
        // Boundary particles mirror the pressure (Akinci 2012) and have a friction in its place.
        let wall = is_kind(world.sorted_identity[pair.j], kind::BOUNDARY);
        let other_pressure = if wall { pressure } else { other[3] };
        let mu = match world.params.mixed_viscosity {
            _ if wall => other[3] * viscosity(i),
            1 => 0.5 * (viscosity(i) + viscosity(pair.j)),
            _ => viscosity(i),
        };
        // (10) with the sum p_i + p_j: the mean gives half the gradient (tests/proofs/forces.rs).
        let calibration = f64::from(world.params.gradient_calibration);
        force -= calibration
            * volume
            * (pressure + other_pressure)
            * kernels.pressure_gradient(pair.offset);
        // (14)
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
