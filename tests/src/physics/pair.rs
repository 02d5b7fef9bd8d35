//! The forces of surface tensions between two particles, as the shaders compute them.

use std::f64::consts::PI;

use glam::DVec3;
use meniscus::Error;
use meniscus_model::{
    State,
    scene::{Cuboid, Fluid, Kernel, Material, Scene, Shape},
};

use super::{
    COARSE, Case, Expected, Plot, Trial,
    tension::{DENSITY, SIGMA},
};
use crate::device::block_on;

pub(super) const CASE: Case = Case {
    name: "pair_forces",
    title: "Forces of a pair",
    about: "The force between two particles at 99 distances r by each tension, over its value at r = 0.01 h, h being \
            the radius of support. Cohesion is cos(3πr/2h) W with the cubic spline W: 0 at h/3 and least, −0.1792, at \
            0.4794 h. Drawn beside it are those of Akinci et al. 2013, Tartakovsky and Meakin 2005 and Lennard-Jones.",
    solvers: &["wcsph"],
    plots: &[Plot {
        name: "shape",
        title: "Forces of a pair",
        x: "distance over the radius of support",
        y: "repulsion over that of particles in one place",
        scattered: false,
        expected: &[
            Expected { label: "Tartakovsky, Meakin", points: tartakovsky, line: true },
            Expected { label: "Akinci, cohesion", points: akinci, line: true },
            Expected { label: "Lennard-Jones", points: lennard_jones, line: true },
        ],
    }],
    run,
    ..COARSE
};

/// Distances of the pairs over h.
fn distances() -> impl Iterator<Item = f64> {
    (1..100).map(|k| f64::from(k) / 100.0)
}

fn tartakovsky() -> Vec<(f64, f64)> {
    distances().map(|q| (q, (1.5 * PI * q).cos())).collect()
}

fn akinci() -> Vec<(f64, f64)> {
    let arch = |q: f64| ((1.0 - q) * q).powi(3);
    let shape = |q: f64| if q > 0.5 { arch(q) } else { 2.0 * arch(q) - 1.0 / 64.0 };
    distances().map(|q| (q, -64.0 * shape(q))).collect()
}

/// −dU/dr of U = 4ε ((s/r)¹² − (s/r)⁶) over its least value, as large as the cohesion's, where it is not above 1.
fn lennard_jones() -> Vec<(f64, f64)> {
    // The force is least at (26/7)^⅙ s.
    let s = 0.4794 / (26.0_f64 / 7.0).powf(1.0 / 6.0);
    let force = |q: f64| 2.0 * (s / q).powi(13) - (s / q).powi(7);
    let least = force(0.4794);
    distances().map(|q| (q, -0.1792 * force(q) / least)).filter(|(_, f)| f.abs() <= 1.0).collect()
}

/// Pairs along x, each in a row of its own, out of reach of the others.
fn scene(trial: &Trial<'_>, model: &str) -> Scene {
    const SPACING: f64 = 0.001;
    let support = 2.5 * SPACING;
    let mut scene = Scene::default();
    scene.solver = trial.solver.into();
    scene.particle_radius = 0.5 * SPACING;
    scene.support_radius = Some(support);
    scene.kernel = Some(Kernel::CubicSpline);
    scene.gravity = [0.0; 3];
    let mut water = Material::new("water");
    (water.rest_density, water.surface_tension) = (DENSITY, SIGMA);
    scene.materials = vec![water];
    scene.settings.set("tension.model", model);
    if model == "near_surface" {
        // All of the tension by cohesion.
        scene.settings.set("tension.cohesion_share", 1.0);
    }
    let single = |center: DVec3| {
        let half = DVec3::splat(0.5 * SPACING);
        let (min, max) = ((center - half).to_array(), (center + half).to_array());
        Fluid::new(Shape::Box(Cuboid { min, max }))
    };
    for (number, q) in distances().enumerate() {
        let apart = 2.0 * support;
        let (row, column) = (number / 10, number % 10);
        let center = apart * DVec3::new(0.0, row as f64, column as f64);
        // They are moved together before the first step.
        let half = 0.5 * SPACING.max(q * support) * DVec3::X;
        scene.fluids.extend([single(center - half), single(center + half)]);
    }
    scene.time.step = Some(1e-7);
    scene
}

/// Moves the particles of each pair to their distance.
fn approach(state: &mut State, support: f64) {
    let places: Vec<_> =
        (0..state.particle_count()).map(|i| DVec3::from(state.world_position(i))).collect();
    let row = |x: DVec3| 10 * (0.5 * x.y / support).round() as usize;
    let words = state.arrays.get_mut("position").expect("particles have positions");
    let all: Vec<_> = distances().collect();
    for (place, words) in places.iter().zip(words.chunks_mut(4)) {
        let number = row(*place) + (place.z / (2.0 * support)).round() as usize;
        let x = 0.5 * all[number] * support * place.x.signum();
        words[0] = ((f64::from(f32::from_bits(words[0])) + x - place.x) as f32).to_bits();
    }
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    for (model, zero, least) in [
        (
            "near_surface",
            "distance without force, near the surface",
            "largest attraction, near the surface",
        ),
        (
            "pairwise",
            "distance without force, between all particles",
            "largest attraction, between all particles",
        ),
    ] {
        let scene = scene(trial, model);
        let support = scene.support_radius.expect("it is set");
        let pairs = trial.start(&scene, "99 pairs")?;
        let mut state = block_on(pairs.gpu, pairs.simulation.read())?;
        approach(&mut state, support);
        let mut pairs = trial.go_on(&scene, state, |_| DVec3::ZERO)?;
        pairs.steps(1)?;
        // Velocities after a step from rest are as the forces.
        let fluid: Vec<_> = pairs.state()?.iter().map(|p| (p.position, p.velocity.x)).collect();
        let mut curve = Vec::new();
        for (at, _) in fluid.iter().filter(|(at, _)| at.x < 0.0) {
            let across = |other: &&(DVec3, f64)| {
                other.0.x > 0.0 && (other.0 - *at).with_x(0.0).length() < 0.1 * support
            };
            let (other, push) = fluid.iter().find(across).expect("each has a partner");
            curve.push(((other.x - at.x) / support, *push));
        }
        curve.sort_by(|a, b| a.0.total_cmp(&b.0));
        let first = curve[0].1;
        curve.iter_mut().for_each(|(_, push)| *push /= first);
        // A straight line through the two beside the zero.
        let after = curve.iter().position(|(_, push)| *push < 0.0).expect("an attraction");
        let ((q0, f0), (q1, f1)) = (curve[after - 1], curve[after]);
        let root = q0 + (q1 - q0) * f0 / (f0 - f1);
        let (place, depth) = curve
            .iter()
            .fold((0.0, 0.0), |least, (q, push)| if *push < least.1 { (*q, *push) } else { least });
        println!("{model}: 0 at {root:.4} h, least {depth:.4} at {place:.3} h");
        trial.outcome.measure(zero, 100.0 * (3.0 * root - 1.0).abs());
        trial.outcome.measure(least, 100.0 * (depth / -0.1792 - 1.0).abs());
        // The other one is the same.
        if model == "near_surface" {
            trial.outcome.labelled_curve("shape", "near the surface, all", curve);
        }
    }
    Ok(())
}
