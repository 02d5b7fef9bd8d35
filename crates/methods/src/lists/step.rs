//! Beginning and end of every method's step, frames, and reports between steps.

use super::{
    bodies,
    sort::{clear, over_moving, scan, sort_by},
};
use crate::{
    Method, Place, Scope,
    arrays::Row,
    space::{FIELDS, NO_TENSION, ONE, OPENING_POINTS, PARTICLES, SPAWN, TENSION},
    stage::{Entry, List, Phase, run, stage},
};

/// Lists of a simulation: `begin` goes on to the next target and opens a frame, `step` makes a step, `report` computes
/// diagnostics; where a program may do so, `spawn` adds particles, `remove` removes some, and `put` puts bodies in and out.
#[must_use]
pub fn lists(scope: &Scope) -> Vec<List> {
    let list = |name, phase, entries| List { name, phase, entries };
    let mut all = vec![
        list("begin", Phase::Any, frame_begin()),
        list("step", Phase::Step, step(scope)),
        list("report", Phase::Any, report(scope)),
    ];
    if scope.room > 0 {
        all.push(list("spawn", Phase::Any, spawn(scope)));
        all.push(list("remove", Phase::Any, remove(scope)));
        if bodies::has_free(scope) {
            all.push(list("put", Phase::Any, vec![run("body/put")]));
        }
    }
    all
}

/// The stages of one step of the scene's solver.
#[must_use]
pub fn step(scope: &Scope) -> Vec<Entry> {
    scope.chosen.stages(scope)
}

/// Diagnostics, between any two steps.
#[must_use]
pub fn report(scope: &Scope) -> Vec<Entry> {
    let mut list = vec![run(scope.chosen.family().diagnostics), run("diagnostics/total")];
    list.extend(scope.joined(Place::Report));
    if scope.chosen.sph().is_some() {
        list.extend(sort_by(scope, "position"));
        list.extend([clear("close_count", ONE), run("sph/close")]);
    }
    list
}

/// The opening of the next frame.
#[must_use]
pub fn frame_begin() -> Vec<Entry> {
    vec![run("time/begin_frame")]
}

/// Length of the step, and solids at the time at which forces are computed.
#[must_use]
pub fn step_length(scope: &Scope) -> Entry {
    run(if scope.colliders > 0 { "body/begin" } else { "time/begin_step" })
}

/// Length of the step, then emission and removal if the scene has any.
#[must_use]
pub fn begin(scope: &Scope) -> Vec<Entry> {
    let mut list = vec![step_length(scope)];
    if scope.emitters > 0 {
        list.extend([run("emit/plan"), run("emit/points")]);
        list.extend(forget(scope));
    }
    if scope.openings > 0 {
        list.extend(come_and_go(scope));
    }
    if scope.drains > 0 {
        list.push(run("emit/drain"));
    }
    list
}

/// A pass on what mouths drive: what an emitter emitted keeps its velocity while it is near, as if a piston pushed it. By
/// `emit/drive` before a kick, by `emit/hold` where velocities are final; meanwhile volumes grow, by `emit/grow` and `emit/grown`.
#[must_use]
pub fn mouth(scope: &Scope, pass: &str) -> Option<Entry> {
    (scope.emitters > 0).then(|| run(pass))
}

/// New particles in the slots of removed ones have nothing of what methods kept of these. (From a grid they are also
/// removed where they leave it.)
fn forget(scope: &Scope) -> Vec<Entry> {
    if !scope.may_remove() {
        return Vec::new();
    }
    kept(scope).map(|name| stage("emit/clear").with("kept", name).into()).collect()
}

/// Arrays of floats in which the scene's methods keep something of each particle.
fn kept(scope: &Scope) -> impl Iterator<Item = &'static str> {
    let arrays = scope.chosen.methods().flat_map(Method::arrays);
    let is_kept =
        |row: &&Row| row.persistent && row.extent == PARTICLES && row.element().contains("f32");
    arrays.filter(is_kept).map(|row| row.name)
}

/// Particles that a program adds between two steps, where there is room among the others.
fn spawn(scope: &Scope) -> Vec<Entry> {
    let mut list = sort_by(scope, "position");
    list.push(run("spawn/free"));
    list.push(scan("spawn_free", "spawn_start", SPAWN.and_one()));
    list.extend(kept(scope).map(|name| stage("spawn/clear").with("kept", name).into()));
    list.extend([run("spawn/points"), run("spawn/count")]);
    list
}

/// The fluid at points of a program, between two steps: a sort, and with it what is asked for.
#[must_use]
pub fn queries(scope: &Scope) -> Vec<List> {
    let list = |name, entries| List { name, phase: Phase::Any, entries };
    vec![
        list("query", sort_by(scope, "position")),
        list("query_flow", vec![run("query/flow")]),
        list(
            "query_level",
            vec![
                run(scope.chosen.family().diagnostics),
                run("diagnostics/total"),
                run("query/level"),
            ],
        ),
    ]
}

/// Particles that a program removes between two steps: the last ones get their slots.
fn remove(scope: &Scope) -> Vec<Entry> {
    let mut list = vec![run("remove/mark")];
    list.push(scan("removed", "removed_start", PARTICLES.and_one()));
    list.extend([run("remove/slots"), run("remove/fill")]);
    list.extend(kept(scope).map(|name| stage("remove/kept").with("kept", name).into()));
    list.push(run("remove/count"));
    list
}

/// Particles that come in through open boundaries, and those that have left through them.
fn come_and_go(scope: &Scope) -> Vec<Entry> {
    let points = OPENING_POINTS.and_one();
    let mut list = vec![run("opening/flow"), run("opening/due")];
    list.push(scan("opening_due", "opening_start", points));
    list.push(run("opening/points"));
    list.extend(kept(scope).map(|name| stage("opening/clear").with("kept", name).into()));
    list.extend([run("opening/count"), run("opening/leave")]);
    list
}

/// Forces of all methods, without those of surface tension while no material has any.
#[must_use]
pub fn forces(scope: &Scope) -> Vec<Entry> {
    with_tension(&scope.chosen.forces(), &scope.chosen.forces_without_tension())
}

/// Their reactions on bodies, without that of pressure.
#[must_use]
pub fn reactions(scope: &Scope) -> Vec<Entry> {
    with_tension(&scope.chosen.reactions(), &scope.chosen.reactions_without_tension())
}

/// A pass while a material has surface tension, else another.
fn with_tension(all: &str, others: &str) -> Vec<Entry> {
    if all == others {
        return vec![run(all)];
    }
    vec![stage(all).when(TENSION).into(), stage(others).when(NO_TENSION).into()]
}

/// Force fields, if there are any.
#[must_use]
pub fn fields() -> Entry {
    stage("integrate/fields").when(FIELDS).into()
}

/// End of every step, once the fluid has its new positions.
#[must_use]
pub fn end(scope: &Scope) -> Vec<Entry> {
    let mut list = bodies::contacts(scope);
    list.extend(scope.joined(Place::End));
    if scope.settles {
        list.push(run("integrate/settle"));
    }
    if scope.colliders > 0 {
        list.push(run("body/end"));
        list.extend(over_moving(scope, "solid/collide"));
    } else {
        list.extend(over_moving(scope, "check/limits"));
    }
    if scope.measured {
        list.extend([run("solid/stop"), run("body/stop")]);
    }
    list.push(run("time/end_step"));
    list
}
