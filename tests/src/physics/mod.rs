//! Whole simulations compared with analytic solutions and published experiments.
//!
//! A [`Case`] sets up a scene for a solver, runs it, and returns [measures](Measure) and the curves
//! of its plots. [`Settings`] choose its resolution, and whether they may tune the scene: tests run the
//! coarse resolution, tuned and with all defaults; `lab validate` makes a table and plots of the
//! fine one.
//!
//! Each measure has a [figure](Figure) in `figures.csv`: the tolerance, by theory, rounding or what others have
//! published, the value that was measured, and the reason if that misses the tolerance.

mod archimedes;
mod bodies;
mod capillary;
mod channel;
mod column;
mod convection;
mod dam_break;
mod drop;
mod eddy;
mod elastic;
mod energy;
mod figures;
mod free;
mod heave;
mod merging;
mod motion;
mod oscillation;
mod pair;
mod paste;
mod piston;
mod points;
mod ring;
mod sheet;
mod slump;
mod spheric;
mod tension;
mod transfers;
mod viscous;
mod wave;

use glam::DVec3;
use meniscus::{Error, Gpu, Simulation};
use meniscus_model::{
    Scene, State,
    params::KIND_FLUID,
    scene::{Boundary, Cuboid, Fluid, Material, Plane, Shape},
};

use crate::device::block_on;

pub use figures::{Figure, figures, recorded, resolution};

/// All cases, by the pages of the site.
pub const CHAPTERS: &[Chapter] = &[
    Chapter {
        name: "water",
        title: "Water by SPH",
        about: "Momentum, pressure, waves, dam breaks and rest, by the solvers of SPH.",
        cases: &[
            free::CASE,
            column::CASE,
            drop::CASE,
            wave::CASE,
            dam_break::CASE,
            piston::CASE,
            motion::CASE,
            spheric::CASE,
        ],
        more: include_str!("water.md"),
    },
    Chapter {
        name: "bodies",
        title: "Rigid bodies",
        about: "Buoyancy and draft, added mass, heave, drag in honey, friction on a slope.",
        cases: &[archimedes::CASE, bodies::ADDED_MASS, heave::CASE, bodies::SINK, bodies::SLIDER],
        more: "",
    },
    Chapter {
        name: "tension",
        title: "Surface tension",
        about: "Drops, sheets, waves and contact angles, by the tension near the surface unless a row says otherwise. *Corrected*, dashed in plots, is with `density_correction`; unit normals and hard weights are those of the paper (`tension.normals`, `tension.weights`).",
        cases: &[
            pair::CASE,
            tension::MOMENTUM,
            capillary::FLAT,
            capillary::REST,
            oscillation::OSCILLATION,
            oscillation::OSCILLATION_3D,
            capillary::WAVE,
            tension::BALL,
            capillary::SQUARE,
            capillary::COLOR,
            tension::LAPLACE,
            tension::LAPLACE_3D,
            tension::WETTING,
            tension::DRIP,
            oscillation::RESOLUTIONS,
            oscillation::MODES,
            sheet::CASE,
            merging::CASE,
        ],
        more: include_str!("tension.md"),
    },
    Chapter {
        name: "viscosity",
        title: "Viscosity",
        about: "Channels, plates, jets and threads.",
        cases: &[
            channel::CASE,
            channel::IMPLICIT,
            channel::ON_A_GRID,
            viscous::COUETTE,
            viscous::ROTATION,
            viscous::JET,
            viscous::COIL,
        ],
        more: "",
    },
    Chapter {
        name: "grids",
        title: "Liquids on a grid, and smoke",
        about: "Transfers, eddies, waves and dam breaks, and what single steps must do.",
        cases: &[
            transfers::CASE,
            eddy::CASE,
            ring::CASE,
            convection::CAVITY,
            convection::ONSET,
            wave::ON_A_GRID,
            dam_break::ON_A_GRID,
            energy::CASE,
        ],
        more: include_str!("grids.md"),
    },
    Chapter {
        name: "materials",
        title: "MPM (material points)",
        about: "Columns, elastic bars, sand on slopes, pastes.",
        cases: &[
            points::TRANSFERS,
            points::COLUMN,
            elastic::WAVE,
            elastic::BAR,
            elastic::IMPLICIT,
            elastic::BEAM,
            points::BLOCK,
            points::LAYER,
            paste::CASE,
            slump::CASE,
        ],
        more: "",
    },
];

/// A page of the site.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Chapter {
    /// Its file is `validation_NAME.md`.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// What its cases are about, in Markdown.
    pub about: &'static str,
    /// Its cases.
    pub cases: &'static [Case],
    /// What follows the cases, in Markdown: pictures, and what tests of single steps found.
    pub more: &'static str,
}

/// All cases.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    CHAPTERS.iter().flat_map(|chapter| chapter.cases)
}

/// A physical situation with a known outcome.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Case {
    /// Name on command lines and in file names.
    pub name: &'static str,
    /// Title of its table.
    pub title: &'static str,
    /// Set-up, source, and method of measurement.
    pub about: &'static str,
    /// Solvers to which it applies.
    pub solvers: &'static [&'static str],
    /// Whether there is a coarse version, cheap enough for tests.
    pub coarse: bool,
    /// Whether it tunes the scene, so that a user's defaults give another run.
    pub tunes: bool,
    /// Plots of its curves.
    pub plots: &'static [Plot],
    /// Solvers with which every run of the tests has it, with all defaults if it tunes any; where there are none, all.
    pub everyday: &'static [&'static str],
    /// Runs it.
    run: fn(&mut Trial<'_>) -> Result<(), Error>,
}

/// A case of SPH with a coarse version that tunes nothing.
const COARSE: Case = Case {
    name: "",
    title: "",
    about: "",
    solvers: ALL,
    coarse: true,
    tunes: false,
    plots: &[],
    everyday: &[],
    run: |_| Ok(()),
};

/// Plot with the curves of all solvers.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Plot {
    /// Suffix of the file name, after the case's name.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// Label of the horizontal axis, with its unit.
    pub x: &'static str,
    /// Label of the vertical axis, with its unit.
    pub y: &'static str,
    /// Whether curves are one dot per particle rather than lines.
    pub scattered: bool,
    /// Expected curves.
    pub expected: &'static [Expected],
}

/// Expected curve in a plot.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Expected {
    /// Name in the legend.
    pub label: &'static str,
    /// Points of the curve.
    pub points: fn() -> Vec<(f64, f64)>,
    /// Whether the curve is drawn as a line rather than as marks.
    pub line: bool,
}

/// Settings of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "there are these three")]
pub enum Settings {
    /// Tuned, at the resolution for tests.
    Coarse,
    /// Tuned, at the resolution of the table.
    Fine,
    /// At the resolution for tests, with defaults for everything that a scene may leave out and
    /// that is not the case's physics: kernel, support radius, speed of sound, steps, walls.
    Defaults,
}

impl Settings {
    /// All runs.
    pub const ALL: [Self; 3] = [Self::Coarse, Self::Fine, Self::Defaults];

    /// Name in `figures.csv`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Coarse => "coarse",
            Self::Fine => "fine",
            Self::Defaults => "defaults",
        }
    }
}

/// A measured value of a run, and its limits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measure {
    /// The quantity.
    pub what: &'static str,
    /// Value in the figure's unit.
    pub value: f64,
    /// Figure on record for this run and solver.
    pub figure: Option<Figure>,
}

impl Measure {
    /// Checks the value against its figure on record.
    ///
    /// # Errors
    /// A message if there is no figure, if the value exceeds the tolerance (or is NaN) and is not known to, if a known
    /// miss is worse than on record by more than the tolerance, or if it is one no longer.
    pub fn check(&self) -> Result<(), String> {
        let Self { what, value, .. } = self;
        let Some(Figure { tolerance, unit, measured, why, .. }) = &self.figure else {
            return Err(format!("{what} is {value:.3}, and figures.csv has no row for it"));
        };
        let found = format!("{what} is {value:.3} {unit}");
        match (*value <= *tolerance, why.is_empty()) {
            (true, true) => Ok(()),
            (false, true) => Err(format!("{found}, more than its tolerance of {tolerance}")),
            (true, false) => Err(format!(
                "{found}, within its tolerance of {tolerance}, which figures.csv says is missed (“{why}”)"
            )),
            (false, false) if *value <= measured + tolerance => Ok(()),
            (false, false) => Err(format!(
                "{found}, worse than the known {measured} by more than the tolerance of {tolerance}"
            )),
        }
    }
}

/// A line of a plot.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Curve {
    /// The plot's name.
    pub plot: &'static str,
    /// Points of the line.
    pub points: Vec<(f64, f64)>,
    /// Whether the line is dashed.
    pub dashed: bool,
    /// Name in the legend; empty for the solver's.
    pub label: &'static str,
}

/// Measures and curves of a run.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outcome {
    /// Spacing relative to the size of the set-up, and number of particles.
    pub resolution: String,
    /// Measures.
    pub measures: Vec<Measure>,
    /// Curves.
    pub curves: Vec<Curve>,
}

impl Case {
    /// Runs the case with a solver. `progress` receives the completed share.
    ///
    /// # Errors
    /// A failed simulation, a device error.
    pub fn run(
        &self,
        gpu: &Gpu,
        solver: &'static str,
        run: Settings,
        progress: &dyn Fn(f64),
    ) -> Result<Outcome, Error> {
        let mut trial = Trial { gpu, solver, run, progress, outcome: Outcome::default() };
        (self.run)(&mut trial)?;
        for measure in &mut trial.outcome.measures {
            measure.figure = figures::find(self.name, run, solver, measure.what).cloned();
        }
        Ok(trial.outcome)
    }
}

/// A case in progress.
struct Trial<'a> {
    gpu: &'a Gpu,
    solver: &'static str,
    run: Settings,
    progress: &'a dyn Fn(f64),
    outcome: Outcome,
}

impl Trial<'_> {
    fn pick<T>(&self, coarse: T, fine: T) -> T {
        if self.run == Settings::Fine { fine } else { coarse }
    }

    /// Whether the solver has a grid.
    fn on_a_grid(&self) -> bool {
        LIQUIDS.contains(&self.solver) || POINTS.contains(&self.solver)
    }

    /// Whether the case may set optional keys of the scene.
    fn tunes(&self) -> bool {
        self.run != Settings::Defaults
    }

    /// 2-D scene of water without walls.
    fn scene(&self, spacing: f64) -> Scene {
        let mut scene = Scene::default();
        scene.dimensions = 2;
        scene.solver = self.solver.into();
        scene.particle_radius = spacing / 2.0;
        // Monaghan's h = 1.2 spacings, half the support: one layer of wall particles still suffices.
        let tuned = self.tunes() && !self.on_a_grid();
        scene.support_radius = tuned.then_some(2.4 * spacing);
        scene.materials = vec![Material::new("water")];
        scene
    }

    /// A wall, with free slip.
    fn wall(&self, shape: Shape) -> Boundary {
        Boundary::container(shape)
    }

    /// A rectangular tank.
    fn tank(&self, min: [f64; 2], max: [f64; 2]) -> Boundary {
        self.wall(Shape::Box(Cuboid { min: [min[0], min[1], -1.0], max: [max[0], max[1], 1.0] }))
    }

    /// A plane.
    fn plane(&self, point: [f64; 2], normal: [f64; 2]) -> Boundary {
        self.wall(Shape::Plane(Plane {
            point: [point[0], point[1], 0.0],
            normal: [normal[0], normal[1], 0.0],
        }))
    }

    /// Sets the speed of sound, for solvers that have one.
    fn sound_speed(scene: &mut Scene, c: f64) {
        scene.settings.set("muller.sound_speed", c);
        scene.settings.set("wcsph.sound_speed", c);
    }

    fn start(&mut self, scene: &Scene, resolution: &str) -> Result<Water<'_>, Error> {
        let simulation = block_on(self.gpu, Simulation::new(self.gpu, scene))?;
        let water = Water { gpu: self.gpu, simulation };
        // A scene may begin without fluid.
        self.outcome.resolution = match water.state()?.len() {
            0 => resolution.to_owned(),
            count => format!("{resolution}, {count} particles"),
        };
        Ok(water)
    }

    /// Starts with a velocity for each position, and its gradient where particles carry it.
    fn start_moving(
        &mut self,
        scene: &Scene,
        resolution: &str,
        velocity: impl Fn(DVec3) -> DVec3,
    ) -> Result<Water<'_>, Error> {
        let state = block_on(self.gpu, self.start(scene, resolution)?.simulation.read())?;
        self.go_on(scene, state, velocity)
    }

    /// Goes on from a state with a velocity for each position.
    fn go_on(
        &self,
        scene: &Scene,
        mut state: State,
        velocity: impl Fn(DVec3) -> DVec3,
    ) -> Result<Water<'_>, Error> {
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
        // What the first step has carried is known no longer.
        if let Some(words) = state.arrays.get_mut("face_carried") {
            words.fill(0);
        }
        state.control.max_speed_bits = fastest.to_bits();
        for (name, edge) in [("affine", 1.0), ("poly", 4.0 * scene.particle_radius)] {
            let Some(words) = state.arrays.get(name) else { continue };
            let width = words.len() / fluid.len();
            let places: Vec<_> =
                (0..moving.len()).map(|i| DVec3::from(state.world_position(i))).collect();
            let words = state.arrays.get_mut(name).expect("it has one");
            for (particle, x) in words.chunks_mut(width).zip(places) {
                for way in 0..2 {
                    let step = 1e-4 * scene.particle_radius * DVec3::AXES[way];
                    let slope = (velocity(x + step) - velocity(x - step)) / (2.0 * step.length());
                    (0..2).for_each(|axis| {
                        particle[4 * axis + way] = ((edge * slope[axis]) as f32).to_bits();
                    });
                }
            }
        }
        let simulation = block_on(self.gpu, Simulation::resume(self.gpu, scene, &state))?;
        Ok(Water { gpu: self.gpu, simulation })
    }
}

impl Outcome {
    fn measure(&mut self, what: &'static str, value: f64) {
        self.measures.push(Measure { what, value, figure: None });
    }

    fn curve(&mut self, plot: &'static str, points: Vec<(f64, f64)>) {
        self.labelled_curve(plot, "", points);
    }

    fn dashed_curve(&mut self, plot: &'static str, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { plot, points, dashed: true, label: "" });
    }

    /// One of several curves of a solver.
    fn labelled_curve(&mut self, plot: &'static str, label: &'static str, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { plot, points, dashed: false, label });
    }
}

/// A simulation with access to its fluid.
struct Water<'a> {
    gpu: &'a Gpu,
    simulation: Simulation,
}

/// A fluid particle.
#[derive(Clone, Copy, Debug)]
struct Particle {
    position: DVec3,
    velocity: DVec3,
    /// Pressure in Pa.
    pressure: f64,
}

impl Water<'_> {
    fn next_frame(&mut self) -> Result<(), Error> {
        block_on(self.gpu, self.simulation.next_frame())
    }

    fn steps(&mut self, count: u32) -> Result<(), Error> {
        block_on(self.gpu, self.simulation.step(count))
    }

    fn time(&self) -> f64 {
        self.simulation.time()
    }

    fn report(&mut self) -> Result<meniscus::FrameReport, Error> {
        block_on(self.gpu, self.simulation.report())
    }

    /// The fluid particles. Iterative solvers keep their pressures.
    fn state(&self) -> Result<Vec<Particle>, Error> {
        let state = block_on(self.gpu, self.simulation.read())?;
        let kept = |name: &str| -> Option<Vec<f32>> {
            Some(bytemuck::pod_collect_to_vec(state.arrays.get(name)?))
        };
        let found = kept("warm_pressure").or_else(|| {
            let sum = kept("warm_density")?.into_iter().zip(kept("warm_divergence")?);
            Some(sum.map(|(density, divergence)| density + divergence).collect())
        });
        // Their ∇p is the sum with the density's calibration, which on the lattice is not exactly
        // 1.
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

/// Solvers of liquids on a grid.
const LIQUIDS: &[&str] = &["pic", "flip", "apic", "polypic", "eulerian"];

/// Those whose particles carry the velocity.
const HYBRIDS: &[&str] = &["pic", "flip", "apic", "polypic"];

/// Solvers of material points.
const POINTS: &[&str] = &["mls_mpm", "classic_mpm"];

/// Solvers of SPH.
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

/// Quantile of the values.
fn quantile(values: impl Iterator<Item = f64>, share: f64) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

/// Root mean square.
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
    fn a_measure_is_checked_against_its_figure() {
        let measure = |value, measured, why: &str| {
            let (tolerance, unit, why) = (1.0, "%".to_owned(), why.to_owned());
            let figure = Figure { names: Default::default(), tolerance, unit, measured, why };
            Measure { what: "x", value, figure: Some(figure) }.check()
        };
        assert!(measure(1.0, 0.5, "").is_ok());
        assert!(measure(1.1, 0.5, "").is_err(), "beyond the tolerance");
        assert!(measure(f64::NAN, 0.5, "").is_err(), "no number");
        assert!(measure(2.9, 2.0, "why").is_ok(), "a known miss");
        assert!(measure(3.1, 2.0, "why").is_err(), "worse than a known miss");
        assert!(measure(f64::NAN, 2.0, "why").is_err(), "no number");
        let expired = measure(0.9, 2.0, "why").unwrap_err();
        assert!(expired.contains("within its tolerance"), "{expired}");
        let unknown = Measure { what: "x", value: 0.0, figure: None };
        assert!(unknown.check().is_err(), "no figure");
    }
}
