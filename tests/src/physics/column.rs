//! Water at rest: p = ρ g d at the depth d.

use meniscus::Error;
use meniscus_model::scene::{Domain, Value};

use super::{COARSE, Case, Expected, Plot, Trial, block, slope};

const G: f64 = 9.81;
const DEPTH: f64 = 0.5;
const WIDTH: f64 = 0.2;
const DENSITY: f64 = 1000.0;

pub(super) const CASE: Case = Case {
    name: "hydrostatic",
    title: "Hydrostatic column",
    about: "Water 0.5 m deep in 2-D, 0.2 m wide with periodic sides, from a lattice displaced at random by up to a \
            tenth of the spacing, with 20 Pa s. Pressure over depth is fitted by least squares, away from surface and \
            floor; its slope, ρ₀ g in theory, is the mean over the last quarter of 2 s (at d/20 of 1.6 s, with Müller's \
            method of 1.2 s). The mean pressures of all particles, and of those in the lowest tenth, are compared with \
            ρ₀ g times their depths. The fastest particle must have less than 1 % of √(g d). WCSPH also has artificial \
            viscosity, α = 0.5, which damps its sound.",
    tunes: true,
    plots: &[Plot {
        name: "pressure",
        title: "Pressure in water at rest (all particles)",
        x: "depth / m",
        y: "pressure / (ρ0 g d)",
        scattered: true,
        expected: &[Expected {
            label: "hydrostatic",
            points: || vec![(0.0, 0.0), (DEPTH, 1.0)],
            line: true,
        }],
    }],
    everyday: &["dfsph"],
    run,
    ..COARSE
};

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = trial.pick(DEPTH / 20.0, DEPTH / 40.0);
    let mut scene = trial.scene(spacing);
    scene.time.fps = 50.0;
    // Undisturbed rows would have alternating pressures.
    scene.fluids = vec![block([0.0; 2], [WIDTH, DEPTH])];
    scene.fluids[0].jitter = 0.1;
    scene.domain = Some(Domain {
        min: [0.0; 3],
        max: [WIDTH, 1.4 * DEPTH, 0.0],
        periodic: [true, false, false],
    });
    scene.boundaries = vec![trial.plane([0.0; 2], [0.0, 1.0])];
    if trial.tunes() {
        // The pressure at rest does not depend on viscosity: use enough to settle soon.
        scene.materials[0].viscosity = Some(20.0);
        if trial.solver == "wcsph" {
            let models = ["muller", "artificial"].map(str::to_owned);
            scene.settings.set("viscosity.model", Value::Texts(models.to_vec()));
            scene.settings.set("viscosity.alpha", 0.5);
        }
        // Water at rest has no speed that would limit the step.
        scene.time.max_step = 0.001;
    }
    let muller = trial.solver == "muller";
    // Müller's method bounces increasingly: with 9 % of √(g d) at 1.2 s and 43 % at 1.6 s.
    let end = trial.pick(if muller { 1.2 } else { 1.6 }, 2.0);
    let progress = trial.progress;
    let resolution = trial.pick("d/20", "d/40");
    let mut water = trial.start(&scene, resolution)?;
    let h = crate::scenes::support_radius(&scene);
    let (mut slopes, mut fastest, mut profile) = (Vec::new(), 0.0_f64, Vec::new());
    // Sums of pressures and of those that depths say, of all and in the lowest tenth.
    let mut sums = [[0.0; 2]; 2];
    while water.time() < end - 1e-9 {
        water.next_frame()?;
        progress(water.time() / end);
        if water.time() < 0.75 * end - 1e-9 {
            continue;
        }
        let particles = water.state()?;
        let top = particles.iter().map(|p| p.position.y).fold(0.0, f64::max) + 0.5 * spacing;
        let inner = particles.iter().filter(|p| (h..top - h).contains(&p.position.y));
        let points: Vec<_> = inner.map(|p| (top - p.position.y, p.pressure)).collect();
        slopes.push(slope(&points) / (DENSITY * G));
        for p in particles.iter() {
            let theory = DENSITY * G * (top - p.position.y);
            let low = p.position.y < 0.1 * DEPTH;
            for sum in &mut sums[..1 + usize::from(low)] {
                *sum = [sum[0] + p.pressure, sum[1] + theory];
            }
        }
        profile = particles.iter().map(|p| (top - p.position.y, p.pressure)).collect();
        fastest = fastest.max(particles.iter().map(|p| p.velocity.length()).fold(0.0, f64::max));
    }
    let slope = slopes.iter().sum::<f64>() / slopes.len() as f64;
    let outcome = &mut trial.outcome;
    outcome.measure("error of dp/dd", 100.0 * (slope - 1.0).abs());
    outcome.measure("fastest over √(g d)", 100.0 * fastest / (G * DEPTH).sqrt());
    for (what, [found, theory]) in
        ["error of the mean pressure", "error in the lowest tenth"].into_iter().zip(sums)
    {
        outcome.measure(what, 100.0 * (found / theory - 1.0).abs());
    }
    profile.sort_by(|a, b| a.0.total_cmp(&b.0));
    let scaled = profile.into_iter().map(|(d, p)| (d, p / (DENSITY * G * DEPTH))).collect();
    outcome.curve("pressure", scaled);
    Ok(())
}
