//! Four drops that merge, by each surface tension.

use glam::{DMat3, DVec3};
use meniscus::Error;
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_model::geometry::principal_axes;

use super::{
    COARSE, Case, Expected, Particle, Plot, Trial,
    tension::{HARD, PAPER, Parts, UNIT, USUAL, set},
};

pub(super) const CASE: Case = Case {
    name: "four_drops",
    title: "Four drops merge",
    about: "The scene four_drops with a particle radius of 0.925 mm, by each tension: the time at which the \
            sphericity, the least over the largest eigenvalue of the particles' covariance, first is 0.95, and how much it lacks at 2 s. The paper that finds the surface by Marrone et al. 2010 has a ball \
            after 0.8 s.",
    solvers: &["wcsph"],
    coarse: false,
    plots: &[Plot {
        name: "sphericity",
        title: "Four drops merge",
        x: "time in s",
        y: "least over largest eigenvalue of the covariance",
        scattered: false,
        expected: &[Expected {
            label: "ball",
            points: || vec![(0.0, 1.0), (2.0, 1.0)],
            line: true,
        }],
    }],
    run,
    ..COARSE
};

/// Model, normals and weights, whether densities are corrected, names of the measures.
const MODELS: [(&str, Parts, bool, &str, &str); 9] = [
    ("near_surface", USUAL, false, "near the surface", "out of round, near the surface"),
    (
        "near_surface",
        USUAL,
        true,
        "near the surface, corrected",
        "out of round, near the surface, corrected",
    ),
    ("near_surface", UNIT, false, "unit normals", "out of round, unit normals"),
    ("near_surface", HARD, false, "hard weights", "out of round, hard weights"),
    ("near_surface", PAPER, false, "unit and hard", "out of round, unit and hard"),
    ("akinci", USUAL, false, "of Akinci et al.", "out of round, of Akinci et al."),
    ("pairwise", USUAL, false, "between all particles", "out of round, between all particles"),
    ("color_field", USUAL, false, "by the colour field", "out of round, by the colour field"),
    (
        "color_field",
        USUAL,
        true,
        "by the colour field, corrected",
        "out of round, by the colour field, corrected",
    ),
];

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    const RADIUS: f64 = 0.000925;
    let progress = trial.progress;
    for (number, (model, parts, corrected, time, unround)) in MODELS.into_iter().enumerate() {
        let mut scene =
            load_scene("four_drops", &LoadOptions::default()).expect("a bundled scene").scene;
        scene.solver = trial.solver.into();
        scene.particle_radius = RADIUS;
        scene.support_radius = Some(5.0 * RADIUS);
        scene.settings.set("tension.model", model);
        set(&mut scene, parts, corrected);
        let end = scene.time.until;
        let mut drops = trial.start(&scene, "R/10")?;
        let mut shape = vec![(0.0, sphericity(&drops.state()?))];
        while drops.time() < end - 1e-9 {
            drops.next_frame()?;
            shape.push((drops.time(), sphericity(&drops.state()?)));
            progress((number as f64 + drops.time() / end) / MODELS.len() as f64);
        }
        let round =
            shape.iter().find(|(_, round)| *round >= 0.95).map_or(f64::INFINITY, |(time, _)| *time);
        let last = shape.last().map_or(0.0, |(_, round)| *round);
        println!("{time}: {round:.3} s, {last:.3} at the end");
        trial.outcome.measure(time, round);
        trial.outcome.measure(unround, 100.0 * (1.0 - last));
        match (model, parts, corrected) {
            ("near_surface", USUAL, false) => trial.outcome.curve("sphericity", shape),
            ("near_surface", USUAL, true) => trial.outcome.dashed_curve("sphericity", shape),
            _ => {}
        }
    }
    Ok(())
}

/// Least over largest eigenvalue of the covariance of the particles' places.
fn sphericity(state: &[Particle]) -> f64 {
    let center = state.iter().map(|p| p.position).sum::<DVec3>() / state.len() as f64;
    let square = |x: DVec3| DMat3::from_cols(x * x.x, x * x.y, x * x.z);
    let covariance = state.iter().fold(DMat3::ZERO, |sum, p| sum + square(p.position - center));
    let variances = principal_axes(covariance).0;
    variances.min_element() / variances.max_element()
}
