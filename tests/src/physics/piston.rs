//! Waves of a piston.

use std::f64::consts::TAU;

use meniscus::Error;
use meniscus_model::{
    probes,
    scene::{Kernel, Motion, Probe},
};

use super::{COARSE, Case, Expected, Plot, Trial, block};
use crate::device::block_on;

/// Stroke, depth and length of the tank in m, and period in s.
const STROKE: f64 = 0.06;
const DEPTH: f64 = 0.3;
const LENGTH: f64 = 3.0;
const PERIOD: f64 = 1.0;
/// Wave number in m⁻¹ by ω² = g k tanh(k d); the group velocity is 0.93 m/s.
const K: f64 = 4.576_415_897_4;
/// Distances of the gauges from the piston's middle in m.
const GAUGES: [f64; 6] = [0.5, 0.7, 0.9, 1.1, 1.3, 1.5];

pub(super) const CASE: Case = Case {
    name: "piston",
    title: "Waves of a piston",
    about: "A piston with a stroke of 6 cm and a period of 1 s makes waves in water 0.3 m deep, in 2-D, from rest. \
            Six gauges 0.5 to 1.5 m in front of it measure the first harmonic for two periods. Their mean height is \
            compared with linear theory, H/S = 2 (cosh 2kd − 1)/(sinh 2kd + 2kd), 7.8 cm (Havelock 1929; Biésel, Suquet \
            1951); at such a steepness measured waves were 10 % lower (Ursell, Dean, Yu 1960). The change in a metre is \
            that of a line through their logarithms. SPH has Wendland's C2 kernel with a support of 3 spacings and 1 Pa \
            s, which takes 4 % in a metre; WCSPH's default artificial viscosity takes 30 % at half of this resolution, \
            and DFSPH loses 15 % there with any viscosity.",
    solvers: &["wcsph", "dfsph", "flip"],
    coarse: false,
    tunes: true,
    plots: &[Plot {
        name: "height",
        title: "Heights of waves in front of a piston",
        x: "distance / m",
        y: "height / m",
        scattered: false,
        expected: &[Expected {
            label: "linear theory",
            points: || vec![(0.0, theory())],
            line: false,
        }],
    }],
    run,
    ..COARSE
};

/// Height of the waves in m by linear theory.
fn theory() -> f64 {
    let kd2 = 2.0 * K * DEPTH;
    STROKE * 2.0 * (kd2.cosh() - 1.0) / (kd2.sinh() + kd2)
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = trial.pick(DEPTH / 20.0, DEPTH / 40.0);
    let mut scene = trial.scene(spacing);
    scene.time.fps = 50.0;
    scene.time.until = 4.5;
    if trial.tunes() && !trial.on_a_grid() {
        (scene.kernel, scene.support_radius) = (Some(Kernel::WendlandC2), Some(3.0 * spacing));
        scene.materials[0].viscosity = Some(1.0);
    }
    scene.fluids = vec![block([0.0; 2], [LENGTH, DEPTH])];
    let mut piston = trial.plane([0.0; 2], [1.0, 0.0]);
    let sway = Motion::Sway { amplitude: [STROKE / 2.0, 0.0, 0.0], period: PERIOD, phase: -90.0 };
    piston.motion = vec![sway];
    scene.boundaries = vec![trial.tank([-0.2, 0.0], [LENGTH, 2.0 * DEPTH]), piston];
    let middle = STROKE / 2.0;
    let gauge = |at: &f64| Probe::Gauge {
        name: format!("at {at}"),
        at: [middle + at, 0.0, 0.0],
        average: 0.0,
    };
    scene.probes = GAUGES.iter().map(gauge).collect();
    let progress = trial.progress;
    let resolution = trial.pick("d/20", "d/40");
    let mut water = trial.start(&scene, resolution)?;
    // The front reaches the last gauge after 1.6 s, and comes back to it after 4.8 s.
    let (begin, end) = (2.5 * PERIOD, 4.5 * PERIOD);
    // Sums of η cos ωt and η sin ωt.
    let mut sums = [[0.0; 2]; GAUGES.len()];
    let mut count = 0.0;
    while water.time() < end - 1e-6 {
        water.next_frame()?;
        progress(water.time() / end);
        if water.time() <= begin + 1e-6 {
            continue;
        }
        let state = block_on(water.gpu, water.simulation.read())?;
        let heights = probes::values(&scene, water.simulation.setup(), &state);
        let (sin, cos) = (TAU * water.time() / PERIOD).sin_cos();
        for (sum, height) in sums.iter_mut().zip(heights) {
            sum[0] += height * cos;
            sum[1] += height * sin;
        }
        count += 1.0;
    }
    // From crest to trough: twice the amplitude.
    let heights = sums.map(|[cos, sin]| 4.0 / count * f64::hypot(cos, sin));
    let points: Vec<_> = GAUGES.into_iter().zip(heights).collect();
    let mean =
        |of: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / GAUGES.len() as f64;
    let (x, y) = (mean(&|(x, _)| *x), mean(&|(_, height)| height.ln()));
    let slope =
        mean(&|(at, height)| (at - x) * (height.ln() - y)) / mean(&|(at, _)| (at - x).powi(2));
    let outcome = &mut trial.outcome;
    outcome.measure("height", 100.0 * (y.exp() / theory() - 1.0).abs());
    outcome.measure("change in a metre", 100.0 * (slope.exp() - 1.0).abs());
    outcome.curve("height", points);
    Ok(())
}
