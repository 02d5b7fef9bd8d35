//! Whole simulations against analytic solutions and experiments that nobody here wrote.
//!
//! A [`Case`] sets a scene up for a solver, runs it, and states what it [measured](Measure) beside
//! the bound that holds for it, and the curves that a plot of it shows. Each has two resolutions:
//! the coarse ones are run by the tests, the fine ones by `tools validate`, which makes a table and
//! plots of them.

mod archimedes;
mod channel;
mod column;
mod dam_break;
mod drop;
mod free;
mod motion;
mod wave;

use glam::DVec3;
use meniscus::{Error, Gpu, Simulation};
use meniscus_model::{
    Scene, State,
    params::KIND_FLUID,
    scene::{Boundary, Cuboid, Fluid, Material, Plane, Response, Shape, Side},
};

use crate::device::block_on;

/// Every case, the cheapest first.
pub const CASES: &[Case] = &[
    free::CASE,
    column::CASE,
    drop::CASE,
    channel::CASE,
    wave::CASE,
    dam_break::CASE,
    archimedes::CASE,
    motion::CASE,
];

/// A physical situation with a known outcome.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Its name on command lines and in file names.
    pub name: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Set-up, source, and what is measured how.
    pub about: &'static str,
    /// The solvers for which it makes sense.
    pub solvers: &'static [&'static str],
    /// Whether there is a coarse version, cheap enough for tests.
    pub coarse: bool,
    /// The plots that its curves belong to.
    pub plots: &'static [Plot],
    /// Runs it.
    run: fn(&mut Trial<'_>) -> Result<(), Error>,
}

/// Axes that the curves of all solvers share.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Plot {
    /// What follows the case's name in the file name.
    pub name: &'static str,
    /// What is to be seen.
    pub title: &'static str,
    /// Label of the horizontal axis, with its unit.
    pub x: &'static str,
    /// Label of the vertical axis, with its unit.
    pub y: &'static str,
    /// Whether a curve is one dot for each particle, and no line.
    pub scattered: bool,
    /// What the curves should follow.
    pub expected: &'static [Expected],
}

/// The truth in a plot.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Expected {
    /// What the legend calls it.
    pub label: &'static str,
    /// Its points.
    pub points: fn() -> Vec<(f64, f64)>,
    /// Drawn as a line, not as marks.
    pub line: bool,
}

/// How finely space is resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "there are these two")]
pub enum Fineness {
    /// For tests.
    Coarse,
    /// For the table.
    Fine,
}

/// A number that a run gave, and what it must not exceed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measure {
    /// What was measured.
    pub what: &'static str,
    /// The number.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// What it may be at most.
    pub bound: f64,
    /// Where the bound is known to be missed: what it may be instead, and why.
    pub known: Option<(f64, &'static str)>,
}

impl Measure {
    /// Whether the value is within the bound.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.value <= self.bound
    }

    /// Whether it is worse than all that is known of it.
    #[must_use]
    pub fn fails(&self) -> bool {
        let limit = self.known.map_or(self.bound, |(limit, _)| limit.max(self.bound));
        self.value.is_nan() || self.value > limit
    }
}

/// A line of a plot.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Curve {
    /// The plot's name.
    pub plot: &'static str,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// What a run gave.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Spacing against the size of things, and particles.
    pub resolution: String,
    /// What was measured.
    pub measures: Vec<Measure>,
    /// What is to be drawn.
    pub curves: Vec<Curve>,
}

impl Case {
    /// Runs the case with a solver. `progress` is told the share that is done.
    ///
    /// # Errors
    /// A simulation that fails, a device error.
    pub fn run(
        &self,
        gpu: &Gpu,
        solver: &'static str,
        fineness: Fineness,
        progress: &dyn Fn(f64),
    ) -> Result<Outcome, Error> {
        let mut trial = Trial { gpu, solver, fineness, progress, outcome: Outcome::default() };
        (self.run)(&mut trial)?;
        Ok(trial.outcome)
    }
}

/// A case in progress.
struct Trial<'a> {
    gpu: &'a Gpu,
    solver: &'static str,
    fineness: Fineness,
    progress: &'a dyn Fn(f64),
    outcome: Outcome,
}

impl Trial<'_> {
    fn pick<T>(&self, coarse: T, fine: T) -> T {
        if self.fineness == Fineness::Coarse { coarse } else { fine }
    }

    /// A scene of water without walls, in the plane.
    fn scene(&self, spacing: f64) -> Scene {
        let mut scene = Scene::default();
        scene.dimensions = 2;
        scene.solver = self.solver.into();
        scene.particle_radius = spacing / 2.0;
        // Monaghan's h = 1.2 spacings, half the support: one layer of wall particles suffices yet.
        scene.support_radius = Some(2.4 * spacing);
        scene.materials = vec![Material {
            name: "water".into(),
            rest_density: 1000.0,
            viscosity: None,
            surface_tension: 0.0,
        }];
        scene
    }

    /// Sets the speed of sound of solvers that have one.
    fn sound_speed(scene: &mut Scene, c: f64) {
        scene.settings.set("muller.sound_speed", c);
        scene.settings.set("wcsph.sound_speed", c);
    }

    fn start(&mut self, scene: &Scene, resolution: &str) -> Result<Water<'_>, Error> {
        let simulation = block_on(self.gpu, Simulation::new(self.gpu, scene))?;
        let water = Water { gpu: self.gpu, simulation };
        self.outcome.resolution = format!("{resolution}, {} particles", water.state()?.len());
        Ok(water)
    }

    /// Starts with a velocity for each place.
    fn start_moving(
        &mut self,
        scene: &Scene,
        resolution: &str,
        velocity: impl Fn(DVec3) -> DVec3,
    ) -> Result<Water<'_>, Error> {
        let gpu = self.gpu;
        let water = self.start(scene, resolution)?;
        let mut state = block_on(gpu, water.simulation.read())?;
        let mut fastest = 0.0_f32;
        let moving: Vec<_> = (0..state.particle_count())
            .map(|i| velocity(DVec3::from(state.world_position(i))).as_vec3())
            .collect();
        let fluid: Vec<_> = state.identity().iter().map(|who| who[1] & 255 == KIND_FLUID).collect();
        let words = state.arrays.get_mut("velocity").expect("particles have velocities");
        for (i, v) in moving.iter().enumerate().filter(|(i, _)| fluid[*i]) {
            fastest = fastest.max(v.length());
            words[4 * i..4 * i + 3].copy_from_slice(&v.to_array().map(f32::to_bits));
        }
        state.control.max_speed_bits = fastest.to_bits();
        let simulation = block_on(gpu, Simulation::resume(gpu, scene, &state))?;
        Ok(Water { gpu, simulation })
    }
}

impl Outcome {
    fn measure(&mut self, what: &'static str, value: f64, unit: &'static str, bound: f64) {
        self.measures.push(Measure { what, value, unit, bound, known: None });
    }

    /// A measure that is known to miss its bound: `limit` is what it may be, and why.
    fn known(&mut self, limit: f64, why: &'static str) {
        if let Some(measure) = self.measures.last_mut() {
            measure.known = Some((limit, why));
        }
    }

    fn curve(&mut self, plot: &'static str, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { plot, points });
    }
}

/// A simulation that can be asked about its fluid.
struct Water<'a> {
    gpu: &'a Gpu,
    simulation: Simulation,
}

/// A fluid particle.
#[derive(Clone, Copy, Debug)]
struct Particle {
    position: DVec3,
    velocity: DVec3,
    /// In Pa.
    pressure: f64,
}

impl Water<'_> {
    fn next_frame(&mut self) -> Result<(), Error> {
        block_on(self.gpu, self.simulation.next_frame())
    }

    fn time(&self) -> f64 {
        self.simulation.time()
    }

    fn report(&mut self) -> Result<meniscus::FrameReport, Error> {
        block_on(self.gpu, self.simulation.report())
    }

    /// The fluid particles. Solvers that find pressures by iteration keep those, or κ = p Δt².
    fn state(&self) -> Result<Vec<Particle>, Error> {
        let state = block_on(self.gpu, self.simulation.read())?;
        let machine = self.simulation.machine();
        let (_, arrays) = block_on(self.gpu, machine.read(&["kappa"]))?;
        let values = |bytes: &[u8]| -> Vec<f32> { bytemuck::pod_collect_to_vec(bytes) };
        let kept = |name: &str| values(bytemuck::cast_slice(&state.arrays[name]));
        let found: Option<Vec<f32>> = if state.arrays.contains_key("warm_density") {
            let sum = kept("warm_density").into_iter().zip(kept("warm_divergence"));
            Some(sum.map(|(density, divergence)| density + divergence).collect())
        } else if state.arrays.contains_key("warm_pressure") {
            Some(kept("warm_pressure"))
        } else {
            let per_step = 1.0 / state.control.dt.max(1e-9);
            let pressure = |kappa: f32| kappa * per_step * per_step;
            arrays.get("kappa").map(|bytes| values(bytes).into_iter().map(pressure).collect())
        };
        // Their ∇p is the sum with the density's calibration, which on the lattice is not quite 1.
        let params = &self.simulation.setup().params;
        let gradient =
            f64::from(params.kernel.density_calibration / params.kernel.gradient_calibration);
        let pressure = |i: usize| match &found {
            Some(found) => gradient * f64::from(found[i]),
            None => f64::from(state.pressure(i)),
        };
        let fluid = |i: &usize| state.identity()[*i][1] & 255 == KIND_FLUID;
        Ok((0..state.particle_count())
            .filter(fluid)
            .map(|i| particle(&state, i, pressure(i)))
            .collect())
    }
}

fn particle(state: &State, i: usize, pressure: f64) -> Particle {
    let [x, y, z, _] = state.velocity()[i].map(f64::from);
    Particle {
        position: DVec3::from(state.world_position(i)),
        velocity: DVec3::new(x, y, z),
        pressure,
    }
}

/// A rectangle of fluid.
fn block(min: [f64; 2], max: [f64; 2]) -> Fluid {
    let shape = Shape::Box(Cuboid { min: [min[0], min[1], -1.0], max: [max[0], max[1], 1.0] });
    Fluid::new(shape)
}

/// A wall of boundary particles, which slips.
fn wall(shape: Shape) -> Boundary {
    let response = Some(Response::Particles { friction: 0.0, no_slip: false });
    Boundary { shape, side: Side::Inside, velocity: [0.0; 3], motion: Vec::new(), response }
}

/// A rectangular tank.
fn tank(min: [f64; 2], max: [f64; 2]) -> Boundary {
    wall(Shape::Box(Cuboid { min: [min[0], min[1], -1.0], max: [max[0], max[1], 1.0] }))
}

/// A plane.
fn plane(point: [f64; 2], normal: [f64; 2]) -> Boundary {
    wall(Shape::Plane(Plane {
        point: [point[0], point[1], 0.0],
        normal: [normal[0], normal[1], 0.0],
    }))
}

/// Every solver.
const ALL: &[&str] = &["muller", "wcsph", "pcisph", "iisph", "dfsph"];

/// Least-squares slope of y over x.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (mx, my) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let sum =
        |f: &dyn Fn(f64, f64) -> f64| points.iter().map(|(x, y)| f(x - mx, y - my)).sum::<f64>();
    sum(&|x, y| x * y) / sum(&|x, _| x * x)
}

/// y at x on the line through points of ascending x, extended at its ends.
fn interpolate(points: &[(f64, f64)], x: f64) -> f64 {
    let above = points.partition_point(|point| point.0 < x).clamp(1, points.len() - 1);
    let ((x0, y0), (x1, y1)) = (points[above - 1], points[above]);
    y0 + (y1 - y0) * (x - x0) / (x1 - x0)
}

/// The value below which this share of the values lies.
fn quantile(values: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

/// Root of the mean square.
fn rms(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value * value, n + 1.0));
    (sum / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_fitted_and_followed() {
        let points = [(0.0, 1.0), (1.0, 3.0), (3.0, 7.0)];
        assert!((slope(&points) - 2.0).abs() < 1e-12);
        assert!((interpolate(&points, 2.0) - 5.0).abs() < 1e-12);
        assert!((interpolate(&points, -1.0) + 1.0).abs() < 1e-12);
        assert_eq!(quantile([3.0, 1.0, 2.0].into_iter(), 0.5), 2.0);
        assert!((rms([3.0, -3.0].into_iter()) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_number_fails() {
        let measure = |value, known| Measure { what: "x", value, unit: "", bound: 1.0, known };
        assert!(measure(f64::NAN, None).fails() && measure(2.0, None).fails());
        assert!(measure(1.0, None).passes() && !measure(1.0, None).fails());
        assert!(
            !measure(2.0, Some((2.5, "why"))).fails() && measure(3.0, Some((2.5, "why"))).fails()
        );
        assert!(!measure(2.0, Some((2.5, "why"))).passes());
    }
}
