//! Becker, Teschner 2007 (`wgsl/wcsph/`).

use crate::World;
use crate::forces;

/// Pressure p = B((ρ/ρ0)^γ − 1) (ST 4), clamped at 0 if asked for, and volume V = m/ρ.
pub(crate) fn pressure(world: &mut World) {
    let gamma = f64::from(world.params.gamma);
    for i in world.sorted_fluid() {
        let material = world.material(world.sorted_identity[i]);
        let ratio = world.density[i] / f64::from(material.rest_density);
        world.set_pressure(i, f64::from(material.stiffness) * (ratio.powf(gamma) - 1.0));
    }
}

/// Acceleration by all forces; the pressure's is `ρ_i` Σ `m_j` (`p_i/ρ_i²` + `p_j/ρ_j²`) ∇W (ST 3) with
/// masses written as volumes, and 2 `V_b` `p_i` of walls.
pub(crate) fn forces(world: &mut World) {
    forces::evaluate(world, |own, other| {
        if other.wall {
            2.0 * other.volume * own.pressure
        } else {
            own.volume * own.pressure + other.volume.powi(2) * other.pressure / own.volume
        }
    });
}
