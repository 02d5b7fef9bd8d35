//! Checks of particles (`wgsl/check/`).

use meniscus_model::control::{FAILURE_NOT_FINITE, FAILURE_RUNAWAY};
use meniscus_model::params::RUNAWAY_CELLS;

use crate::World;
use crate::space::xyz;

/// Records particles that are not finite or 2²⁰ cells away, with the smallest id among them, and
/// the largest speed of the finite ones.
pub(crate) fn limits(world: &mut World) {
    for i in world.handled() {
        let x = xyz(world.position[i]);
        let v = xyz(world.velocity[i]);
        let finite = x.as_vec3().is_finite() && v.as_vec3().is_finite();
        let cells = x * world.params.grid.inverse_cell.as_dvec3();
        let runaway = cells.abs().max_element() >= f64::from(RUNAWAY_CELLS);

        let control = &mut world.control;
        if finite {
            let bits = (v.length() as f32).to_bits();
            control.max_speed_bits = control.max_speed_bits.max(bits);
        }
        let failure = match (finite, runaway) {
            (false, _) => FAILURE_NOT_FINITE,
            (true, true) => FAILURE_RUNAWAY,
            (true, false) => continue,
        };
        control.pending_failure |= failure;
        control.failure_id = control.failure_id.min(world.identity[i][0]);
    }
}
