//! The counting sort, and the scans that it shares with other lists.

use crate::{
    Scope, Walls,
    space::{BUCKETS, CELLS, Extent, FLUID, MOVING, RESTING},
    stage::{Entry, run, stage},
};

/// The counting sort of a step: afterwards the sorted arrays and `cell_start` are valid. Particles of walls that rest
/// are sorted once: they come behind the fluid, whose number does not change then.
#[must_use]
pub fn sort(scope: &Scope) -> Vec<Entry> {
    let all = sort_by(scope, "position");
    if !scope.may_rest() {
        return all;
    }
    let mut list: Vec<_> = all.into_iter().map(|entry| entry.when(MOVING)).collect();
    let fluid = |pass| stage(pass).over(FLUID).into();
    let mut alone: Vec<Entry> = vec![fluid("sort/count")];
    alone.push(scan("cell_count", "cell_start", CELLS));
    alone.extend(["sort/bin", "sort/rank", "sort/reorder"].map(fluid));
    list.extend(alone.into_iter().map(|entry| entry.when(RESTING)));
    list
}

/// A pass over all particles, or over the fluid alone while solids rest.
#[must_use]
pub fn over_moving(scope: &Scope, pass: &str) -> Vec<Entry> {
    if !scope.may_rest() {
        return vec![run(pass)];
    }
    vec![stage(pass).when(MOVING).into(), stage(pass).over(FLUID).when(RESTING).into()]
}

/// The counting sort of all particles by an array of positions.
#[must_use]
pub fn sort_by(scope: &Scope, position: &str) -> Vec<Entry> {
    sort_counted(scope, position, "sort/count")
}

/// The counting sort of a step with a box of cells, beyond which particles are removed.
#[must_use]
pub fn sort_in_box(scope: &Scope) -> Vec<Entry> {
    sort_counted(scope, "position", "grid/leave")
}

/// The same with a pass that counts.
fn sort_counted(scope: &Scope, position: &str, count: &str) -> Vec<Entry> {
    let run = |pass| stage(pass).with("position", position).into();
    // Of walls only those in sums have particles; bodies have some with every method.
    let has_particles = scope.chosen.family().walls == Walls::Sums || scope.walls > 0;
    let buckets = if has_particles { BUCKETS } else { CELLS.and_one() };
    let mut list = vec![run(count)];
    list.push(scan("cell_count", "cell_start", buckets));
    list.extend([run("sort/bin"), run("sort/rank")]);
    if scope.may_remove() {
        list.push(stage("sort/live").into());
    }
    list.push(run("sort/reorder"));
    list
}

/// Sets all elements of an array of u32 to 0.
#[must_use]
pub fn clear(values: &str, extent: Extent) -> Entry {
    stage("reduce/clear").with("values", values).over(extent).into()
}

/// `scanned` becomes the exclusive prefix sums of `values`.
#[must_use]
pub fn scan(values: &str, scanned: &str, extent: Extent) -> Entry {
    Entry::Scan { values: values.to_owned(), scanned: scanned.to_owned(), extent, when: None }
}
