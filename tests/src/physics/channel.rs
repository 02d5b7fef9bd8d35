//! VALIDATION 2.2: viscous flow in a channel, Morris 1997.

use std::f64::consts::PI;

use meniscus::Error;
use meniscus_model::scene::{Boundary, Domain, Force, Response};

use super::{ALL, Case, Expected, Plot, Trial, block};

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
    about: "A channel 1 mm wide and periodic along its length, in 2-D, with ν = 10⁻⁶ m²/s \
            and an acceleration of 10⁻⁴ m/s² from t = 0 on (Morris 1997): finally 0.0125 \
            mm/s in the middle, Re 0.0125. The error is the largest difference of any \
            particle from the series solution of the profile, relative to its largest \
            speed, at 0.0225, 0.045, 0.1125, 0.225 and (at L/40) 0.99 s. The walls have no \
            slip.",
    solvers: ALL,
    coarse: true,
    tunes: false,
    plots: &[Plot {
        name: "profile",
        title: "Poiseuille flow at 0.0225, 0.045, 0.1125, 0.225 and 0.99 s",
        x: "y / L",
        y: "speed / steady speed in the middle",
        scattered: false,
        expected: &[
            Expected { label: "series (Morris 1997)", points: || profile(1), line: true },
            Expected { label: "", points: || profile(2), line: true },
            Expected { label: "", points: || profile(5), line: true },
            Expected { label: "", points: || profile(10), line: true },
            Expected { label: "", points: || profile(44), line: true },
        ],
    }],
    run,
};

/// u(y, t) in m/s.
fn exact(y: f64, t: f64) -> f64 {
    let steady = FORCE / (2.0 * NU) * y * (WIDTH - y);
    let term = |n: i32| {
        let m = PI * f64::from(2 * n + 1);
        4.0 * FORCE * WIDTH.powi(2) / (NU * m.powi(3))
            * (m * y / WIDTH).sin()
            * (-m.powi(2) * NU * t / WIDTH.powi(2)).exp()
    };
    steady - (0..50).map(term).sum::<f64>()
}

fn profile(frame: u32) -> Vec<(f64, f64)> {
    let place = |k: i32| f64::from(k) / 100.0;
    let speed = |y: f64| exact(y * WIDTH, f64::from(frame) * FRAME) / FASTEST;
    (0..=100).map(place).map(|y| (y, speed(y))).collect()
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let cells = trial.pick(20.0, 40.0);
    let spacing = WIDTH / cells;
    let mut scene = trial.scene(spacing);
    scene.gravity = [0.0; 3];
    scene.time.fps = 1.0 / FRAME;
    scene.materials[0].viscosity = Some(NU * scene.materials[0].rest_density);
    let length = 8.0 * spacing;
    scene.domain =
        Some(Domain { min: [0.0; 3], max: [length, WIDTH, 0.0], periodic: [true, false, false] });
    scene.fluids = vec![block([0.0; 2], [length, WIDTH])];
    let response = Some(Response::Particles { friction: 0.0, no_slip: true });
    let plane = |y: f64, up: f64| trial.plane([0.0, y], [0.0, up]);
    let wall = |y: f64, up: f64| Boundary { response: response.clone(), ..plane(y, up) };
    scene.boundaries = vec![wall(0.0, 1.0), wall(WIDTH, -1.0)];
    scene.forces = vec![Force::Uniform { acceleration: [FORCE, 0.0, 0.0] }];
    // The default, with which walls act best on a flow.
    scene.support_radius = None;
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
        let wrong = particles.iter().map(|p| (p.velocity.x - exact(p.position.y, t)).abs());
        worst = worst.max(wrong.fold(0.0, f64::max) / exact(0.5 * WIDTH, t));
        let mut points: Vec<_> =
            particles.iter().map(|p| (p.position.y / WIDTH, p.velocity.x / FASTEST)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        curves.push(points);
    }
    trial.outcome.measure("largest error of the speed", 100.0 * worst, "%", 5.0);
    for points in curves {
        trial.outcome.curve("profile", points);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_series_is_that_of_the_table() {
        // VALIDATION 2.2, y/L = 0.25.
        for (t, speed) in [(0.0225, 2.023_939_265e-6), (0.225, 8.384_910_257e-6)] {
            let found = super::exact(0.25 * super::WIDTH, t);
            assert!((found / speed - 1.0).abs() < 1e-8, "{found} and {speed}");
        }
    }
}
