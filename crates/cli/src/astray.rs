//! Particles that have left the domain: where they went, and a `[domain]` that holds them.

use glam::DVec3;
use meniscus::{FrameReport, Scene, Simulation, raw::Setup, scene::Side};

/// Names of the axes.
const AXES: [&str; 3] = ["x", "y", "z"];
/// Widths of the domain up to which a wider one is proposed: fluid beyond falls for ever.
const WIDEST: f64 = 10.0;

/// Open sides of a grid method's box through which particles have left: lower and upper of each axis.
#[derive(Debug, Default)]
pub(crate) struct Astray {
    left: u32,
    sides: [[bool; 2]; 3],
    /// Sides at which there is a wall: fluid at them is held.
    closed: [[bool; 2]; 3],
}

impl Astray {
    /// Of a run that goes on with this simulation.
    pub(crate) fn of(simulation: &Simulation, scene: &Scene) -> Self {
        let setup = simulation.setup();
        let [low, high] = covered(setup);
        let near = 3.0 * setup.params.grid.inverse_cell.as_dvec3().recip();
        let closed = std::array::from_fn(|axis| {
            [low, high].map(|end| {
                let mut side = 0.5 * (low + high);
                side[axis] = end[axis];
                scene.boundaries.iter().any(|wall| match wall.shape.is_endless() {
                    true => {
                        let depth = |point| wall.shape.depth(point, scene.dimensions);
                        let faces = (depth(side + DVec3::AXES[axis]) - depth(side)).abs() > 0.7;
                        faces && depth(side).abs() < near[axis]
                    }
                    false => {
                        let (middle, half) = wall.shape.bounds();
                        let ends = [middle[axis] - half[axis], middle[axis] + half[axis]];
                        wall.side == Side::Inside
                            && ends.iter().any(|wall| (wall - end[axis]).abs() < near[axis])
                    }
                })
            })
        });
        Self { left: simulation.control().left, closed, ..Self::default() }
    }

    /// Whether particles have left since the last report, of which [`Astray::see`] wants to know.
    pub(crate) fn asks(&self, simulation: &Simulation) -> bool {
        simulation.control().left > self.left
    }

    /// Notes the sides that the fluid is at: what leaves in a frame is followed by other fluid.
    pub(crate) fn see(&mut self, report: &FrameReport, setup: &Setup) {
        self.left = report.left;
        let ([low, high], cell) =
            (covered(setup), setup.params.grid.inverse_cell.as_dvec3().recip());
        for axis in 0..setup.params.world.dimensions as usize {
            let near = 2.0 * cell[axis];
            let [lower, upper] = &mut self.sides[axis];
            let closed = self.closed[axis];
            *lower |= !closed[0] && report.bounds_min[axis] < low[axis] + near;
            *upper |= !closed[1] && report.bounds_max[axis] > high[axis] - near;
        }
    }

    /// Warning at the end of a run; empty if none have left.
    pub(crate) fn warning(&self, setup: &Setup) -> String {
        if self.left == 0 {
            return String::new();
        }
        let [low, high] = covered(setup);
        let width = high - low;
        let (mut wider_low, mut wider_high) = (low, high);
        let mut through = Vec::new();
        for (axis, [lower, upper]) in self.sides.into_iter().enumerate() {
            let name = AXES[axis];
            // What is in between is closed or periodic.
            if lower {
                through.push(format!("{name} = {}", rounded(low[axis])));
                wider_low[axis] -= 0.5 * width[axis];
            }
            if upper {
                through.push(format!("{name} = {}", rounded(high[axis])));
                wider_high[axis] += 0.5 * width[axis];
            }
        }
        let advice = match through.is_empty() {
            true => "a larger [domain] keeps them".to_owned(),
            false => format!(
                "try {}, or close its sides by a [[boundary]]",
                domain(wider_low, wider_high, setup)
            ),
        };
        let at = match through.is_empty() {
            true => String::new(),
            false => format!(" (at {})", through.join(", ")),
        };
        format!(
            "{} particles have left the domain through open sides{at} and were removed; {advice}\n",
            self.left
        )
    }
}

/// Warning about particles that the surface of a frame leaves out, in which the fluid is between these corners in m.
pub(crate) fn beyond(count: u32, [fluid_low, fluid_high]: [DVec3; 2], setup: &Setup) -> String {
    let said = format!("{count} particles have left the domain and are not part of the surface");
    let [low, high] = covered(setup);
    let (wider_low, wider_high) = (low.min(fluid_low), high.max(fluid_high));
    let flat =
        if setup.params.world.dimensions == 2 { DVec3::new(1.0, 1.0, 0.0) } else { DVec3::ONE };
    let ratio = (wider_high - wider_low) * flat / (high - low).max(DVec3::splat(1e-12));
    if !ratio.is_finite() {
        return said;
    }
    if ratio.max_element() > WIDEST {
        let places = (0..3).filter(|axis| ratio[*axis] > WIDEST).map(|axis| {
            let is_under = low[axis] - fluid_low[axis] > fluid_high[axis] - high[axis];
            let end = if is_under { fluid_low[axis] } else { fluid_high[axis] };
            format!("{} = {}", AXES[axis], rounded(end))
        });
        let places = places.collect::<Vec<_>>().join(", ");
        return format!(
            "{said}, as far as {places}; a floor, a [[drain]] or a larger [domain] takes care of them"
        );
    }
    if ratio.max_element() <= 1.0 {
        // The cells do not cover the whole of a huge domain.
        return format!(
            "{said}, which covers [{}] to [{}] of it; a smaller [domain] is covered whole",
            list(low, setup),
            list(high, setup)
        );
    }
    let margin = DVec3::splat(2.0 * f64::from(setup.params.world.particle_radius));
    format!("{said}; with {} they are", domain(wider_low - margin, wider_high + margin, setup))
}

/// Corners in m of what the cells of the simulation cover, without the spare cell at either end.
fn covered(setup: &Setup) -> [DVec3; 2] {
    let grid = &setup.params.grid;
    let cell = grid.inverse_cell.as_dvec3().recip();
    let low = grid.origin.as_dvec3() + setup.center;
    let spare = |axis: usize| if grid.period[axis] > 0.0 { 0.0 } else { cell[axis] };
    let spare = DVec3::new(spare(0), spare(1), spare(2));
    [low + spare, low + grid.size.as_dvec3() * cell - spare]
}

/// A table of a scene, rounded outwards.
fn domain(low: DVec3, high: DVec3, setup: &Setup) -> String {
    let step = 10.0_f64.powf((high - low).max_element().max(1e-12).log10().floor() - 1.0);
    let low = (low / step + 1e-6).floor() * step;
    let high = (high / step - 1e-6).ceil() * step;
    format!("[domain] min = [{}], max = [{}]", list(low, setup), list(high, setup))
}

fn list(point: DVec3, setup: &Setup) -> String {
    let numbers = point.to_array();
    let shown: Vec<_> =
        numbers[..setup.params.world.dimensions as usize].iter().map(|x| rounded(*x)).collect();
    shown.join(", ")
}

/// A number with at most three decimals, or as many as a small one needs for two digits.
fn rounded(value: f64) -> String {
    let digits =
        if value == 0.0 { 1 } else { (2 - value.abs().log10().floor() as i32).clamp(1, 6) };
    let text = format!("{value:.*}", digits as usize);
    let text = text.trim_end_matches('0');
    let text = if text.ends_with('.') { format!("{text}0") } else { text.to_owned() };
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use meniscus::scene::{Boundary, Domain, Fluid, Plane, Shape};

    use super::*;

    fn setup() -> Setup {
        let floor = Plane { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
        let scene = Scene::new(0.01)
            .with_fluid(Fluid::block([0.0; 3], [0.2; 3]))
            .with_boundary(Boundary::container(Shape::Plane(floor)))
            .with_domain(Domain { min: [0.0; 3], max: [0.4, 0.4, 0.2], periodic: [false; 3] });
        Setup::new(&scene).expect("a valid scene")
    }

    #[test]
    fn a_domain_is_proposed_that_has_room() {
        let setup = setup();
        let text = beyond(7, [DVec3::ZERO, DVec3::new(0.513, 0.2, 0.2)], &setup);
        let start = "7 particles have left the domain and are not part of the surface; with [domain] min = [";
        assert!(text.starts_with(start), "{text}");
        assert!(text.contains("max = [0.54, "), "{text}");
        let text = beyond(7, [DVec3::new(0.0, -30.0, 0.0), DVec3::splat(0.2)], &setup);
        assert!(text.contains(", as far as y = -30.0; a floor, a [[drain]]"), "{text}");
    }
}
