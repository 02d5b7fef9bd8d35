//! Each solver as a list of stages, and the lists that they share.

mod dfsph;
mod iisph;
mod pcisph;
pub mod surface;
mod wcsph;

use meniscus_model::{Setup, scene::Solver};

use crate::{
    buffers::{SCAN_LEVELS, Sizes, blocks},
    passes::REDUCE_BLOCK,
    stage::{Entry, LoopPlace, Stage, run, stage},
};

/// Iterations of contacts in a step: those of a stack pass on its weight from body to body.
const CONTACT_ITERATIONS: u32 = 10;

/// The stages of one step.
#[must_use]
pub fn step(solver: Solver, setup: &Setup) -> Vec<Entry> {
    match solver {
        Solver::Muller => leap_frog(setup, &["sph/density", "muller/pressure", "muller/forces"]),
        Solver::Wcsph => wcsph::step(setup),
        Solver::Pcisph => pcisph::step(setup),
        Solver::Iisph => iisph::step(setup),
        Solver::Dfsph => dfsph::step(setup),
        other => unreachable!("no list for {}", other.name()),
    }
}

/// The sums over all particles, between any two steps.
#[must_use]
pub fn report() -> Vec<Entry> {
    vec![run("diagnostics/partial"), run("diagnostics/total")]
}

/// One batch of the triangles of a mesh of which distances are wanted at so many nodes.
#[must_use]
pub fn bake(nodes: u32) -> Vec<Entry> {
    vec![stage("solid/bake").elements(nodes).into()]
}

/// What ends it: the sides of nodes far from the surface, in so many rows.
#[must_use]
pub fn flood(rows: u32) -> Vec<Entry> {
    vec![stage("solid/flood").elements(rows).into()]
}

/// What opens the next frame.
#[must_use]
pub fn frame_begin() -> Vec<Entry> {
    vec![run("time/begin_frame")]
}

/// A step of the solvers with an equation of state: Müller, Charypar, Gross 2003; Becker, Teschner
/// 2007.
fn leap_frog(setup: &Setup, forces: &[&str]) -> Vec<Entry> {
    let mut list = vec![run("time/begin_step")];
    list.extend(emit(setup));
    list.push(run("integrate/drift"));
    list.extend(place(setup));
    list.extend(neighbours(setup));
    list.extend(forces.iter().map(|pass| run(pass)));
    list.extend([fields(), run("integrate/kick_drift")]);
    list.extend(react(setup));
    list.extend(end(setup));
    list
}

/// Solids and their particles where forces are found.
fn place(setup: &Setup) -> Vec<Entry> {
    let mut list = Vec::new();
    if setup.params.collider_count > 0 {
        list.push(run("body/begin"));
    }
    if setup.params.wall_count > 0 {
        list.push(run("body/place"));
    }
    list
}

/// What the fluid does to bodies by viscosity and equations of state, and gravity.
fn react(setup: &Setup) -> Vec<Entry> {
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

/// Velocities by pressures of the last step, then by what iterations find. Bodies take their share of each
/// iteration at once, so that the next one knows how they give way: light ones could not be coupled
/// otherwise.
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

/// What the fluid does to bodies by the pressures that iterations have found.
fn press(setup: &Setup) -> Vec<Stage> {
    match setup.bodies.is_empty() {
        true => Vec::new(),
        false => vec![
            each("body/press", setup, 0),
            summed("body/kick", setup),
            each("body/carry", setup, setup.params.driven_count),
        ],
    }
}

/// The force fields, where there are some.
fn fields() -> Entry {
    Entry::WithFields(stage("integrate/fields"))
}

/// A pass that sums over each body's particles: by a workgroup, or by an eighth of one if all are small.
fn summed(pass: &str, setup: &Setup) -> Stage {
    let largest = setup.colliders.iter().map(|collider| collider.particle_count).max();
    let width = if largest.unwrap_or(0) > 64 { 64 } else { 8 };
    stage(pass).elements(width * setup.params.collider_count)
}

/// A pass over each particle of the bodies from this collider on, which are the last boundary particles.
fn each(pass: &str, setup: &Setup, first: u32) -> Stage {
    let bodies = setup.colliders.iter().skip(first as usize).filter(|body| body.particle_count > 0);
    let first = bodies.map(|body| body.first_particle).min();
    stage(pass).elements(setup.params.wall_count - first.unwrap_or(setup.params.wall_count))
}

/// All forces but pressure, on fluid and bodies.
fn euler_kick(setup: &Setup) -> Vec<Entry> {
    match setup.bodies.is_empty() {
        true => vec![run("sph/forces"), fields(), run("integrate/kick")],
        // Both sides with the same velocities.
        false => {
            let carry = each("body/carry", setup, setup.params.driven_count);
            let mut list = vec![run("sph/forces"), each("body/react", setup, 0).into(), fields()];
            list.extend([run("integrate/kick"), run("body/fall")]);
            list.extend([summed("body/kick", setup), carry].map(Entry::from));
            list
        }
    }
}

/// What every step ends with, once the fluid is where it goes.
fn end(setup: &Setup) -> Vec<Entry> {
    let mut list = Vec::new();
    let free = setup.params.driven_count;
    if free < setup.params.collider_count {
        let [near, contact, partners, impulse] = ["near", "contact", "partners", "impulse"]
            .map(|pass| each(&format!("body/{pass}"), setup, free));
        let apply = summed("body/apply", setup);
        list.extend([near, contact, partners, apply.clone(), stage("body/touch")].map(Entry::from));
        let (apply, impulse) = (apply.while_touching(0), impulse.while_touching(12));
        for _ in 0..CONTACT_ITERATIONS {
            list.extend([impulse.clone().into(), apply.clone().into()]);
        }
    }
    if setup.params.collider_count > 0 {
        list.extend([run("body/end"), run("solid/collide")]);
    }
    list.extend([run("check/limits"), run("time/end_step")]);
    list
}

/// What solvers begin with that find velocities first: neighbours and densities at the step's
/// beginning.
fn euler_begin(setup: &Setup) -> Vec<Entry> {
    let mut list = vec![run("time/begin_step")];
    list.extend(emit(setup));
    list.extend(place(setup));
    list.extend(neighbours(setup));
    list.push(run("sph/density"));
    list
}

/// And what they end with: places by velocities.
fn euler_end(setup: &Setup) -> Vec<Entry> {
    let mut list = vec![run("integrate/advance")];
    list.extend(end(setup));
    list
}

/// Emission and removal, where the scene has any.
pub(crate) fn emit(setup: &Setup) -> Vec<Entry> {
    let mut list = Vec::new();
    if setup.params.emitter_count > 0 {
        list.extend([run("emit/plan"), run("emit/points")]);
    }
    if setup.params.drain_count > 0 {
        list.push(run("emit/drain"));
    }
    list
}

/// The counting sort: afterwards the sorted arrays are valid, and `cell_start`.
#[must_use]
pub fn sort(setup: &Setup) -> Vec<Entry> {
    sort_by(setup, "position")
}

/// The counting sort by other positions than the particles' own.
fn sort_by(setup: &Setup, position: &str) -> Vec<Entry> {
    let run = |pass| match position {
        "position" => run(pass),
        other => stage(pass).with("position", other).into(),
    };
    // Of fluid, of walls, and the one of what was removed.
    let buckets = 2 * setup.params.cell_count + 1;
    let mut list = vec![clear("cell_count", buckets), run("sort/count")];
    list.extend(scan("cell_count", "cell_start", buckets));
    list.extend([run("sort/bin"), run("sort/rank")]);
    if setup.params.drain_count > 0 {
        list.push(run("sort/live"));
    }
    list.push(run("sort/reorder"));
    list
}

/// The sort, and then the clusters of particles with their lists of candidates for neighbours.
fn neighbours(setup: &Setup) -> Vec<Entry> {
    let sizes = Sizes::of(setup);
    let (rows, clusters) = (sizes.rows + 1, sizes.clusters() + 1);
    let mut list = sort(setup);
    list.push(stage("neighbours/rows").elements(rows).into());
    list.extend(scan("row_clusters", "row_cluster_start", rows));
    list.push(stage("neighbours/count").elements(clusters).into());
    list.extend(scan("neighbour_count", "neighbour_start", clusters));
    list.extend(["neighbours/room", "neighbours/list"].map(|p| stage(p).elements(clusters).into()));
    list
}

/// Sets the first `elements` of a buffer of u32 to 0.
#[must_use]
pub fn clear(values: &str, elements: u32) -> Entry {
    stage("reduce/clear").with("values", values).elements(elements).into()
}

/// `scanned` becomes the exclusive prefix sums of `values`, by reduce-then-scan.
#[must_use]
pub fn scan(values: &str, scanned: &str, elements: u32) -> Vec<Entry> {
    let name = |kind: &str, level: u32, base: &str| match level {
        0 => base.to_owned(),
        _ => format!("{kind}_{level}"),
    };
    let top = (0..=SCAN_LEVELS).find(|level| blocks(elements, *level) <= REDUCE_BLOCK);
    let top = top.unwrap_or(SCAN_LEVELS);
    let up = (0..top).map(|level| {
        stage("reduce/sum")
            .with("values", &name("totals", level, values))
            .with("totals", &name("totals", level + 1, values))
            .elements(blocks(elements, level))
    });
    // The top level is a single block, whose offset is 0: any buffer will do for offsets.
    let down = (0..=top).rev().map(|level| {
        let values = name("totals", level, values);
        let offsets = if level == top { values.clone() } else { name("offsets", level + 1, "") };
        stage("reduce/scan")
            .with("values", &values)
            .with("offsets", &offsets)
            .with("scanned", &name("offsets", level, scanned))
            .elements(blocks(elements, level))
    });
    up.chain(down).map(Entry::from).collect()
}
