//! Walls that hold fluid.

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, solvers, start, state},
};
use glam::{DVec3, Vec3};
use meniscus::{Gpu, Simulation};
use meniscus_model::Particle;

/// Places and velocities of the fluid's particles.
fn particles(gpu: &Gpu, simulation: &Simulation) -> Vec<[DVec3; 2]> {
    let both = |p: Particle| [DVec3::from(p.position), Vec3::from(p.velocity).as_dvec3()];
    state(gpu, simulation).fluid().map(both).collect()
}

/// A particle glides over a disc of radius R at v without gravity: it follows the disc if the suction's acceleration, p/(ρ 2 dx),
/// is more than v²/R, and leaves it if it is less, at the rate of the difference.
#[test]
fn suction_holds_up_to_the_speed_that_it_should() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in solvers() {
        for (share, stays) in [(0.0, false), (0.7, false), (1.3, true)] {
            // ρ 2 dx v²/R.
            let suction = share * 1000.0 * 0.04 * 1.0 / 0.3;
            let scene = parse(&format!(
                r#"
dimensions = 2
solver = {solver:?}
particle_radius = 0.01
gravity = [0.0, 0.0, 0.0]
[time]
fps = 10.0
max_step = 0.002
[domain]
min = [-1.0, -1.0, 0.0]
max = [1.0, 1.0, 0.0]
[[material]]
name = "water"
[[fluid]]
shape.box = {{ min = [-0.01, 0.3, 0.0], max = [0.01, 0.32, 0.0] }}
velocity = [1.0, 0.0, 0.0]
[[boundary]]
shape.sphere = {{ center = [0.0, 0.0, 0.0], radius = 0.3 }}
side = "outside"
suction = {suction:?}
"#
            ));
            let mut simulation = start(gpu, &scene);
            // A quarter of a turn, π/2 R/v.
            block_on(gpu, simulation.run_until(0.47)).unwrap_or_else(|error| panic!("{error}"));
            let all = particles(gpu, &simulation);
            assert_eq!(all.len(), 1, "{solver}");
            let [x, v] = all[0];
            let distance = x.length() - 0.3;
            assert_eq!(distance < 0.04, stays, "{solver}, {share}: {distance} m off the disc");
            // Before the particle leaves, from 1 to 4 cm, suction does work on it; the rest is what it takes of the velocity
            // that turns away from the wall, (v Δt/R)² of the energy in a step.
            let work = if stays { 0.0 } else { 0.03 * share / 0.3 };
            let energy = 0.5 - work..0.50005;
            let found = 0.5 * v.length_squared();
            println!("{solver}, {share}: {distance} m off the disc, {found} of {energy:?} J/kg");
            assert!(
                (energy.start - 0.01..energy.end).contains(&found),
                "{solver}, {share}: {found} of {energy:?} J/kg"
            );
        }
    }
}

/// A thin jet falls on a ball. With suction most of the water follows the ball to below its middle, without it flies off; in
/// either case no particle has more energy than it fell with.
#[test]
fn a_jet_runs_over_a_ball() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for solver in solvers() {
        for suction in [0.0, 1500.0] {
            let scene = parse(&format!(
                r#"
solver = {solver:?}
particle_radius = 0.004
[time]
fps = 20.0
[[material]]
name = "water"
[[emitter]]
mouth.circle = {{ radius = 0.014 }}
center = [0.0, 0.116, 0.0]
velocity = [0.0, -0.8, 0.0]
[[boundary]]
shape.sphere = {{ center = [0.0, 0.0, 0.0], radius = 0.05 }}
side = "outside"
suction = {suction:?}
[[drain]]
shape.box = {{ min = [-0.2, -0.06, -0.2], max = [0.2, 0.4, 0.2] }}
outside = true
"#
            ));
            let mut simulation = start(gpu, &scene);
            block_on(gpu, simulation.run_until(0.4)).unwrap_or_else(|error| panic!("{error}"));
            let all = particles(gpu, &simulation);
            let below: Vec<_> = all.iter().filter(|[x, _]| x.y < 0.0).collect();
            let near = below.iter().filter(|[x, _]| x.length() < 0.05 + 0.024).count();
            let share = near as f64 / below.len() as f64;
            let energy = |[x, v]: &[DVec3; 2]| 0.5 * v.length_squared() + 9.81 * x.y;
            let most = all.iter().map(energy).fold(f64::NEG_INFINITY, f64::max);
            println!(
                "{solver}, {suction} Pa: {share} of {} near the ball, {most} J/kg",
                below.len()
            );
            // v₀²/2 + g H at the mouth.
            assert!(most < 1.463, "{solver}, {suction} Pa: {most} J/kg");
            // p/(ρ 2 dx) = 94 m/s² is more than v²/R = 52 m/s² at the ball's middle.
            if suction > 0.0 {
                assert!(share > 0.95, "{solver}: {share} of the water follows the ball");
            } else {
                assert!(share < 0.25, "{solver}: {share} of the water follows the ball by itself");
            }
        }
    }
}
