//! Runs are bit-identical however they are submitted, split and resumed; failures have messages.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
};

use conformance::{
    cases::Case,
    device::{Flavour, block_on, gpu},
    scenes::{block, dam, free_cube, others, same_bits, start, state},
};
use meniscus::{Error, GpuOptions, Shaders, Simulation, blocking::open};
use meniscus_model::{
    Scene,
    scene::{Force, Value},
};

#[test]
fn the_same_run_gives_the_same_bits_however_it_is_submitted() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let scene = dam();
    let run = |steps: u32| {
        let mut simulation = start(gpu, &scene);
        simulation.set_steps_per_submission(steps);
        block_on(gpu, simulation.run_until(0.1)).unwrap();
        state(gpu, &simulation)
    };
    let whole = run(64);
    assert!(whole.control.step > 20, "enough steps to differ in");
    for steps in [64, 1, 7] {
        assert!(run(steps) == whole, "{steps} steps per submission change the result");
    }
    // Step by step, as in a window, then to the end of the frame.
    let mut simulation = start(gpu, &scene);
    block_on(gpu, simulation.step(3)).unwrap();
    assert_eq!(simulation.control().step, 3);
    block_on(gpu, simulation.step(8)).unwrap();
    block_on(gpu, simulation.run_until(0.1)).unwrap();
    assert!(state(gpu, &simulation) == whole, "single steps change the result");
}

/// The dam with a liquid as thick as syrup, by implicit viscosity.
fn thick() -> Scene {
    let mut scene = dam();
    scene.solver = "dfsph".into();
    scene.support_radius = Some(6.0 * scene.particle_radius);
    scene.materials[0].viscosity = Some(500.0);
    scene.settings.set("viscosity.model", "implicit");
    scene
}

/// The dam in a tank that moves.
fn carried() -> Scene {
    let mut scene = dam();
    scene.boundaries[0].velocity = [0.2, 0.0, 0.0];
    scene
}

#[test]
fn every_solver_gives_the_same_bits_however_it_is_submitted_or_resumed() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for scene in others(dam).chain([thick(), carried()]) {
        same_bits(gpu, &scene, 0.05, 1, 20);
    }
}

/// What is among the arrays that a resumed run begins with: of each family, of bodies that float, touch, turn on a hinge and are driven,
/// of walls that change their shape, and of iterations.
#[test]
fn every_kind_of_scene_gives_the_same_bits() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for (case, solvers, time) in [
        ("smoke_2d", &["stable_fluids"][..], 0.2),
        ("liquid_2d", &["pic", "apic", "flip", "polypic", "eulerian"], 0.1),
        ("liquid_levelset", &["eulerian"], 0.1),
        ("liquid_bodies", &["flip"], 0.02),
        ("mpm_bodies", &["mls_mpm"], 0.01),
        ("mpm_implicit", &["mls_mpm"], 0.03),
        ("deforming", &["dfsph"], 0.04),
        ("deforming_liquid", &["flip"], 0.04),
    ] {
        for solver in solvers {
            println!("{case}, {solver}");
            same_bits(gpu, &Case::read(case).with(solver), time, 3, 4);
        }
    }
}

/// Comparisons with the reference use general shaders, runs those with constants of the scene.
#[test]
fn shaders_of_a_scene_give_the_bits_of_general_ones() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let general = Shaders::standard().general();
    for mut scene in others(dam).chain([dam()]) {
        scene.settings.set("viscosity.model", Value::Texts(vec!["muller".into()]));
        // Only a moving wall's motion differs from that of none.
        scene.boundaries[0].velocity = [0.5, 0.0, 0.0];
        let mut special = start(gpu, &scene);
        let simulation = Simulation::with_shaders(gpu, &scene, &general);
        let mut simulation = block_on(gpu, simulation).unwrap();
        for simulation in [&mut special, &mut simulation] {
            block_on(gpu, simulation.run_until(0.05)).unwrap();
        }
        let (special, general) = (state(gpu, &special), state(gpu, &simulation));
        assert!(special.control.step >= 10, "{}: enough steps to differ in", scene.solver);
        assert!(special == general, "{}: constants of the scene change the result", scene.solver);
    }
}

#[test]
fn a_state_of_another_scene_is_refused() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let taken = state(gpu, &start(gpu, &dam()));
    let mut other = dam();
    other.particle_radius = 0.05;
    let refused = block_on(gpu, Simulation::resume(gpu, &other, &taken));
    assert!(matches!(refused, Err(Error::Mismatch(_))), "{refused:?}");
}

#[test]
fn a_failure_is_a_sentence_with_id_step_and_time() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = free_cube();
    scene.fluids.push(block([9.0; 3], [9.02; 3]));
    let pull = Force::Attract { center: [9.5; 3], strength: 0.0, radius: 2.0 };
    scene.forces = vec![pull];
    let mut simulation = start(gpu, &scene);
    simulation
        .set_params(|params| {
            params.time.fixed_step = 0.01;
            params.force_fields[0].strength = 1e9;
        })
        .unwrap();
    let error = block_on(gpu, simulation.run_until(9.0)).unwrap_err();
    let sentence = error.to_string();
    assert!(matches!(error, Error::Failed(_)), "{sentence}");
    // The lone fast particle is the last of all.
    for part in ["step ", "t = ", "particle 1728 ", "2^20 cells"] {
        assert!(sentence.contains(part), "{sentence}");
    }
    let time = simulation.time();
    assert!(block_on(gpu, simulation.next_frame()).is_err(), "it stays failed");
    assert_eq!(simulation.time(), time, "time stands still");
}

#[test]
fn forces_change_without_rebuilding_anything() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut scene = free_cube();
    scene.forces = vec![Force::Uniform { acceleration: [0.0; 3] }];
    let mut simulation = start(gpu, &scene);
    block_on(gpu, simulation.run_until(0.1)).unwrap();
    simulation.set_params(|params| params.force_fields[0].direction = glam::Vec3::X).unwrap();
    block_on(gpu, simulation.run_until(1.1)).unwrap();
    let report = block_on(gpu, simulation.report()).unwrap();
    let speed = report.momentum[0] / report.mass;
    assert!((speed - 1.0).abs() < 1e-3, "1 m/s² for 1 s gives {speed} m/s");
}

#[test]
fn a_pass_that_the_device_refuses_is_named() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    // More invocations than WebGPU's limits allow: naga accepts it, a device with those limits does not.
    let mut shaders = Shaders::standard();
    let text = meniscus_wgsl::file("integrate/advance").expect("the pass");
    let changed = text.replace("@workgroup_size(64)", "@workgroup_size(1024)");
    assert_ne!(changed, text);
    shaders.insert("integrate/advance", changed);
    let refused = block_on(gpu, Simulation::with_shaders(gpu, &dam(), &shaders));
    let Err(Error::Pipeline { pass, message }) = refused else { panic!("{refused:?}") };
    assert_eq!(pass, "integrate/advance");
    assert!(message.contains("256"), "{message}");
    // The device itself is not affected.
    block_on(gpu, start(gpu, &dam()).next_frame()).expect("other simulations go on");
}

#[test]
fn parameters_that_arrays_were_made_for_do_not_change() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = start(gpu, &free_cube());
    let before = simulation.setup().params;
    let refused = simulation.set_params(|params| params.counts.capacity += 1);
    assert!(refused.unwrap_err().to_string().contains("params.counts"), "it names the part");
    let refused = simulation.set_params(|params| params.world.particle_radius *= 2.0);
    assert!(matches!(refused, Err(Error::Options(_))), "{refused:?}");
    let refused = simulation.set_params(|params| params.world.gravity.x = f32::NAN);
    assert!(
        refused
            .expect_err("a NaN")
            .to_string()
            .contains("params.world has a value that is not a number")
    );
    let refused = simulation.set_params(|params| params.world.gravity.y = f32::NEG_INFINITY);
    let sentence = refused.expect_err("infinite").to_string();
    assert!(sentence.contains("params.world has a value that is infinite"), "{sentence}");
    for time in [f64::NAN, f64::INFINITY] {
        let refused = block_on(gpu, simulation.run_until(time)).expect_err("never");
        assert!(refused.to_string().contains("until a finite time"), "{refused}");
    }
    let refused = simulation.set_params(|params| params.time.frame_duration = 1.0);
    assert!(refused.unwrap_err().to_string().contains("params.time.frame_duration"));
    assert_eq!(simulation.setup().params, before);
}

/// A frame of many submissions, polled by a program that does something else in between.
#[test]
fn each_poll_makes_one_submission_at_most() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let mut simulation = start(gpu, &free_cube());
    simulation.set_steps_per_submission(1);
    let mut polls = 0;
    {
        let mut frame = pin!(simulation.next_frame());
        let mut context = Context::from_waker(Waker::noop());
        loop {
            polls += 1;
            if let Poll::Ready(done) = frame.as_mut().poll(&mut context) {
                done.expect("a frame");
                break;
            }
            // Now the device has done everything that was submitted.
            let wait = wgpu::PollType::Wait { submission_index: None, timeout: None };
            gpu.device().poll(wait).expect("a device");
        }
    }
    let steps = simulation.control().steps_in_frame;
    assert!(steps > 3 && polls > steps, "{polls} polls for {steps} steps");
}

#[test]
fn a_lost_device_is_called_one() {
    if gpu(Flavour::Default).is_none() {
        return;
    }
    let own = open(&GpuOptions::default()).expect("a device");
    let mut simulation = start(&own, &free_cube());
    own.device().destroy();
    for _ in 0..2 {
        let error = block_on(&own, simulation.next_frame()).expect_err("it is gone");
        assert!(matches!(error, Error::DeviceLost(_)), "{error}");
        assert!(error.to_string().starts_with("the GPU device was lost (the program destroyed it"));
    }
}
