//! Smoothed particle hydrodynamics: one file for each pressure solver, and the lists that they share.

pub mod dfsph;
pub mod iisph;
pub mod muller;
pub mod pcisph;
pub mod wcsph;

use meniscus_model::Setup;

use crate::{
    lists::{
        bodies::{place, press, react},
        neighbours::neighbours,
        step::{begin, end, fields},
    },
    stage::{Entry, Stage, run, stage},
};

/// A leap-frog step with the passes that find pressures and the walk `forces`, for solvers with an equation
/// of state (Müller, Charypar, Gross 2003; Becker, Teschner 2007).
fn leap_frog(setup: &Setup, pressure: &[&str], forces: &str) -> Vec<Entry> {
    let mut list = begin(setup);
    list.push(run("integrate/drift"));
    list.extend(place(setup));
    list.extend(neighbours(setup));
    list.extend(pressure.iter().map(|pass| run(pass)));
    list.extend([run(forces), fields(), run("integrate/kick_drift")]);
    list.extend(react(setup));
    list.extend(end(setup));
    list
}

/// The walk over neighbours that sums the scene's forces, named with its terms.
fn forces(setup: &Setup, pressure: Option<&str>) -> String {
    let mut terms = vec!["viscosity_muller"];
    terms.extend(pressure);
    terms.push("tension_color_field");
    if pressure == Some("pressure_wcsph") {
        terms.extend((setup.params.sph.alpha > 0.0).then_some("viscosity_artificial"));
        terms.extend((setup.params.sph.xsph > 0.0).then_some("viscosity_xsph"));
    }
    format!("sph/forces+{}", terms.join("+"))
}

/// The beginning of a step that finds velocities first: neighbours and densities at the step's beginning.
fn euler_begin(setup: &Setup) -> Vec<Entry> {
    let mut list = begin(setup);
    list.extend(place(setup));
    list.extend(neighbours(setup));
    list.push(run("sph/density"));
    list
}

/// All forces but pressure, on fluid and bodies.
fn euler_kick(setup: &Setup) -> Vec<Entry> {
    let mut list = vec![run(&forces(setup, None))];
    match setup.bodies.is_empty() {
        true => list.extend([fields(), run("integrate/kick")]),
        // Both sides with the same velocities.
        false => {
            list.extend([run("body/react"), fields()]);
            let both = ["integrate/kick", "body/fall", "body/kick", "body/carry"];
            list.extend(both.map(run));
        }
    }
    list
}

/// Warm start from the last step's pressures, then iterations. Bodies take their share of each iteration
/// at once, so that the next one knows how they give way: light ones could not be coupled otherwise.
///
/// `name` is the loop's, `error` the pass that finds the errors of an iteration. Pressures are kept from
/// step to step in the array `warm_` + name, the mean error in name + `_residual`.
fn solve(setup: &Setup, name: &str, error: &str) -> Vec<Entry> {
    let (warm, residual) = (format!("warm_{name}"), format!("{name}_residual"));
    let sum = |stage: Stage| stage.with("kappa", "kappa_sum");
    let pressed = press(setup, false);
    let begin = stage("sph/warm").with("warm", &warm).of_loop(name);
    let mut list: Vec<Entry> = vec![sum(begin).into(), sum(stage("sph/push")).into()];
    list.extend(press(setup, true).into_iter().map(Entry::from));
    let mean = stage("loop/residual").with("residual", &residual);
    let body = [stage(error), mean, stage("sph/correct")].into_iter().chain(pressed);
    list.push(Entry::repeat(name, &residual, body.collect()));
    list.push(sum(stage("sph/keep").with("warm", &warm)).into());
    list
}

/// The end of a step that finds velocities first: positions from velocities.
fn euler_end(setup: &Setup) -> Vec<Entry> {
    let mut list = vec![run("integrate/advance")];
    list.extend(end(setup));
    list
}
