//! What does not depend on how a scene is said and run.

use glam::DVec3;
use meniscus::Simulation;
use meniscus_formats::{Draft, LoadOptions, load_text, scene_to_toml};
use meniscus_model::{Setup, State};
use toml::{Table, Value};

use super::{
    Finding, Trial,
    alike::{Relation, compare},
    keys::numbers,
};
use crate::{device::block_on, scenes};

/// Differences of integrals between families, relative to the scene's length.
pub(super) const FAMILIES: f64 = 0.05;

/// What another order of sums may change, relative, after a run.
const ORDER: f64 = 0.01;

/// Every default written out: the same parameters and particles, to the bit.
pub(super) fn defaults(trial: &Trial<'_>) -> Vec<Finding> {
    let scene = trial.scene(|_| {});
    let text = scene_to_toml(&scene);
    let path = trial.case.path.to_string_lossy();
    let again = load_text(&path, &text, &LoadOptions::default());
    let again = again.unwrap_or_else(|error| panic!("{}: {error}", trial.case.name)).scene;
    let [a, b] = [&scene, &again].map(|scene| {
        Setup::new(scene).unwrap_or_else(|problems| panic!("{}: {problems:?}", trial.case.name))
    });
    let same = |what: &str, same: bool| Finding::new(what, f64::from(u8::from(!same)), 0.0);
    vec![
        same("parameters differ", a.params == b.params),
        same("particles differ", a.position == b.position && a.velocity == b.velocity),
        same("lists differ", a.chosen.forces() == b.chosen.forces()),
    ]
}

/// Items in another order: the same integrals.
pub(super) fn order(trial: &Trial<'_>) -> Vec<Finding> {
    let base = trial.run(|_| {});
    let other = trial.run(|keys| {
        let first = keys.get("material").and_then(|all| all.get(0)?.get("name").cloned());
        if let (Some(name), Some(fluids)) =
            (first, keys.get_mut("fluid").and_then(Value::as_array_mut))
        {
            for fluid in fluids.iter_mut().filter_map(Value::as_table_mut) {
                fluid.entry("material").or_insert(name.clone());
            }
        }
        for kind in ["fluid", "boundary", "body", "material", "source"] {
            if let Some(items) = keys.get_mut(kind).and_then(Value::as_array_mut) {
                items.reverse();
            }
        }
    });
    compare("", &base, &other, Relation { place: &|x| x, impulse: 1.0, bound: ORDER })
}

/// In pieces, in submissions of one step, and resumed: the same bits.
pub(super) fn pieces(trial: &Trial<'_>) -> Vec<Finding> {
    let scene = trial.scene(|_| {});
    let gpu = trial.gpu;
    let half = 0.5 * scene.time.until;
    let run = |simulation: &mut Simulation, time: f64| {
        let ran = block_on(gpu, simulation.run_until(time));
        ran.unwrap_or_else(|error| panic!("{}, {}: {error}", trial.case.name, trial.solver));
    };
    let mut whole = scenes::start(gpu, &scene);
    run(&mut whole, half);
    let middle = scenes::state(gpu, &whole);
    run(&mut whole, scene.time.until);
    let end = scenes::state(gpu, &whole);
    let mut single = scenes::start(gpu, &scene);
    single.set_steps_per_submission(1);
    run(&mut single, scene.time.until);
    let resumed = block_on(gpu, Simulation::resume(gpu, &scene, &middle));
    let mut resumed = resumed.unwrap_or_else(|error| panic!("{}: {error}", trial.case.name));
    run(&mut resumed, scene.time.until);
    let differs = |what: &str, state: &State| {
        let others =
            state.arrays.iter().filter(|(name, words)| end.arrays.get(*name) != Some(*words));
        let names: Vec<_> = others.map(|(name, _)| name.as_str()).collect();
        let control = u8::from(state.control != end.control);
        Finding::new(
            format!("{what}: arrays that differ, {names:?}"),
            (names.len() + usize::from(control)) as f64,
            0.0,
        )
    };
    vec![
        differs("submissions of one step", &scenes::state(gpu, &single)),
        differs("resumed", &scenes::state(gpu, &resumed)),
    ]
}

/// The first solver of the scene, and this one: the same integrals.
pub(super) fn families(trial: &Trial<'_>) -> Vec<Finding> {
    let solvers = trial.case.solvers();
    let first = Trial { solver: &solvers[0], ..*trial };
    let [a, b] = [first, *trial].map(|trial| trial.run(|_| {}));
    let length = a.length();
    let mut findings = Vec::new();
    for (k, (one, two)) in a.frames.iter().zip(&b.frames).enumerate().skip(1) {
        let [x, y] = [one, two].map(|frame| DVec3::from(frame.report.center_of_mass));
        let what = format!("centre of mass, frame {k}, beside {}", solvers[0]);
        findings.push(Finding::new(what, x.distance(y) / length, FAMILIES));
    }
    findings
}

/// One particle, no gravity, a body a hundred times as dense, walls that do not move: finite, and as many particles as before.
pub(super) fn extremes(trial: &Trial<'_>) -> Vec<Finding> {
    let radius = trial.scene(|_| {}).particle_radius;
    type Change<'a> = (&'a str, &'a dyn Fn(&mut Table));
    let changes: [Change<'_>; 4] = [
        ("one particle", &|keys| {
            let Some(fluids) = keys.get_mut("fluid").and_then(Value::as_array_mut) else { return };
            fluids.truncate(1);
            let shape = fluids.iter_mut().find_map(|fluid| fluid.get_mut("shape")?.get_mut("box"));
            let Some(limits) = shape.and_then(Value::as_table_mut) else { return };
            let min = limits.get("min").and_then(numbers).unwrap_or_default();
            let max: Vec<_> = min.iter().map(|x| Value::Float(x + 2.0 * radius)).collect();
            limits.insert("max".into(), max.into());
        }),
        ("no gravity", &|keys| {
            keys.insert("gravity".into(), vec![0.0, 0.0, 0.0].into());
        }),
        ("bodies a hundred times as dense", &|keys| {
            let bodies = keys.get_mut("body").and_then(Value::as_array_mut).into_iter().flatten();
            for body in bodies.filter_map(Value::as_table_mut) {
                if let Some(density) = body.get("density").and_then(Value::as_float) {
                    body.insert("density".into(), Value::Float(100.0 * density));
                }
            }
        }),
        ("a thousandth of the viscosity", &|keys| {
            let all = keys.get_mut("material").and_then(Value::as_array_mut).into_iter().flatten();
            for material in all.filter_map(Value::as_table_mut) {
                material.insert("viscosity".into(), Value::Float(1e-6));
            }
        }),
    ];
    let mut findings = Vec::new();
    for (how, change) in changes {
        let run = trial.run(change);
        let report = &run.end().report;
        let finite =
            [report.kinetic_energy, report.max_speed, report.mass].iter().all(|x| x.is_finite());
        findings.push(Finding::new(
            format!("{how}: not finite"),
            f64::from(u8::from(!finite)),
            0.0,
        ));
        let gone = run.frames[0].report.fluid.abs_diff(report.fluid + report.left);
        findings.push(Finding::new(format!("{how}: particles gone"), f64::from(gone), 0.0));
    }
    findings
}

/// What is used but not given can be read, and written out it is the same scene, to the bit.
pub(super) fn said(trial: &Trial<'_>) -> Vec<Finding> {
    let scene = trial.scene(|keys| {
        let all = keys.get_mut("material").and_then(Value::as_array_mut).into_iter().flatten();
        for material in all.filter_map(Value::as_table_mut) {
            material.remove("viscosity");
        }
    });
    let path = trial.case.path.to_string_lossy();
    let draft = Draft::of_text(&path, &scene_to_toml(&scene));
    let mut draft = draft.unwrap_or_else(|error| panic!("{path}: {error}"));
    let used = Setup::new(&scene).unwrap_or_else(|problems| panic!("{problems:?}")).params;
    let mut findings = Vec::new();
    for number in 0..scene.materials.len() {
        let path = format!("material[{number}].viscosity");
        let read = draft.get(&path).ok();
        let read = read.as_ref().and_then(Value::as_float).unwrap_or(f64::NAN);
        let differs = (read - f64::from(used.materials[number].viscosity)).abs();
        findings.push(Finding::new(format!("{path} as it is read"), differs, 0.0));
        draft.set(&path, read.into()).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let written = draft.finish().unwrap_or_else(|error| panic!("{error}")).scene;
    let again = Setup::new(&written).unwrap_or_else(|problems| panic!("{problems:?}")).params;
    let differs = f64::from(u8::from(again.materials != used.materials || again.time != used.time));
    findings.push(Finding::new("parameters differ", differs, 0.0));
    findings
}
