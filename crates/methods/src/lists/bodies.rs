//! Rigid bodies and other solids: their places, forces on bodies, and contacts between them.

use meniscus_model::Setup;

use crate::stage::{Entry, Stage, run, stage};

/// Iterations of contacts in a step: bodies in a stack pass on their weight from one to the next.
const CONTACT_ITERATIONS: u32 = 10;

/// Solids and their particles, moved to where forces are evaluated.
#[must_use]
pub fn place(setup: &Setup) -> Vec<Entry> {
    let mut list = Vec::new();
    if setup.params.counts.colliders > 0 {
        list.push(run("body/begin"));
    }
    if setup.params.counts.walls > 0 {
        list.push(run("body/place"));
    }
    list
}

/// Forces of the fluid on bodies by viscosity and equations of state, and gravity.
#[must_use]
pub fn react(setup: &Setup) -> Vec<Entry> {
    match setup.bodies.is_empty() {
        true => Vec::new(),
        false => vec![
            run("body/fall"),
            Entry::WithFields(stage("body/fields")),
            each("body/react", setup, 0).into(),
            summed("body/kick", setup).into(),
        ],
    }
}

/// Forces of the fluid on bodies by the pressures that iterations have found.
#[must_use]
pub fn press(setup: &Setup) -> Vec<Stage> {
    match setup.bodies.is_empty() {
        true => Vec::new(),
        false => vec![
            each("body/press", setup, 0),
            summed("body/kick", setup),
            each("body/carry", setup, setup.params.counts.driven),
        ],
    }
}

/// A pass that sums over each body's particles: by a workgroup, or by an eighth of one if all are small.
pub(crate) fn summed(pass: &str, setup: &Setup) -> Stage {
    let largest = setup.colliders.iter().map(|collider| collider.particle_count).max();
    let width = if largest.unwrap_or(0) > 64 { 64 } else { 8 };
    stage(pass).elements(width * setup.params.counts.colliders)
}

/// A pass over each particle of the bodies from this collider on, which are the last boundary particles.
pub(crate) fn each(pass: &str, setup: &Setup, first: u32) -> Stage {
    let bodies = setup.colliders.iter().skip(first as usize).filter(|body| body.particle_count > 0);
    let first = bodies.map(|body| body.first_particle).min();
    stage(pass).elements(setup.params.counts.walls - first.unwrap_or(setup.params.counts.walls))
}

/// Contacts of free bodies, by iterated impulses.
#[must_use]
pub fn contacts(setup: &Setup) -> Vec<Entry> {
    let free = setup.params.counts.driven;
    if free >= setup.params.counts.colliders {
        return Vec::new();
    }
    let [near, contact, partners, impulse] = ["near", "contact", "partners", "impulse"]
        .map(|pass| each(&format!("body/{pass}"), setup, free));
    let apply = summed("body/apply", setup);
    let first = [near, contact, partners, apply.clone(), stage("body/touch")];
    let mut list: Vec<_> = first.map(Entry::from).into();
    let (apply, impulse) = (apply.while_touching(0), impulse.while_touching(12));
    for _ in 0..CONTACT_ITERATIONS {
        list.extend([impulse.clone().into(), apply.clone().into()]);
    }
    list
}
