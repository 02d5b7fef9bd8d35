//! Time steps, frames and loops.

use glam::UVec3;
use meniscus_model::control::{FAILURE_TIME_STEP, WINDOW_OPEN};
use meniscus_model::params::LoopParams;
use meniscus_model::{Control, Params};
use meniscus_reference::{StageNumbers, World, run};

use crate::fixture::{assert_close, params};

fn clock(change: impl Fn(&mut Params)) -> World {
    let mut params = params(3, 1);
    change(&mut params);
    let mut world = World::new(params, Control::start(0));
    world.control.primed = 1;
    world
}

/// Δt of the first step of a frame so long that it is divided into very small parts.
fn limit(change: impl Fn(&mut Params), speed: f32, acceleration: f32) -> f64 {
    let mut world = clock(|params| {
        params.time.frame_duration = 1e4;
        change(params);
    });
    world.control.max_speed_bits = speed.to_bits();
    world.control.max_acceleration_bits = acceleration.to_bits();
    run(&mut world, "time/begin_step");
    assert_eq!(world.control.failure, 0);
    assert_eq!([world.control.max_speed_bits, world.control.max_acceleration_bits], [0, 0]);
    world.control.dt.into()
}

#[test]
fn adaptive_steps_keep_every_limit() {
    let fine = |params: &mut Params| params.time.max_step = 0.0125;
    assert_close(limit(fine, 0.0, 0.0), 0.0125, 1e-5);
    // 0.4 h / (c + v), with c = 1.
    assert_close(limit(|_| {}, 4.0, 0.0), 0.08, 1e-5);
    let fast = |params: &mut Params| (params.time.min_speed, params.time.cfl) = (7.0, 0.5);
    assert_close(limit(fast, 4.0, 0.0), 0.025, 1e-5);
    assert_close(limit(fast, 9.0, 0.0), 0.02, 1e-5);
    // 0.25 √(h / a).
    assert_close(limit(|_| {}, 0.0, 25.0), 0.05, 1e-5);
    let small = |params: &mut Params| (params.time.length, params.time.cfl) = (0.25, 0.5);
    assert_close(limit(small, 0.0, 25.0), 0.0125, 1e-5);
}

#[test]
fn the_first_pass_has_no_length_and_ends_frame_0() {
    let mut world = clock(|params| params.time.fixed_step = 0.01);
    world.control.primed = 0;
    run(&mut world, "time/begin_step");
    assert_eq!([world.control.dt, world.control.failure as f32], [0.0, 0.0]);
    run(&mut world, "time/end_step");
    let control = &world.control;
    assert_eq!((control.primed, control.frame_done, control.step), (1, 1, 0));
    assert_eq!(control.time_in_frame, 0.0);
}

/// Runs a frame and returns its steps.
fn frame(world: &mut World) -> Vec<f32> {
    world.control.frame_done = 1;
    world.aim_at_next_frame();
    run(world, "time/begin_frame");
    let mut steps = Vec::new();
    while world.control.frame_done == 0 {
        run(world, "time/begin_step");
        run(world, "time/end_step");
        steps.push(world.control.dt);
        assert!(steps.len() < 100_000, "the frame does not end");
    }
    steps
}

#[test]
fn frames_end_exactly_at_their_time() {
    // Frame, fixed step, largest step, number of steps.
    let cases = [
        (1.0 / 60.0, 0.0007, 1.0, 24),
        (1.0 / 60.0, 1.0 / 300.0, 1.0, 5),
        (1.0 / 60.0, 1.0 / 60.0, 1.0, 1),
        (1.0 / 60.0, 0.5, 1.0, 1),
        (1.0 / 50.0, 0.001, 1.0, 20),
        (1.0 / 60.0, 0.0, 0.0031, 6),
        (1.0 / 60.0, 0.0, 1.0 / 300.0, 5),
        (1.0 / 24.0, 0.0, 0.000_113, 369),
        (0.3, 0.0, 0.1, 3),
    ];
    for (duration, fixed, largest, count) in cases {
        let mut world = clock(|params| {
            (params.time.frame_duration, params.time.fixed_step, params.time.max_step) =
                (duration, fixed, largest);
        });
        for number in 1..=3 {
            let steps = frame(&mut world);
            let case = format!("frame {duration}, fixed {fixed}, largest {largest}");
            assert_eq!(steps.len(), count, "{case}");
            let control = &world.control;
            assert_eq!(control.time_in_frame.to_bits(), duration.to_bits(), "{case}");
            assert_eq!((control.frame, control.failure), (number, 0), "{case}");
            assert_eq!(control.steps_in_frame as usize, count, "{case}");
            assert_eq!(control.step as usize, count * number as usize, "{case}");
            let total: f64 = steps.iter().map(|&dt| f64::from(dt)).sum();
            assert!((total / f64::from(duration) - 1.0).abs() < 1e-5, "{case}: {total}");
            let bound = if fixed > 0.0 { fixed } else { largest };
            assert!(steps.iter().all(|dt| *dt <= bound * 1.0001), "{case}");
        }
    }
}

#[test]
fn a_step_beyond_the_end_of_the_frame_ends_at_it() {
    let mut world = clock(|_| {});
    for (dt, time, done) in [(0.0625, 0.0625, 0), (0.046875, 0.109375, 0), (0.5, 0.125, 1)] {
        world.control.dt = dt;
        run(&mut world, "time/end_step");
        assert_eq!((world.control.time_in_frame, world.control.frame_done), (time, done));
    }
}

#[test]
fn begin_frame_starts_counts_anew() {
    let mut world = clock(|_| {});
    let control = &mut world.control;
    (control.frame, control.step, control.steps_in_frame) = (6, 50, 8);
    (control.iterations_in_frame, control.time_in_frame, control.frame_done) = (9, 0.125, 1);
    world.aim_at_next_frame();
    run(&mut world, "time/begin_frame");
    let control = &world.control;
    assert_eq!((control.frame, control.step, control.steps_in_frame), (7, 50, 0));
    assert_eq!(
        (control.iterations_in_frame, control.time_in_frame, control.frame_done),
        (0, 0.0, 0)
    );
}

#[test]
fn a_step_below_the_smallest_is_a_failure_unless_it_ends_the_frame() {
    let failure = |max_step, time_in_frame, primed| {
        let mut world =
            clock(|params| (params.time.min_step, params.time.max_step) = (1e-3, max_step));
        (world.control.time_in_frame, world.control.primed) = (time_in_frame, primed);
        run(&mut world, "time/begin_step");
        world.control.failure
    };
    assert_eq!(failure(1e-4, 0.0, 1), FAILURE_TIME_STEP);
    assert_eq!(failure(1e-4, 0.0, 0), 0);
    assert_eq!(failure(2e-3, 0.0, 1), 0);
    assert_eq!(failure(2e-3, 0.1249, 1), 0);
}

#[test]
fn loops_converge_between_their_limits() {
    let mut world = clock(|params| {
        params.loops[1] = LoopParams {
            min_iterations: 2,
            max_iterations: 5,
            tolerance: 0.5,
            shortens_step: 1,
            ..<_>::default()
        };
    });
    world.stage = StageNumbers { loop_index: 2, loop_first: 7, number: 12, ..<_>::default() };
    world.control.iterations_in_frame = 10;
    world.control.cluster_groups = UVec3::ONE;
    world.control.loop_groups = [UVec3::ONE, UVec3::ZERO];
    // The window after each test: of the loop from stage 7 to 12 until it ends.
    let mut windows = |residuals: [f32; 5]| {
        residuals.map(|residual| {
            world.residual[0] = f64::from(residual);
            run(&mut world, "loop/test");
            let Control { iteration, resume_lo, resume_hi, .. } = world.control;
            match [resume_lo, resume_hi] {
                [7, 13] => Some(iteration),
                [13, WINDOW_OPEN] if iteration == 0 => None,
                other => panic!("{other:?}"),
            }
        })
    };
    assert_eq!(windows([0.1, 0.5, 0.1, 0.1, 0.1]), [Some(1), None, Some(1), None, Some(1)]);
    assert_eq!(windows([0.6, 0.6, 0.6, 0.4, 0.6]), [Some(2), Some(3), Some(4), None, Some(1)]);
    assert_eq!(windows([f32::NAN; 5]), [Some(2), Some(3), Some(4), None, Some(1)]);
    assert_eq!(world.control.iterations_in_frame, 25);
    assert_eq!(world.control.loop_groups, [UVec3::ZERO, UVec3::ONE]);
    assert!(world.control.stalled());
}
