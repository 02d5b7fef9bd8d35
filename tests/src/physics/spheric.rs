//! A dam that breaks onto a box: SPHERIC's test 2.

use meniscus::Error;
use meniscus_formats::{LoadOptions, load_scene};
use meniscus_model::{probes, scene::Problem};

use crate::device::block_on;

use super::{COARSE, Case, Expected, Plot, Trial, interpolate, rms};

/// Measured (t/s, and heights in m at H2, H3 and H4), each the mean of 10 ms: Kleefsman et al. 2005. The files of the experiment have the
/// gauges from the reservoir on as H4, H1, H2, H3, as arrival times show.
const HEIGHTS: &[[f64; 4]] = &[
    [0.0, 0.001, 0.000, 0.548],
    [0.1, 0.001, 0.000, 0.534],
    [0.2, 0.001, 0.014, 0.511],
    [0.3, 0.001, 0.070, 0.487],
    [0.4, 0.046, 0.099, 0.459],
    [0.5, 0.099, 0.095, 0.427],
    [0.6, 0.120, 0.115, 0.395],
    [0.7, 0.131, 0.124, 0.363],
    [0.8, 0.147, 0.136, 0.332],
    [0.9, 0.166, 0.148, 0.303],
    [1.0, 0.179, 0.155, 0.279],
    [1.1, 0.186, 0.158, 0.254],
    [1.2, 0.195, 0.157, 0.233],
    [1.3, 0.207, 0.157, 0.214],
    [1.4, 0.201, 0.150, 0.197],
    [1.5, 0.237, 0.145, 0.182],
    [1.6, 0.256, 0.139, 0.170],
    [1.7, 0.317, 0.132, 0.159],
    [1.8, 0.333, 0.122, 0.147],
    [1.9, 0.288, 0.144, 0.138],
    [2.0, 0.287, 0.142, 0.130],
];
/// Time in s from when water 5 cm deep was measured first at H3 to when it was at H2.
const FLIGHT: f64 = 0.156;
/// Mean of the measured pressures in Pa at P1 to P4 from 0.5 to 1 s, and from 2 to 2.5 s, and at P5 to P8 then.
const FACE: [f64; 2] = [3781.0, 2257.0];
const TOP: f64 = 1550.0;
/// Depth of the reservoir in m.
const DEPTH: f64 = 0.55;

pub(super) const CASE: Case = Case {
    name: "spheric_2",
    title: "A dam breaks onto a box: SPHERIC's test 2",
    about: "The scene `spheric_2`: the experiment of MARIN (Kleefsman et al. 2005, doi 10.1016/j.jcp.2004.12.007), by δ-SPH with \
            its settings. The time from H3 to H2 is between the first moments at \
            which they have 5 cm of water, since the experiment's gate took time to open; heights differ by the root mean square over all but the \
            first 0.1 s, relative to the reservoir's 0.55 m. Pressures are means over half a second, after the blow.",
    solvers: &["wcsph"],
    tunes: false,
    plots: &[
        gauge("H2", "Water in front of the box", &[experiment(|| measured(1))]),
        gauge("H3", "Water half a metre before that", &[experiment(|| measured(2))]),
        gauge("H4", "Water in the reservoir", &[experiment(|| measured(3))]),
    ],
    everyday: &["wcsph"],
    run,
    ..COARSE
};

const fn gauge(name: &'static str, title: &'static str, expected: &'static [Expected]) -> Plot {
    Plot { name, title, x: "time / s", y: "height / m", scattered: false, expected }
}

const fn experiment(points: fn() -> Vec<(f64, f64)>) -> Expected {
    Expected { label: "experiment", points, line: false }
}

fn measured(column: usize) -> Vec<(f64, f64)> {
    HEIGHTS.iter().map(|row| (row[0], row[column])).collect()
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let (radius, end) = trial.pick((0.025, 1.0), (0.0125, 2.5));
    let scene = load_scene("spheric_2", &LoadOptions::default());
    let mut scene =
        scene.map_err(|error| Error::Scene(vec![Problem::new("scene", error.to_string())]))?.scene;
    scene.particle_radius = radius;
    scene.support_radius = Some(8.0 * radius);
    scene.time.fps = 200.0;
    let progress = trial.progress;
    let mut water = trial.start(&scene, trial.pick("H/11", "H/22"))?;
    let columns = probes::columns(&scene, water.simulation.setup().chosen.family());
    let mut curves = vec![Vec::new(); columns.len()];
    while water.time() < end - 1e-9 {
        water.next_frame()?;
        let state = block_on(water.gpu, water.simulation.read())?;
        let values = probes::values(&scene, water.simulation.setup(), &state);
        for (curve, value) in curves.iter_mut().zip(values) {
            curve.push((water.time(), if value.is_nan() { 0.0 } else { value }));
        }
        progress(water.time() / end);
    }
    let curve = |name: &str| {
        let number = columns.iter().position(|column| column.name == name);
        number.map_or(&[][..], |number| &curves[number])
    };
    let outcome = &mut trial.outcome;
    let [first, second] = ["H3", "H2"].map(|name| {
        let arrival = curve(name).iter().find(|(_, height)| *height > 0.05);
        arrival.map_or(f64::NAN, |(time, _)| *time)
    });
    outcome.measure("time from H3 to H2", 100.0 * ((second - first) / FLIGHT - 1.0).abs());
    for (column, name, what) in
        [(3, "H4", "height at H4"), (2, "H3", "height at H3"), (1, "H2", "height at H2")]
    {
        let due = measured(column).into_iter().filter(|(time, _)| (0.1..=end).contains(time));
        let apart =
            rms(due.map(|(time, height)| (interpolate(curve(name), time) - height) / DEPTH));
        outcome.measure(what, 100.0 * apart);
    }
    let mean = |sensors: std::ops::RangeInclusive<u32>, from: f64| {
        let curves = sensors.map(|k| curve(&format!("P{k}.pressure")).to_vec());
        let late = curves.flatten().filter(|(time, _)| (from..=from + 0.5).contains(time));
        let (sum, count) = late.fold((0.0, 0.0), |(sum, count), (_, p)| (sum + p, count + 1.0));
        sum / count
    };
    let error = |found: f64, due: f64| 100.0 * (found / due - 1.0).abs();
    outcome.measure("pressure on the face, 0.5 to 1 s", error(mean(1..=4, 0.5), FACE[0]));
    if end > 2.0 {
        outcome.measure("pressure on the face, 2 to 2.5 s", error(mean(1..=4, 2.0), FACE[1]));
        outcome.measure("pressure on the top, 2 to 2.5 s", error(mean(5..=8, 2.0), TOP));
    }
    for name in ["H2", "H3", "H4"] {
        outcome.curve(name, curve(name).to_vec());
    }
    Ok(())
}
