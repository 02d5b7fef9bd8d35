//! Standing wave, with ω² = g k tanh(k d) of linear theory.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use meniscus::Error;
use meniscus_model::scene::{Domain, Kernel};

use super::{COARSE, Case, Expected, LIQUIDS, Plot, Trial, block};

/// Wavelength, depth and amplitude in m.
const LENGTH: f64 = 1.0;
const DEPTH: f64 = 0.5;
const AMPLITUDE: f64 = 0.02;
/// ω² = g k tanh(k d), in s⁻¹.
const OMEGA: f64 = 7.836_342_636_7;

pub(super) const CASE: Case = Case {
    name: "standing_wave",
    title: "Standing wave",
    about: "Water 0.5 m deep and 1 m long with periodic ends, in 2-D, starts with the velocities of the linear \
            standing wave of that length with an amplitude of 2 cm. The height is the first Fourier coefficient of the \
            particles' positions; its period is compared with ω² = g k tanh(k d). All solvers but Müller's have \
            Wendland's C2 kernel with a support of 3 spacings. With 2.4 spacings periods are 2 to 4 % too short: with \
            the cubic spline the lattice under a pressure p resists shear by 0.05 p; with Wendland's the reason is \
            unknown.",
    tunes: true,
    plots: &[HEIGHT],
    everyday: &["dfsph"],
    run,
    ..COARSE
};

const HEIGHT: Plot = Plot {
    name: "height",
    title: "Height of the standing wave",
    x: "time / period",
    y: "height / initial amplitude",
    scattered: false,
    expected: &[Expected { label: "linear theory", points: || exact(200), line: true }],
};

pub(super) const ON_A_GRID: Case = Case {
    name: "standing_wave_grid",
    title: "Standing wave on a grid",
    about: "The [standing wave](validation_water.md#standing-wave) of SPH by liquids on a grid without viscosity, \
            with λ/Δx = 64, for five periods. Transfers, and the splitting of advection and pressure, damp it.",
    solvers: LIQUIDS,
    tunes: false,
    plots: &[Plot {
        expected: &[Expected { label: "linear theory", points: || exact(520), line: true }],
        ..HEIGHT
    }],
    everyday: &["apic"],
    ..CASE
};

/// Theory for so many hundredths of a period.
fn exact(end: u32) -> Vec<(f64, f64)> {
    (0..=end).map(|k| 0.01 * f64::from(k)).map(|t| (t, (TAU * t).sin())).collect()
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let grid = trial.on_a_grid();
    let cells = if grid { [32.0, 64.0] } else { [25.0, 50.0] };
    let spacing = DEPTH / trial.pick(cells[0], cells[1]);
    let mut scene = trial.scene(spacing);
    scene.time.fps = 100.0;
    // Low enough to lose less than a tenth of the height per period, e^(−2 ν k² T). Müller's
    // method, whose pressure is noisy, needs more, and its wave is still ragged.
    let muller = trial.solver == "muller";
    if trial.tunes() && !grid {
        scene.materials[0].viscosity = Some(if muller { 5.0 } else { 1.0 });
        if !muller {
            (scene.kernel, scene.support_radius) = (Some(Kernel::WendlandC2), Some(3.0 * spacing));
        }
    }
    scene.domain = Some(Domain {
        min: [0.0; 3],
        max: [LENGTH, 1.5 * DEPTH, 0.0],
        periodic: [true, false, false],
    });
    scene.fluids = vec![block([0.0; 2], [LENGTH, DEPTH])];
    scene.boundaries = vec![trial.plane([0.0; 2], [0.0, 1.0])];
    let k = TAU / LENGTH;
    let half_periods = trial.pick(2, if grid { 10 } else { 4 });
    let end = (f64::from(half_periods) + 0.4) * PI / OMEGA;
    let speed = AMPLITUDE * OMEGA / (k * DEPTH).sinh();
    let velocity = |x: DVec3| {
        speed
            * DVec3::new(
                -(k * x.y).cosh() * (k * x.x).sin(),
                (k * x.y).sinh() * (k * x.x).cos(),
                0.0,
            )
    };
    let progress = trial.progress;
    let resolution =
        trial.pick(if grid { "λ/64" } else { "λ/50" }, if grid { "λ/128" } else { "λ/100" });
    let mut water = trial.start_moving(&scene, resolution, velocity)?;
    let mut heights = Vec::new();
    loop {
        let particles = water.state()?;
        let sum: f64 = particles.iter().map(|p| (k * p.position.x).cos()).sum();
        heights.push((water.time(), 2.0 / LENGTH * spacing * spacing * sum));
        progress(water.time() / end);
        if water.time() >= end {
            break;
        }
        water.next_frame()?;
    }
    let zeros: Vec<f64> = heights
        .windows(2)
        .skip(1)
        .filter(|pair| pair[0].1.signum() != pair[1].1.signum())
        .map(|pair| pair[0].0 + (pair[1].0 - pair[0].0) * pair[0].1 / (pair[0].1 - pair[1].1))
        .collect();
    // The last zero, divided by the number of half periods since the start; NaN if there is none.
    let found = zeros.last().map_or(f64::NAN, |last| 2.0 * last / zeros.len() as f64);
    let period = TAU / OMEGA;
    let outcome = &mut trial.outcome;
    outcome.measure("period", 100.0 * (found / period - 1.0).abs());
    if grid {
        let peak = |ends: &[f64]| {
            let within = heights.iter().filter(|(t, _)| (ends[0]..ends[1]).contains(t));
            within.map(|(_, height)| height.abs()).fold(0.0, f64::max)
        };
        let peaks: Vec<f64> = [&[0.0], &zeros[..]].concat().windows(2).map(peak).collect();
        let left = (peaks[peaks.len() - 1] / peaks[0]).powf(2.0 / (peaks.len() - 1) as f64);
        outcome.measure("height lost in a period", 100.0 * (1.0 - left));
    }
    let scaled = heights.iter().map(|(t, height)| (t / period, height / AMPLITUDE));
    outcome.curve("height", scaled.collect());
    Ok(())
}
