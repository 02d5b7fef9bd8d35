//! Surge front and falling column of a dam that breaks, as measured by Martin and Moyce 1952.

use meniscus::Error;

use super::{
    COARSE, Case, Expected, LIQUIDS, Plot, Trial, block, interpolate, quantile, rms, slope,
};

/// Base of the column in m, 2.25 in, and ratio of its height to its base.
const BASE: f64 = 0.05715;
const TALL: f64 = 2.0;
const G: f64 = 9.81;

/// (T, Z) of Table 2: T = t √(2 g / a), Z = front / a.
const FRONT: &[(f64, f64)] = &[
    (0.41, 1.11),
    (0.84, 1.22),
    (1.19, 1.44),
    (1.43, 1.67),
    (1.63, 1.89),
    (1.83, 2.11),
    (1.98, 2.33),
    (2.20, 2.56),
    (2.32, 2.78),
    (2.51, 3.00),
    (2.65, 3.22),
    (2.83, 3.44),
    (2.98, 3.67),
    (3.11, 3.89),
    (3.33, 4.11),
];
/// (τ, H) of Table 6: τ = t √(g / a), H = height / 2a.
const HEIGHT: &[(f64, f64)] = &[
    (0.56, 0.94),
    (0.77, 0.89),
    (0.93, 0.83),
    (1.08, 0.78),
    (1.28, 0.72),
    (1.46, 0.67),
    (1.66, 0.61),
    (1.84, 0.56),
    (2.00, 0.50),
    (2.21, 0.44),
    (2.45, 0.39),
];
/// The experiment's dZ/dT for T in 1.43 … 3.33.
const SPEED: f64 = 1.319;

pub(super) const CASE: Case = Case {
    name: "dam_break",
    title: "Dam break of Martin and Moyce",
    about: "A column a = 57.15 mm wide and 2a high collapses on a dry floor (Martin and Moyce 1952, doi \
            10.1098/rsta.1952.0006, Tables 2 and 6), in 2-D with walls that slip. The front is the 99.5th percentile of \
            x, for 0.84 ≤ T ≤ 3.33. The gate took time to open, so errors are given with the experiment's clock and with \
            the best shift of at most 0.3 in T. dZ/dT is fitted for T ≥ 1.43. The residual height is that of the water \
            within a/10 of the wall, for τ ≤ 2.45. The rise of energy is the largest over any time, relative to the \
            start.",
    tunes: true,
    plots: &[
        Plot {
            name: "front",
            title: "Surge front",
            x: "T = t √(2g/a)",
            y: "Z = front / a",
            scattered: false,
            expected: &[Expected {
                label: "Martin, Moyce 1952",
                points: || FRONT.to_vec(),
                line: false,
            }],
        },
        Plot {
            name: "height",
            title: "Residual height at the wall",
            x: "τ = t √(g/a)",
            y: "H = height / 2a",
            scattered: false,
            expected: &[Expected {
                label: "Martin, Moyce 1952",
                points: || HEIGHT.to_vec(),
                line: false,
            }],
        },
        Plot {
            name: "energy",
            title: "Kinetic and potential energy",
            x: "T = t √(2g/a)",
            y: "energy / energy at the start",
            scattered: false,
            expected: &[],
        },
    ],
    everyday: &["dfsph"],
    run,
    ..COARSE
};

pub(super) const ON_A_GRID: Case = Case {
    name: "dam_break_grid",
    title: "Dam break of Martin and Moyce on a grid",
    about: "The [dam break](validation_water.md#dam-break-of-martin-and-moyce) of SPH by liquids on a grid, Δx two \
            spacings.",
    solvers: LIQUIDS,
    tunes: false,
    everyday: &["flip"],
    ..CASE
};

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = trial.pick(BASE / 20.0, BASE / 40.0);
    let mut scene = trial.scene(spacing);
    scene.time.fps = 400.0;
    scene.fluids = vec![block([0.0; 2], [BASE, TALL * BASE])];
    scene.boundaries = vec![trial.tank([0.0; 2], [6.0 * BASE, 3.0 * BASE])];
    let (fast, slow) = ((TALL * G / BASE).sqrt(), (G / BASE).sqrt());
    let end = 3.7 / fast;
    let progress = trial.progress;
    let resolution = trial.pick("a/20", "a/40");
    let mut water = trial.start(&scene, resolution)?;
    let (mut front, mut height, mut energy) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = None;
    loop {
        let t = water.time();
        let particles = water.state()?;
        let reach = quantile(particles.iter().map(|p| p.position.x), 0.995) + 0.5 * spacing;
        let at_wall = particles.iter().filter(|p| p.position.x < 0.1 * BASE);
        let top = at_wall.map(|p| p.position.y).fold(0.0, f64::max) + 0.5 * spacing;
        let report = water.report()?;
        let total = report.kinetic_energy + report.potential_energy;
        front.push((t * fast, reach / BASE));
        height.push((t * slow, top / (TALL * BASE)));
        energy.push((t * fast, total / *first.get_or_insert(total)));
        progress(t / end);
        if t >= end {
            break;
        }
        water.next_frame()?;
    }

    let data: Vec<_> = FRONT.iter().filter(|(t, _)| *t >= 0.84).copied().collect();
    let error =
        |shift: f64| rms(data.iter().map(|(t, z)| interpolate(&front, t + shift) / z - 1.0));
    let shifts = (-30..=30).map(|k| 0.01 * f64::from(k));
    let best = shifts.min_by(|a, b| error(*a).total_cmp(&error(*b))).unwrap_or(0.0);
    let late = data.iter().filter(|(t, _)| *t >= 1.43).map(|(t, _)| *t);
    let fitted: Vec<_> = late.map(|t| (t, interpolate(&front, t + best))).collect();
    let lower = HEIGHT.iter().map(|(tau, h)| (interpolate(&height, *tau) - h).abs());
    let mut least = f64::MAX;
    let rise = energy.iter().map(|(_, e)| {
        least = least.min(*e);
        e - least
    });
    let rise = rise.fold(0.0, f64::max);
    let outcome = &mut trial.outcome;
    outcome.measure("front, best shift", 100.0 * error(best));
    outcome.measure("front, no shift", 100.0 * error(0.0));
    outcome.measure("that shift of T", best.abs());
    outcome.measure("error of dZ/dT", 100.0 * (slope(&fitted) / SPEED - 1.0).abs());
    outcome.measure("residual height", lower.fold(0.0, f64::max));
    outcome.measure("rise of energy", 100.0 * rise);
    outcome.curve("front", front);
    outcome.curve("height", height);
    outcome.curve("energy", energy);
    Ok(())
}
