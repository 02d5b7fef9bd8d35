//! Flow in a channel from rest, Poiseuille's; the series for its start is that of Morris, Fox, Zhu 1997.

use std::f64::consts::PI;

use meniscus::Error;
use meniscus_model::scene::{Boundary, Contact, Domain, Force, Response};

use crate::scenes::INCOMPRESSIBLE;

use super::{COARSE, Case, Expected, LIQUIDS, Plot, Trial, block};

/// Width of the channel in m, viscosity in m²/s, acceleration in m/s².
const WIDTH: f64 = 1e-3;
const NU: f64 = 1e-6;
const FORCE: f64 = 1e-4;
/// Final speed in the middle, in m/s.
const FASTEST: f64 = FORCE * WIDTH * WIDTH / (8.0 * NU);
/// Length of a frame in s, and the frames that are compared.
const FRAME: f64 = 0.0225;
const FRAMES: [u32; 5] = [1, 2, 5, 10, 44];

pub(super) const CASE: Case = Case {
    name: "poiseuille",
    title: "Poiseuille flow, from rest",
    about: "A channel 1 mm wide in 2-D, periodic along its length, without slip, with ν = 10⁻⁶ m²/s and an \
            acceleration of 10⁻⁴ m/s² from t = 0 on (Morris 1997; Re 0.0125). The error is the largest difference of any \
            particle from the series solution, relative to its largest speed, at 0.0225, 0.045, 0.1125, 0.225 and (at \
            L/40) 0.99 s.",
    plots: &[Plot {
        name: "profile",
        title: "Poiseuille flow at 0.0225, 0.045, 0.1125, 0.225 and 0.99 s",
        x: "y / L",
        y: "speed / steady speed in the middle",
        scattered: false,
        expected: &[
            Expected { label: "series (Morris 1997)", points: || profile(1, None), line: true },
            Expected { label: "", points: || profile(2, None), line: true },
            Expected { label: "", points: || profile(5, None), line: true },
            Expected { label: "", points: || profile(10, None), line: true },
            Expected { label: "", points: || profile(44, None), line: true },
        ],
    }],
    run: |trial| run(trial, None),
    ..COARSE
};

/// Flow in a channel by implicit viscosity, in steps that are as long as a frame, 128 times those of explicit viscosity.
pub(super) const IMPLICIT: Case = Case {
    name: "poiseuille_implicit",
    title: "Poiseuille flow at 128 times the explicit step",
    about: "The same flow with `viscosity.model = \"implicit\"` and a support of 3 spacings. At L/40 a step takes \
            22.5 ms, 128 times what explicit viscosity allows; weakly compressible, 5.6 ms. The error is relative to the \
            series of backward Euler, which slows each wave by 1/(1 + ν k² Δt) in a step.",
    plots: &[Plot {
        name: "profile",
        title: "Poiseuille flow at 128 times the explicit step, at 0.0225 to 0.99 s",
        x: "y / L",
        y: "speed / steady speed in the middle",
        scattered: false,
        expected: &[
            Expected {
                label: "series, backward Euler",
                points: || profile(1, Some(FRAME)),
                line: true,
            },
            Expected { label: "", points: || profile(2, Some(FRAME)), line: true },
            Expected { label: "", points: || profile(5, Some(FRAME)), line: true },
            Expected { label: "", points: || profile(10, Some(FRAME)), line: true },
            Expected { label: "", points: || profile(44, Some(FRAME)), line: true },
        ],
    }],
    run: |trial| {
        let with_sound = !INCOMPRESSIBLE.contains(&trial.solver);
        run(trial, Some(if with_sound { 0.25 * FRAME } else { FRAME }))
    },
    ..COARSE
};

/// Flow in a channel by liquids on a grid.
pub(super) const ON_A_GRID: Case = Case {
    name: "poiseuille_grid",
    title: "Poiseuille flow on a grid",
    about: "The same flow by liquids on a grid between sticky walls, Δx two spacings, in steps of 5.6 ms, 8 times \
            what explicit viscosity would allow at L/40. The error is that of the mean speed in each of 20 layers, \
            relative to the series of backward Euler. Its largest part is within half a cell of a wall, where particles \
            take half of the speed of the faces beside them.",
    solvers: LIQUIDS,
    plots: &[Plot {
        name: "profile",
        title: "Poiseuille flow on a grid, at 0.0225 to 0.99 s",
        x: "y / L",
        y: "speed / steady speed in the middle",
        scattered: false,
        expected: &[
            Expected {
                label: "series, backward Euler",
                points: || profile(1, Some(0.25 * FRAME)),
                line: true,
            },
            Expected { label: "", points: || profile(2, Some(0.25 * FRAME)), line: true },
            Expected { label: "", points: || profile(5, Some(0.25 * FRAME)), line: true },
            Expected { label: "", points: || profile(10, Some(0.25 * FRAME)), line: true },
            Expected { label: "", points: || profile(44, Some(0.25 * FRAME)), line: true },
        ],
    }],
    run: run_on_a_grid,
    ..COARSE
};

fn run_on_a_grid(trial: &mut Trial<'_>) -> Result<(), Error> {
    let step = 0.25 * FRAME;
    let layers = trial.pick(10.0, 20.0);
    let spacing = 0.5 * WIDTH / layers;
    let mut scene = trial.scene(spacing);
    scene.gravity = [0.0; 3];
    scene.time.fps = 1.0 / FRAME;
    scene.time.step = Some(step);
    scene.materials[0].viscosity = Some(NU * scene.materials[0].rest_density);
    let length = 8.0 * spacing;
    scene.domain =
        Some(Domain { min: [0.0; 3], max: [length, WIDTH, 0.0], periodic: [true, false, false] });
    scene.fluids = vec![block([0.0; 2], [length, WIDTH])];
    let plane = |y: f64, up: f64| trial.plane([0.0, y], [0.0, up]);
    let wall = |y: f64, up: f64| Boundary { contact: Some(Contact::Sticky), ..plane(y, up) };
    scene.boundaries = vec![wall(0.0, 1.0), wall(WIDTH, -1.0)];
    scene.forces = vec![Force::Uniform { acceleration: [FORCE, 0.0, 0.0] }];
    let progress = trial.progress;
    let resolution = trial.pick("L/20", "L/40");
    let last = trial.pick(FRAMES[3], FRAMES[4]);
    let mut water = trial.start(&scene, resolution)?;
    let (mut worst, mut curves) = (0.0_f64, Vec::new());
    for frame in 1..=last {
        water.next_frame()?;
        progress(f64::from(frame) / f64::from(last));
        if !FRAMES.contains(&frame) {
            continue;
        }
        let t = f64::from(frame) * FRAME;
        let particles = water.state()?;
        let mut points = Vec::new();
        for layer in 0..layers as u32 {
            let of_layer = |p: &&super::Particle| (p.position.y / WIDTH * layers) as u32 == layer;
            let here: Vec<_> = particles.iter().filter(of_layer).collect();
            let n = here.len() as f64;
            let y = here.iter().map(|p| p.position.y).sum::<f64>() / n;
            let speed = here.iter().map(|p| p.velocity.x).sum::<f64>() / n;
            let expected = here.iter().map(|p| exact(p.position.y, t, Some(step))).sum::<f64>() / n;
            worst = worst.max((speed - expected).abs() / exact(0.5 * WIDTH, t, Some(step)));
            points.push((y / WIDTH, speed / FASTEST));
        }
        curves.push(points);
    }
    for points in curves {
        trial.outcome.curve("profile", points);
    }
    trial.outcome.measure("largest error of the speed", 100.0 * worst);
    Ok(())
}

/// u(y, t) in m/s; with a step in s, that of backward Euler.
fn exact(y: f64, t: f64, step: Option<f64>) -> f64 {
    let steady = FORCE / (2.0 * NU) * y * (WIDTH - y);
    let term = |n: i32| {
        let m = PI * f64::from(2 * n + 1);
        4.0 * FORCE * WIDTH.powi(2) / (NU * m.powi(3))
            * (m * y / WIDTH).sin()
            * match step {
                None => (-m.powi(2) * NU * t / WIDTH.powi(2)).exp(),
                Some(dt) => (1.0 + m.powi(2) * NU * dt / WIDTH.powi(2)).powf(-t / dt),
            }
    };
    steady - (0..50).map(term).sum::<f64>()
}

fn profile(frame: u32, step: Option<f64>) -> Vec<(f64, f64)> {
    let place = |k: i32| f64::from(k) / 100.0;
    let speed = |y: f64| exact(y * WIDTH, f64::from(frame) * FRAME, step) / FASTEST;
    (0..=100).map(place).map(|y| (y, speed(y))).collect()
}

fn run(trial: &mut Trial<'_>, step: Option<f64>) -> Result<(), Error> {
    let cells = trial.pick(20.0, 40.0);
    let spacing = WIDTH / cells;
    let mut scene = trial.scene(spacing);
    scene.gravity = [0.0; 3];
    scene.time.fps = 1.0 / FRAME;
    scene.materials[0].viscosity = Some(NU * scene.materials[0].rest_density);
    let length = step.map_or(8.0, |_| 10.0) * spacing;
    scene.domain =
        Some(Domain { min: [0.0; 3], max: [length, WIDTH, 0.0], periodic: [true, false, false] });
    scene.fluids = vec![block([0.0; 2], [length, WIDTH])];
    let response = Some(Response::Particles { friction: 0.0, no_slip: true });
    let plane = |y: f64, up: f64| trial.plane([0.0, y], [0.0, up]);
    let wall = |y: f64, up: f64| Boundary { response: response.clone(), ..plane(y, up) };
    scene.boundaries = vec![wall(0.0, 1.0), wall(WIDTH, -1.0)];
    scene.forces = vec![Force::Uniform { acceleration: [FORCE, 0.0, 0.0] }];
    // The default, with which walls act best on a flow.
    scene.support_radius = step.map(|_| 3.0 * spacing);
    if let Some(step) = step {
        scene.settings.set("viscosity.model", "implicit");
        scene.time.step = Some(step);
        // Slow sound, for steps of that length.
        Trial::sound_speed(&mut scene, 100.0 * FASTEST);
    }
    let progress = trial.progress;
    let resolution = trial.pick("L/20", "L/40");
    let last = trial.pick(FRAMES[3], FRAMES[4]);
    let mut water = trial.start(&scene, resolution)?;
    let mut worst = 0.0_f64;
    let mut curves = Vec::new();
    for frame in 1..=last {
        water.next_frame()?;
        progress(f64::from(frame) / f64::from(last));
        if !FRAMES.contains(&frame) {
            continue;
        }
        let t = f64::from(frame) * FRAME;
        let particles = water.state()?;
        let wrong = particles.iter().map(|p| (p.velocity.x - exact(p.position.y, t, step)).abs());
        worst = worst.max(wrong.fold(0.0, f64::max) / exact(0.5 * WIDTH, t, step));
        let mut points: Vec<_> =
            particles.iter().map(|p| (p.position.y / WIDTH, p.velocity.x / FASTEST)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        curves.push(points);
    }
    trial.outcome.measure("largest error of the speed", 100.0 * worst);
    for points in curves {
        trial.outcome.curve("profile", points);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_series_is_that_of_the_table() {
        // Sums of the series at y/L = 0.25, computed apart from this code; with steps in the middle.
        for (y, t, step, speed, error) in [
            (0.25, 0.0225, None, 2.023_939_265e-6, 1e-8),
            (0.25, 0.225, None, 8.384_910_257e-6, 1e-8),
            (0.5, 0.0225, Some(0.0225), 2.0897e-6, 3e-5),
            (0.5, 0.225, Some(0.0225), 10.7636e-6, 3e-5),
            (0.5, 0.045, Some(0.005_625), 4.1454e-6, 3e-5),
        ] {
            let found = super::exact(y * super::WIDTH, t, step);
            assert!((found / speed - 1.0).abs() < error, "{found} and {speed}");
        }
    }
}
