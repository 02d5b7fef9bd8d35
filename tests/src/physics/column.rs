//! VALIDATION 2.1: water at rest.

use meniscus::Error;
use meniscus_model::scene::Domain;

use super::{ALL, Case, Expected, Plot, Trial, block, plane, slope};

const G: f64 = 9.81;
const DEPTH: f64 = 0.5;
const WIDTH: f64 = 0.2;
const DENSITY: f64 = 1000.0;

pub(super) const CASE: Case = Case {
    name: "hydrostatic",
    title: "Hydrostatic column",
    about: "Water 0.5 m deep on a floor, 0.2 m of a periodic axis wide, in 2-D, with 20 Pa s, so that it \
            settles soon, from a lattice displaced at random by up to a tenth of the spacing. Pressure \
            over depth is fitted by least squares to all particles but those \
            within h of the surface and of the floor, and the slope, to be ρ₀ g, is averaged over the \
            last quarter of 2 s (at d/20 of 1.6 s, Müller's of 1.2 s). In that time the fastest particle has less than \
            1 % of √(g d). WCSPH has artificial viscosity too, α = 0.5: it begins uncompressed, and \
            what falls at first rings as sound, which a viscosity of shear hardly damps.",
    solvers: ALL,
    coarse: true,
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
    run,
};

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = trial.pick(DEPTH / 20.0, DEPTH / 40.0);
    let mut scene = trial.scene(spacing);
    scene.time.fps = 50.0;
    // Undisturbed rows would bear alternating pressures.
    scene.fluids = vec![block([0.0; 2], [WIDTH, DEPTH])];
    scene.fluids[0].jitter = 0.1;
    scene.domain = Some(Domain {
        min: [0.0; 3],
        max: [WIDTH, 1.4 * DEPTH, 0.0],
        periodic: [true, false, false],
    });
    scene.boundaries = vec![plane([0.0; 2], [0.0, 1.0])];
    // Pressure at rest knows no viscosity: as much as lets it settle soon.
    scene.materials[0].viscosity = Some(20.0);
    scene.settings.set("wcsph.alpha", 0.5);
    let muller = trial.solver == "muller";
    let fine = trial.pick(false, true);
    // Müller's bounces ever more: with 9 % of √(g d) at 1.2 s, with 43 % at 1.6 s.
    let end = trial.pick(if muller { 1.2 } else { 1.6 }, 2.0);
    // Water at rest has no speed that would keep the step short.
    scene.time.max_step = 0.001;
    let progress = trial.progress;
    let resolution = trial.pick("d/20", "d/40");
    let mut water = trial.start(&scene, resolution)?;
    let h = scene.support_radius();
    let (mut slopes, mut fastest, mut profile) = (Vec::new(), 0.0_f64, Vec::new());
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
        profile = particles.iter().map(|p| (top - p.position.y, p.pressure)).collect();
        fastest = fastest.max(particles.iter().map(|p| p.velocity.length()).fold(0.0, f64::max));
    }
    let slope = slopes.iter().sum::<f64>() / slopes.len() as f64;
    let outcome = &mut trial.outcome;
    // It did not, when coarse, where density and pressure had one kernel (`kernel = "wendland_c2"`).
    let grows = "its forces do not conserve energy: the column bounces ever more";
    outcome.measure("error of dp/dd", 100.0 * (slope - 1.0).abs(), "%", 2.0);
    if muller && fine {
        outcome.known(5.0, grows);
    }
    outcome.measure("fastest over √(g d)", 100.0 * fastest / (G * DEPTH).sqrt(), "%", 1.0);
    if muller {
        outcome.known(if fine { 35.0 } else { 10.0 }, grows);
    }
    profile.sort_by(|a, b| a.0.total_cmp(&b.0));
    let scaled = profile.into_iter().map(|(d, p)| (d, p / (DENSITY * G * DEPTH))).collect();
    outcome.curve("pressure", scaled);
    Ok(())
}
