//! Müller, Charypar, Gross 2003 (`wgsl/muller/`).

use crate::World;

/// Pressure p = k(ρ − ρ0) (M 12), optionally clamped at 0, and volume V = m/ρ.
pub(crate) fn pressure(world: &mut World) {
    for i in world.sorted_fluid() {
        let material = world.material(world.sorted_identity[i]);
        let density = world.density[i];
        let p = f64::from(material.stiffness) * (density - f64::from(material.rest_density));
        world.set_pressure(i, p);
    }
}
