//! Random scenes. The seed is fixed, so that `cargo verify` tests the same scenes each time; a
//! failing scene is reduced and printed as TOML (`cube.obj` is the cube of edge 1 about the
//! origin).

mod calm;
mod wild;

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
};

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{INCOMPRESSIBLE, solvers},
};
use glam::{DVec3, Vec3, Vec4};
use meniscus::{Error, Gpu, Simulation, State};
use meniscus_formats::scene_to_toml;
use meniscus_model::{
    Scene, check,
    params::{KIND_FLUID, RUNAWAY_CELLS},
};
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};

/// Tests a property on random scenes: few in `cargo verify`, many with `--full`.
fn for_all(
    gpu: &Gpu,
    few: u32,
    many: u32,
    scenes: impl Strategy<Value = Scene>,
    property: impl Fn(&Scene) -> Result<(), TestCaseError>,
) {
    let cases = if std::env::var_os("MENISCUS_FULL").is_some() { many } else { few };
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let met = RefCell::new(BTreeSet::new());
    let result = TestRunner::new_with_rng(config, random).run(&scenes, |scene| {
        met.borrow_mut().insert(scene.solver.clone());
        property(&scene)
    });
    match result {
        Err(TestError::Fail(reason, scene)) => panic!("{reason}\n\n{}", scene_to_toml(&scene)),
        other => assert!(other.is_ok(), "{other:?}"),
    }
    let kept = gpu.compiled_passes();
    assert!(kept < 384, "{kept} passes of former scenes are kept");
    assert_eq!(met.borrow().len(), solvers().count(), "solvers: {met:?}");
}

/// An error as a failed case.
fn fault(error: impl std::fmt::Display) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

/// End of a run.
#[derive(Clone, Debug, PartialEq)]
enum End {
    Refused,
    /// Failure with this message.
    Failed(String),
    Finite(Box<State>),
}

/// Steps of a run, and the step after which it is stopped and resumed.
const STEPS: u32 = 30;
const MIDDLE: u32 = 13;

/// Runs a scene, in submissions of at most `at_once` steps. With `split`, the run is resumed from a
/// state read back in the middle.
fn run(gpu: &Gpu, scene: &Scene, at_once: u32, split: bool) -> Result<End, TestCaseError> {
    // Use the fixed step even if the check of the CFL condition refuses it, since the window can
    // set it.
    let mut scene = scene.clone();
    let refused = |scene: &Scene| {
        let mut problems = check::problems(scene).into_iter();
        problems.any(|problem| problem.path == "time.step" && problem.message.contains("CFL"))
    };
    let too_long = if refused(&scene) { scene.time.step.take() } else { None };
    let problems = check::problems(&scene);
    let prepare = |simulation: &mut Simulation| {
        simulation.set_steps_per_submission(at_once);
        if let Some(step) = too_long {
            simulation.set_params(|params| params.time.fixed_step = step as f32).expect("a step");
        }
    };
    let mut simulation = match block_on(gpu, Simulation::new(gpu, &scene)) {
        Ok(simulation) => simulation,
        Err(Error::Scene(_)) if !problems.is_empty() => return Ok(End::Refused),
        // Even the evaluation at time 0 may fail.
        Err(Error::Failed(sentence)) => return failed(sentence.to_string()),
        Err(error) => return Err(fault(error)),
    };
    prop_assert!(problems.is_empty(), "{problems:?}");
    prepare(&mut simulation);
    let parts: &[u32] = if split { &[MIDDLE, STEPS - MIDDLE] } else { &[STEPS] };
    for (number, steps) in parts.iter().enumerate() {
        if number > 0 {
            let middle = block_on(gpu, simulation.read()).map_err(fault)?;
            simulation = block_on(gpu, Simulation::resume(gpu, &scene, &middle)).map_err(fault)?;
            prepare(&mut simulation);
        }
        match block_on(gpu, simulation.step(*steps)) {
            Ok(()) => {}
            Err(Error::Failed(sentence)) => {
                prop_assert!(simulation.control().failure != 0);
                return failed(sentence.to_string());
            }
            Err(error) => return Err(fault(error)),
        }
    }
    let state = block_on(gpu, simulation.read()).map_err(fault)?;
    finite(&simulation, &state)?;
    prop_assert!(state.control.failure == 0 && state.control.step == STEPS);
    Ok(End::Finite(Box::new(state)))
}

fn failed(sentence: String) -> Result<End, TestCaseError> {
    let says = |part: &str| sentence.contains(part);
    prop_assert!(says("step ") && says("t = ") && says("try "), "{sentence}");
    prop_assert!(!says("unknown"), "{sentence}");
    Ok(End::Failed(sentence))
}

/// Checks that time, positions and velocities are finite, and that nothing has run away.
fn finite(simulation: &Simulation, state: &State) -> Result<(), TestCaseError> {
    prop_assert!(state.time().is_finite() && state.control.max_speed().is_finite());
    let params = &simulation.setup().params;
    for (i, (place, velocity)) in state.position().iter().zip(state.velocity()).enumerate() {
        let numbers = place.iter().chain(velocity);
        prop_assert!(numbers.clone().all(|x| x.is_finite()), "{i}: {place:?} {velocity:?}");
        let place = Vec3::from_slice(place);
        let cell = ((place - params.grid.origin) * params.grid.inverse_cell).floor().abs();
        prop_assert!(cell.max_element() < RUNAWAY_CELLS as f32, "{i} is at {place}");
    }
    Ok(())
}

#[test]
fn any_scene_ends_in_finite_numbers_or_a_sentence_and_always_the_same() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let (refused, failures, finite) = (Cell::new(0), Cell::new(0), Cell::new(0));
    for_all(gpu, 28, 1024, wild::scene(), |scene| {
        let end = run(gpu, scene, 64, false)?;
        let counter = match end {
            End::Refused => &refused,
            End::Failed(_) => &failures,
            End::Finite(_) => &finite,
        };
        counter.set(counter.get() + 1);
        if end != End::Refused {
            prop_assert!(run(gpu, scene, 3, true)? == end, "a split run ends otherwise");
        }
        Ok(())
    });
    // All three ends must occur, or the scenes would test little.
    let ends = (refused.get(), failures.get(), finite.get());
    println!("{} refused, {} failed, {} finite", ends.0, ends.1, ends.2);
    assert!(ends.0 >= 1 && ends.1 >= 1 && ends.2 >= 7, "{ends:?}");
}

#[test]
fn closed_walls_lose_no_particle() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    for_all(gpu, 13, 256, calm::closed(), |scene| {
        let mut simulation = block_on(gpu, Simulation::new(gpu, scene)).map_err(fault)?;
        let first = block_on(gpu, simulation.report()).map_err(fault)?;
        let most = |emitter: &meniscus_model::scene::Emitter| emitter.max_particles.unwrap_or(0);
        let emitted: u32 = scene.emitters.iter().map(most).sum();
        for _ in 0..10 {
            block_on(gpu, simulation.next_frame()).map_err(fault)?;
            let report = block_on(gpu, simulation.report()).map_err(fault)?;
            let (lost, fluid, t) = (report.lost, report.fluid, report.time);
            prop_assert!(lost == 0, "{lost} of {fluid} are outside at {t} s");
            let range = first.fluid..=first.fluid + emitted;
            prop_assert!(range.contains(&fluid), "{fluid} of {range:?} are there at {t} s");
        }
        finite(&simulation, &block_on(gpu, simulation.read()).map_err(fault)?)
    });
}

/// Σ m v of fluid and free bodies, and the scale of its rounding: Σ m |v|, or Σ m · spacing/Δt for
/// solvers that compute pressures as displacements, which are of the order of a spacing and nearly
/// cancel.
fn momentum(
    gpu: &Gpu,
    simulation: &Simulation,
    scene: &Scene,
) -> Result<(DVec3, f64), TestCaseError> {
    let state = block_on(gpu, simulation.read()).map_err(fault)?;
    let setup = simulation.setup();
    let (mut sum, mut size) = (DVec3::ZERO, 0.0);
    let displaced = match INCOMPRESSIBLE.contains(&scene.solver.as_str()) {
        true => scene.spacing() / f64::from(state.control.dt.max(1e-9)),
        false => 0.0,
    };
    let mut add = |mass: f64, velocity: DVec3| {
        sum += mass * velocity;
        size += mass * (velocity.length() + displaced);
    };
    for (velocity, who) in state.velocity().iter().zip(state.identity()) {
        if who[1] & 255 == KIND_FLUID {
            let material = setup.params.materials[(who[1] >> 8 & 255) as usize];
            add(material.mass.into(), Vec4::from_array(*velocity).truncate().as_dvec3());
        }
    }
    for body in simulation.bodies() {
        let inverse = f64::from(setup.colliders[body.solid.index()].inverse_mass);
        if inverse > 0.0 {
            add(1.0 / inverse, body.velocity.into());
        }
    }
    Ok((sum, size))
}

#[test]
fn fluids_and_bodies_keep_their_momentum() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let worst = Cell::new(0.0_f64);
    for_all(gpu, 12, 384, calm::free(), |scene| {
        let mut simulation = block_on(gpu, Simulation::new(gpu, scene)).map_err(fault)?;
        let mut before = momentum(gpu, &simulation, scene)?;
        for _ in 0..8 {
            block_on(gpu, simulation.step(1)).map_err(fault)?;
            let after = momentum(gpu, &simulation, scene)?;
            let change = (after.0 - before.0).length() / after.1.max(before.1).max(1e-30);
            worst.set(worst.get().max(change));
            // Pair forces cancel but for rounding: 3e-8 of this scale was observed; the case `free_drop` bounds it by 6e-8.
            prop_assert!(change < 1e-7, "it changes by {change:e} of its scale in a step");
            before = after;
        }
        Ok(())
    });
    println!("momentum changes by up to {:e} of its scale in a step", worst.get());
}
