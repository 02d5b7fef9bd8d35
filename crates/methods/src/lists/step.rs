//! The beginning and the end of every method's step, frames, and reports between steps.

use meniscus_model::{Setup, scene::Solver};

use super::bodies;
use crate::{
    space::FIELDS,
    sph,
    stage::{Entry, List, Phase, run, stage},
};

/// The lists of a simulation: `begin` opens a frame, `step` makes a step, `report` sums over all particles.
#[must_use]
pub fn lists(solver: Solver, setup: &Setup) -> [List; 3] {
    let list = |name, phase, entries| List { name, phase, entries };
    [
        list("begin", Phase::FrameEnd, frame_begin()),
        list("step", Phase::Step, step(solver, setup)),
        list("report", Phase::Any, report()),
    ]
}

/// The stages of one step of a solver.
#[must_use]
pub fn step(solver: Solver, setup: &Setup) -> Vec<Entry> {
    match solver {
        Solver::Muller => sph::muller::step(setup),
        Solver::Wcsph => sph::wcsph::step(setup),
        Solver::Pcisph => sph::pcisph::step(setup),
        Solver::Iisph => sph::iisph::step(setup),
        Solver::Dfsph => sph::dfsph::step(setup),
    }
}

/// The sums over all particles, between any two steps.
#[must_use]
pub fn report() -> Vec<Entry> {
    vec![run("diagnostics/partial"), run("diagnostics/total")]
}

/// The opening of the next frame.
#[must_use]
pub fn frame_begin() -> Vec<Entry> {
    vec![run("time/begin_frame")]
}

/// The length of the step, then emission and removal where the scene has any.
#[must_use]
pub fn begin(setup: &Setup) -> Vec<Entry> {
    let mut list = vec![run("time/begin_step")];
    if setup.params.counts.emitters > 0 {
        list.extend([run("emit/plan"), run("emit/points")]);
    }
    if setup.params.counts.drains > 0 {
        list.push(run("emit/drain"));
    }
    list
}

/// The force fields, where there are some.
#[must_use]
pub fn fields() -> Entry {
    stage("integrate/fields").when(FIELDS).into()
}

/// The end of every step, once the fluid has its new positions.
#[must_use]
pub fn end(setup: &Setup) -> Vec<Entry> {
    let mut list = bodies::contacts(setup);
    if setup.params.counts.colliders > 0 {
        list.extend([run("body/end"), run("solid/collide")]);
    }
    list.extend([run("check/limits"), run("time/end_step")]);
    list
}
