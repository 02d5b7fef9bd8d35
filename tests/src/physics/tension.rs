//! Surface tension near the surface: momentum, the period of a drop (Rayleigh 1879), and a cube that becomes a ball.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec3};
use meniscus::Error;
use meniscus_model::{
    Scene,
    geometry::principal_axes,
    scene::{Cuboid, Fluid, Shape, Sphere},
};

use super::{Case, Expected, Plot, Trial, block};
use crate::device::block_on;

/// Surface tension of water in N/m, and its density in kg/m³.
const SIGMA: f64 = 0.0728;
const DENSITY: f64 = 1000.0;

/// Solvers with and without sound.
const BOTH: &[&str] = &["wcsph", "dfsph"];

pub(super) const MOMENTUM: Case = Case {
    name: "tension_momentum",
    title: "Momentum under surface tension",
    about: "A cube of 12³ particles, each displaced at random by up to a tenth of the spacing, with surface tension and \
            without gravity or walls. Measured is the largest change of its momentum in any of ten steps, relative to \
            the sum of m |v|. The colour field's tension acts on single particles, so it conserves nothing.",
    solvers: BOTH,
    coarse: true,
    tunes: false,
    plots: &[],
    run: momentum,
};

pub(super) const OSCILLATION: Case = Case {
    name: "oscillating_drop",
    title: "Period of a drop in 2-D",
    about: "A disc of water with a radius of 5 mm and the tension near its surface, without gravity, gets the velocity \
            (A x, −A y) that stretches it by a tenth. Measured is the time between the first two moments at which it \
            is round again, half a period, against 2π √(ρ R³/(6 σ)) (Rayleigh 1879), R by the area. The viscosity lets \
            the oscillation decay in three periods.",
    solvers: BOTH,
    coarse: true,
    tunes: false,
    plots: &[Plot {
        name: "shape",
        title: "Stretch of an oscillating drop",
        x: "time / period",
        y: "(x² − y²)/r², of means",
        scattered: false,
        expected: &[Expected { label: "inviscid, small", points: small, line: true }],
    }],
    run: oscillation,
};

pub(super) const BALL: Case = Case {
    name: "cube_to_ball",
    title: "A cube becomes a ball",
    about: "A cube of syrup of 0.05 Pa s with an edge of 2 cm and the tension near its surface (the scene droplet_cube), \
            after 1 s. Measured are the sphericity, the least over the largest eigenvalue of the particles' \
            covariance, the extent along the cube's diagonals over that along its edges, √3 at the start, and the \
            radius of a ball with the same moments.",
    solvers: BOTH,
    coarse: true,
    tunes: false,
    plots: &[],
    run: ball,
};

/// Scene of one shape with surface tension.
fn scene(trial: &Trial<'_>, spacing: f64, dimensions: u32, shape: Shape) -> Scene {
    let mut scene = trial.scene(spacing);
    scene.dimensions = dimensions;
    scene.gravity = [0.0; 3];
    // Five radii.
    scene.support_radius = Some(2.5 * spacing);
    scene.settings.set("tension.model", "near_surface");
    scene.materials[0].surface_tension = SIGMA;
    scene.fluids = vec![Fluid { shape, jitter: 0.1, ..block([0.0; 2], [1.0; 2]) }];
    scene
}

fn cube(edge: f64) -> Shape {
    Shape::Box(Cuboid { min: [-0.5 * edge; 3], max: [0.5 * edge; 3] })
}

fn momentum(trial: &mut Trial<'_>) -> Result<(), Error> {
    for (model, what) in
        [("near_surface", "near the surface"), ("color_field", "by the colour field")]
    {
        let mut scene = scene(trial, 0.001, 3, cube(0.012));
        scene.settings.set("tension.model", model);
        // A frame is a step, so that each step is measured.
        scene.time.step = Some(5e-5);
        scene.time.fps = 20_000.0;
        let mut water = trial.start(&scene, "edge/12")?;
        let mut worst = 0.0_f64;
        let mut before: Option<DVec3> = None;
        for step in 0..15 {
            water.next_frame()?;
            let state = water.state()?;
            let after: DVec3 = state.iter().map(|p| p.velocity).sum();
            let size: f64 = state.iter().map(|p| p.velocity.length()).sum();
            // The first steps begin at rest.
            if let Some(before) = before.filter(|_| step >= 5) {
                worst = worst.max((after - before).length() / size);
            }
            before = Some(after);
        }
        trial.outcome.measure(what, 1e6 * worst, "10⁻⁶", 2.0);
    }
    Ok(())
}

/// Half a period of a small oscillation without viscosity.
fn small() -> Vec<(f64, f64)> {
    (0..=100).map(|k| f64::from(k) / 100.0).map(|t| (t, 0.2 * (TAU * t).sin())).collect()
}

fn oscillation(trial: &mut Trial<'_>) -> Result<(), Error> {
    const RADIUS: f64 = 0.005;
    const STRETCH: f64 = 0.1;
    let spacing = RADIUS / trial.pick(12.0, 16.0);
    // Centres are half a spacing inside.
    let shape = Shape::Sphere(Sphere { center: [0.0; 3], radius: RADIUS + 0.5 * spacing });
    let mut scene = scene(trial, spacing, 2, shape);
    let period = |radius: f64| TAU * (DENSITY * radius.powi(3) / (6.0 * SIGMA)).sqrt();
    let usual = period(RADIUS);
    scene.materials[0].viscosity = Some(DENSITY * RADIUS * RADIUS / (4.0 * 3.0 * usual));
    scene.time.fps = 500.0;
    let rate = STRETCH * TAU / usual;
    let resolution = trial.pick("R/12", "R/16");
    let progress = trial.progress;
    // Sums over the lattice are not those of the settled drop, which is denser at its surface.
    let mut thick = scene.clone();
    thick.materials[0].viscosity = scene.materials[0].viscosity.map(|viscosity| 20.0 * viscosity);
    let mut settled = trial.start(&thick, resolution)?;
    while settled.time() < 0.5 * usual {
        settled.next_frame()?;
    }
    let radius = (settled.state()?.len() as f64 * spacing * spacing / PI).sqrt();
    let state = block_on(settled.gpu, settled.simulation.read())?;
    let mut water = trial.go_on(&scene, state, |x| rate * DVec3::new(x.x, -x.y, 0.0))?;
    let (begin, period) = (water.time(), period(radius));
    let (mut shape, mut round) = (Vec::new(), Vec::new());
    while round.len() < 2 && water.time() - begin < 2.0 * period {
        water.next_frame()?;
        let state = water.state()?;
        let center = state.iter().map(|p| p.position).sum::<DVec3>() / state.len() as f64;
        let sum = |f: &dyn Fn(DVec3) -> f64| -> f64 {
            state.iter().map(|p| f(p.position - center)).sum()
        };
        let stretch = sum(&|x| x.x * x.x - x.y * x.y) / sum(&|x| x.length_squared());
        let now = ((water.time() - begin) / period, stretch);
        if let Some((t, last)) = shape.last().copied().filter(|(_, last)| last * stretch <= 0.0) {
            round.push(t + (now.0 - t) * last / (last - stretch));
        }
        shape.push(now);
        progress(now.0);
    }
    // A drop that does not come back has no period.
    let error = match round[..] {
        [first, second] => (2.0 * (second - first) - 1.0).abs(),
        _ => f64::INFINITY,
    };
    trial.outcome.measure("period", 100.0 * error, "%", 5.0);
    trial.outcome.curve("shape", shape);
    Ok(())
}

fn ball(trial: &mut Trial<'_>) -> Result<(), Error> {
    const EDGE: f64 = 0.02;
    let spacing = EDGE / trial.pick(10.0, 16.0);
    let mut scene = scene(trial, spacing, 3, cube(EDGE));
    scene.fluids[0].jitter = 0.0;
    scene.materials[0].viscosity = Some(0.05);
    scene.time.fps = 2.0;
    let resolution = trial.pick("edge/10", "edge/16");
    let mut water = trial.start(&scene, resolution)?;
    for _ in 0..2 {
        water.next_frame()?;
    }
    let state = water.state()?;
    let count = state.len() as f64;
    let center = state.iter().map(|p| p.position).sum::<DVec3>() / count;
    let places: Vec<_> = state.iter().map(|p| p.position - center).collect();
    let outer = |x: &DVec3| DMat3::from_cols(*x * x.x, *x * x.y, *x * x.z);
    let covariance = places.iter().fold(DMat3::ZERO, |sum, x| sum + outer(x));
    let variances = principal_axes(covariance).0 / count;
    let extent = |axis: DVec3| {
        let along = || places.iter().map(|x| x.dot(axis.normalize()));
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    };
    let diagonals = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let diagonal: f64 =
        diagonals.map(|(x, y)| extent(DVec3::new(x, y, 1.0))).iter().sum::<f64>() / 4.0;
    let edge: f64 =
        DMat3::IDENTITY.to_cols_array_2d().map(|axis| extent(axis.into())).iter().sum::<f64>()
            / 3.0;
    // Σ r²/N = 3/5 R².
    let radius = (5.0 / 3.0 * (variances.x + variances.y + variances.z)).sqrt();
    let expected = EDGE * (3.0 / (4.0 * PI)).cbrt();
    let outcome = &mut trial.outcome;
    let unround = 1.0 - variances.min_element() / variances.max_element();
    outcome.measure("1 − sphericity", 100.0 * unround, "%", 3.0);
    outcome.measure("diagonals over edges", 100.0 * (diagonal / edge - 1.0).abs(), "%", 4.0);
    outcome.measure("radius", 100.0 * (radius / expected - 1.0).abs(), "%", 1.0);
    Ok(())
}
