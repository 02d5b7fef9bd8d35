//! Momentum of a free drop, which pair forces conserve.

use glam::DVec3;
use meniscus::Error;

use super::{COARSE, Case, Trial, block};
use meniscus_model::scene::{Cuboid, Fluid, Shape};

pub(super) const CASE: Case = Case {
    name: "free_drop",
    title: "Momentum of a free drop",
    about: "A cube of 12³ particles, each displaced at random by up to a fifth of the spacing, without gravity or \
            walls. Measured is the largest change of its momentum in any of twenty steps, relative to the sum of m |v|.",
    tunes: true,
    run,
    ..COARSE
};

fn run(trial: &mut Trial<'_>) -> Result<(), Error> {
    let mut scene = trial.scene(0.02);
    scene.dimensions = 3;
    scene.gravity = [0.0; 3];
    let shape = Shape::Box(Cuboid { min: [-0.12; 3], max: [0.12; 3] });
    scene.fluids = vec![Fluid { shape, jitter: 0.2, ..block([0.0; 2], [1.0; 2]) }];
    Trial::sound_speed(&mut scene, 5.0);
    // A frame is a step, so that each step is measured.
    scene.time.step = Some(0.0005);
    scene.time.fps = 2000.0;
    let progress = trial.progress;
    let mut water = trial.start(&scene, "edge/12")?;
    let momentum = |water: &super::Water<'_>| -> Result<(DVec3, f64), Error> {
        let sum = water.state()?.iter().fold((DVec3::ZERO, 0.0), |(sum, size), p| {
            (sum + p.velocity, size + p.velocity.length())
        });
        Ok(sum)
    };
    // A solver that moves nothing trivially conserves momentum.
    for _ in 0..5 {
        water.next_frame()?;
    }
    let (mut before, mut worst) = (momentum(&water)?, 0.0_f64);
    for step in 0..20 {
        water.next_frame()?;
        let after = momentum(&water)?;
        worst = worst.max((after.0 - before.0).length() / after.1);
        before = after;
        progress(f64::from(step) / 20.0);
    }
    trial.outcome.measure("change of momentum in a step", 1e6 * worst);
    Ok(())
}
