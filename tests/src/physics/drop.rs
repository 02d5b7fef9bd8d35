//! Drop that is stretched to an ellipse, Monaghan 1994: da/dt = −a A, dA/dt = A² (a⁴ − 1)/(a⁴ + 1), semi-axes a and 1/a.

use glam::DVec3;
use meniscus::Error;
use meniscus_model::scene::{Fluid, Packing, Shape, Sphere};

use crate::scenes::INCOMPRESSIBLE;

use super::{COARSE, Case, Expected, Particle, Plot, Trial, block};

/// Initial strain rate in s⁻¹; the radius is 1 m.
const RATE: f64 = 100.0;
const END: f64 = 0.0076;
/// The semi-axis in x at `END` (the other is its inverse).
const AXIS: f64 = 0.514_266_474_4;

pub(super) const CASE: Case = Case {
    name: "elliptical_drop",
    title: "Elliptical drop",
    about: "A disc with a radius of 1 m in 2-D, without gravity, with the initial velocity (−A x, A y), A = 100 s⁻¹, \
            becomes an ellipse with axes a and 1/a (Monaghan 1994). Axes are those of the ellipse with the particles' \
            second moments, at 7.6 ms. Area and kinetic energy must not change.",
    tunes: true,
    plots: &[
        Plot {
            name: "axes",
            title: "Semi-axis a of the drop",
            x: "time / ms",
            y: "a / m",
            scattered: false,
            expected: &[Expected { label: "analytic", points: exact, line: true }],
        },
        Plot {
            name: "energy",
            title: "Kinetic energy of the drop",
            x: "time / ms",
            y: "energy / energy at the start",
            scattered: false,
            expected: &[Expected {
                label: "analytic",
                points: || vec![(0.0, 1.0), (1e3 * END, 1.0)],
                line: true,
            }],
        },
    ],
    run,
    ..COARSE
};

/// da/dt = −a A, dA/dt = A² (a⁴ − 1)/(a⁴ + 1), by Heun's method.
fn exact() -> Vec<(f64, f64)> {
    let rate = |(a, s): (f64, f64)| (-a * s, s * s * (a.powi(4) - 1.0) / (a.powi(4) + 1.0));
    let (steps, mut y) = (760, (1.0, RATE));
    let dt = END / f64::from(steps);
    let mut points = vec![(0.0, 1.0)];
    for step in 1..=steps {
        let k = rate(y);
        let l = rate((y.0 + dt * k.0, y.1 + dt * k.1));
        y = (y.0 + 0.5 * dt * (k.0 + l.0), y.1 + 0.5 * dt * (k.1 + l.1));
        points.push((1e3 * dt * f64::from(step), y.0));
    }
    points
}

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let spacing = trial.pick(1.0 / 20.0, 1.0 / 40.0);
    let mut scene = trial.scene(spacing);
    scene.gravity = [0.0; 3];
    scene.time.fps = 5000.0;
    scene.materials[0].viscosity = Some(0.0);
    // No default accounts for its speed: it starts at rest and gets its velocities after that.
    Trial::sound_speed(&mut scene, 10.0 * RATE);
    if trial.tunes() {
        // The stretched lattice is twice as wide in one direction: neighbours in it must still
        // overlap.
        scene.support_radius = Some(3.0 * spacing);
        if INCOMPRESSIBLE.contains(&trial.solver) {
            scene.time.step = Some(5e-5);
        }
    }
    let shape = Shape::Sphere(Sphere { center: [0.0; 3], radius: 1.0 });
    // A lattice, whose density is that at rest everywhere.
    let packing = Packing::Cubic;
    scene.fluids = vec![Fluid { shape, packing, ..block([0.0; 2], [1.0; 2]) }];
    let progress = trial.progress;
    let resolution = trial.pick("R/20", "R/40");
    let velocity = |x: DVec3| DVec3::new(-RATE * x.x, RATE * x.y, 0.0);
    let mut water = trial.start_moving(&scene, resolution, velocity)?;
    let (mut axes, mut energies) = (Vec::new(), Vec::new());
    loop {
        let particles = water.state()?;
        let mean = |f: &dyn Fn(&Particle) -> f64| {
            particles.iter().map(f).sum::<f64>() / particles.len() as f64
        };
        let axis = |f: &dyn Fn(&Particle) -> f64| 2.0 * mean(&|p| f(p).powi(2)).sqrt();
        axes.push((axis(&|p| p.position.x), axis(&|p| p.position.y)));
        energies.push(mean(&|p| p.velocity.length_squared()));
        progress(water.time() / END);
        if water.time() >= END - 1e-9 {
            break;
        }
        water.next_frame()?;
    }
    // A lattice fills the disc up to a layer of uncertain thickness: use the measured radius.
    let radius = axes[0].0;
    let axes: Vec<_> = axes.iter().map(|(a, b)| (a / radius, b / radius)).collect();
    let (a, b) = axes[axes.len() - 1];
    let kept = energies[energies.len() - 1] / energies[0];
    let time = |frame: usize| 1e3 * frame as f64 / scene.time.fps;
    let outcome = &mut trial.outcome;
    let wrong = (a / AXIS - 1.0).abs().max((b * AXIS - 1.0).abs());
    outcome.measure("axes", 100.0 * wrong);
    outcome.measure("area", 100.0 * (a * b - 1.0).abs());
    outcome.measure("kinetic energy", 100.0 * (kept - 1.0).abs());
    outcome.curve("axes", axes.iter().enumerate().map(|(k, axes)| (time(k), axes.0)).collect());
    let relative = energies.iter().enumerate().map(|(k, e)| (time(k), e / energies[0]));
    outcome.curve("energy", relative.collect());
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_axis_is_that_of_the_table() {
        let last = super::exact().pop().expect("points");
        assert!((last.1 - super::AXIS).abs() < 1e-5, "{last:?}");
    }
}
