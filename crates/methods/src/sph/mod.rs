//! Smoothed particle hydrodynamics: one file for each pressure solver, and the lists that they share.

pub mod dfsph;
pub mod iisph;
pub mod muller;
pub mod pcisph;
pub mod wcsph;

use meniscus_model::Setup;

use crate::{
    lists::{
        bodies::{each, place, press, react, summed},
        neighbours::neighbours,
        step::{begin, end, fields},
    },
    stage::{Entry, LoopPlace, Stage, run, stage},
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
    match setup.bodies.is_empty() {
        true => vec![run(&forces(setup, None)), fields(), run("integrate/kick")],
        // Both sides with the same velocities.
        false => {
            let carry = each("body/carry", setup, setup.params.counts.driven);
            let mut list =
                vec![run(&forces(setup, None)), each("body/react", setup, 0).into(), fields()];
            list.extend([run("integrate/kick"), run("body/fall")]);
            list.extend([summed("body/kick", setup), carry].map(Entry::from));
            list
        }
    }
}

/// Warm start from the last step's pressures, then iterations. Bodies take their share of each iteration
/// at once, so that the next one knows how they give way: light ones could not be coupled otherwise.
fn solve(setup: &Setup, number: u32, error: &str, warm: &str) -> Vec<Entry> {
    let sum = |stage: Stage| stage.with("kappa", "kappa_sum");
    let place = LoopPlace { index: 1 + number, ..LoopPlace::default() };
    let begin = stage("sph/warm").with("warm", warm).at(place);
    let pressed = press(setup);
    let mut list = vec![sum(begin), sum(stage("sph/push"))];
    list.extend(pressed.iter().cloned().map(sum));
    let mut list: Vec<Entry> = list.into_iter().map(Entry::from).collect();
    let body = [error, "loop/residual", "sph/correct"].map(stage).into_iter().chain(pressed);
    list.push(Entry::repeat(number, body.collect()));
    list.push(sum(stage("sph/keep").with("warm", warm)).into());
    list
}

/// The end of a step that finds velocities first: positions from velocities.
fn euler_end(setup: &Setup) -> Vec<Entry> {
    let mut list = vec![run("integrate/advance")];
    list.extend(end(setup));
    list
}
