//! Lists for solids: their motion, forces on bodies, and contacts between them.

use super::step::reactions;
use crate::{
    Place, Scope,
    space::{FIELDS, MOVING},
    stage::{Entry, Stage, run, stage},
};

/// Particles of solids, moved to where forces are evaluated.
#[must_use]
pub fn place(scope: &Scope) -> Vec<Entry> {
    (scope.walls > 0).then(|| run("body/place").when(MOVING)).into_iter().collect()
}

/// Forces of the fluid on bodies by all terms, and gravity.
#[must_use]
pub fn react(scope: &Scope) -> Vec<Entry> {
    if !scope.bodies {
        return Vec::new();
    }
    let mut list = if has_free(scope) { fall() } else { Vec::new() };
    list.extend([run(&scope.chosen.pressure_reaction()), kick_by_pressure().into()]);
    list.extend(reactions(scope));
    list.push(run("body/kick"));
    list
}

/// Reactions of what joins the forces, which acts on velocities after all other forces.
#[must_use]
pub fn react_after(scope: &Scope) -> Vec<Entry> {
    let mut list = scope.joined(Place::Reaction);
    if !scope.bodies || list.is_empty() {
        return Vec::new();
    }
    list.push(run("body/kick"));
    list
}

/// Whether bodies move freely. Of others the forces are only measured, once in each loop over pressures.
#[must_use]
pub(crate) fn has_free(scope: &Scope) -> bool {
    scope.driven < scope.colliders
}

/// Gravity and force fields on bodies.
#[must_use]
pub fn fall() -> Vec<Entry> {
    vec![run("body/fall"), stage("body/fields").when(FIELDS).into()]
}

/// Sums of the reactions of pressure, beside those of the other forces.
fn kick_by_pressure() -> Stage {
    stage("body/kick").with("body_force", "body_pressure")
}

/// Forces of the fluid on bodies by the iterated pressures: of all of a loop once, or of an iteration.
#[must_use]
pub fn press(scope: &Scope, all: bool) -> Vec<Stage> {
    if !scope.bodies {
        return Vec::new();
    }
    let press = stage("body/press");
    let press = if all { press.with("kappa", "kappa_sum") } else { press };
    let mut list = vec![press, kick_by_pressure()];
    list.extend(has_free(scope).then(|| stage("body/carry")));
    list
}

/// Contacts of free bodies: manifolds, and their impulses.
#[must_use]
pub fn contacts(scope: &Scope) -> Vec<Entry> {
    if !has_free(scope) {
        return Vec::new();
    }
    ["body/near", "body/contact", "body/manifold", "body/solve"].map(run).into()
}
