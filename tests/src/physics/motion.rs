//! A dam break in 3-D, compared with the same one in `SPlisHSPlasH`.

use meniscus::Error;
use meniscus_formats::scene_from_toml;
use meniscus_model::scene::Problem;

use super::{COARSE, Case, Expected, Plot, Trial, interpolate, quantile, rms};

/// `DamBreakModel` of `SPlisHSPlasH`, as a native scene.
const SCENE: &str = include_str!("dam_break_model.toml");
/// Results of `SPlisHSPlasH` 2.19: solver, time, height of the centre of mass, front.
const PEER: &str = include_str!("splishsplash.csv");
/// Edge of the cube in m, and position of its left side.
const EDGE: f64 = 1.0;

pub(super) const CASE: Case = Case {
    name: "dam_break_model",
    title: "Density error in motion, and SPlisHSPlasH",
    about: "SPlisHSPlasH's scene `DamBreakModel` (a cube of 1 m collapses in a tank of 4 × 3 × 1.5 m), with the time \
            steps and tolerances with which its version 2.19 was run. Compression is the mean over particles and frames \
            of the first second, and that of the worst particle; it must be no worse than SPlisHSPlasH's. The height of \
            the centre of mass and the front (the 99.5th percentile of x) over 2 s differ by the root mean square given, \
            relative to the cube's edge.",
    solvers: &["wcsph", "pcisph", "iisph", "dfsph"],
    coarse: false,
    tunes: true,
    plots: &[
        Plot {
            name: "compression",
            title: "Mean compression",
            x: "time / s",
            y: "compression / %",
            scattered: false,
            expected: &[],
        },
        Plot {
            name: "center",
            title: "Height of the centre of mass",
            x: "time / s",
            y: "height / m",
            scattered: false,
            expected: &[
                peer("SPlisHSPlasH: WCSPH", || peer_of("wcsph", 0)),
                peer("SPlisHSPlasH: PCISPH", || peer_of("pcisph", 0)),
                peer("SPlisHSPlasH: IISPH", || peer_of("iisph", 0)),
                peer("SPlisHSPlasH: DFSPH", || peer_of("dfsph", 0)),
            ],
        },
        Plot {
            name: "front",
            title: "Front",
            x: "time / s",
            y: "front / m",
            scattered: false,
            expected: &[
                peer("SPlisHSPlasH: WCSPH", || peer_of("wcsph", 1)),
                peer("SPlisHSPlasH: PCISPH", || peer_of("pcisph", 1)),
                peer("SPlisHSPlasH: IISPH", || peer_of("iisph", 1)),
                peer("SPlisHSPlasH: DFSPH", || peer_of("dfsph", 1)),
            ],
        },
    ],
    run,
    ..COARSE
};

const fn peer(label: &'static str, points: fn() -> Vec<(f64, f64)>) -> Expected {
    Expected { label, points, line: false }
}

/// `SPlisHSPlasH`'s height (column 0) or front (column 1) over time.
fn peer_of(solver: &'static str, column: usize) -> Vec<(f64, f64)> {
    let rows = PEER.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let own = rows.filter(|row| row[0] == solver);
    let number = |text: &str| text.parse().unwrap_or(f64::NAN);
    own.map(|row| (number(row[1]), number(row[2 + column]))).collect()
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let step = match trial.solver {
        "wcsph" => 0.0005,
        "pcisph" => 0.001,
        _ => 0.002,
    };
    let mut scene = scene_from_toml("dam_break_model.toml", SCENE)
        .map_err(|error| Error::Scene(vec![Problem::new("scene", error.to_string())]))?;
    scene.solver = trial.solver.into();
    if trial.tunes() {
        scene.time.step = Some(step);
    }
    let end = 2.0;
    let progress = trial.progress;
    let mut water = trial.start(&scene, "edge/20")?;
    let left = -2.0;
    let (mut compression, mut centers, mut fronts) = (Vec::new(), Vec::new(), Vec::new());
    let mut most = 0.0_f64;
    loop {
        let t = water.time();
        let report = water.report()?;
        let reach = quantile(water.state()?.iter().map(|p| p.position.x), 0.995);
        compression.push((t, report.density_error_mean));
        centers.push((t, report.center_of_mass[1]));
        fronts.push((t, reach - left));
        if t > 0.0 && t < 1.0 + 1e-9 {
            most = most.max(report.density_error_max);
        }
        progress(t / end);
        if t >= end - 1e-9 {
            break;
        }
        water.next_frame()?;
    }
    let moving = compression.iter().filter(|(t, _)| *t > 0.0 && *t < 1.0 + 1e-9);
    let (sum, count) = moving.fold((0.0, 0.0), |(sum, n), (_, error)| (sum + error, n + 1.0));
    let apart = |own: &[(f64, f64)], column: usize| {
        let theirs = peer_of(trial.solver, column);
        rms(theirs.iter().map(|(t, value)| (interpolate(own, *t) - value) / EDGE))
    };
    let (center, front) = (apart(&centers, 0), apart(&fronts, 1));
    let outcome = &mut trial.outcome;
    outcome.measure("mean compression", sum / count);
    outcome.measure("worst compression", most);
    outcome.measure("centre of mass against SPlisHSPlasH", 100.0 * center);
    outcome.measure("front against SPlisHSPlasH", 100.0 * front);
    outcome.curve("compression", compression);
    outcome.curve("center", centers);
    outcome.curve("front", fronts);
    Ok(())
}
