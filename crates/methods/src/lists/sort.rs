//! The counting sort, and the scans that it shares with other lists.

use crate::{
    Scope,
    space::{BUCKETS, Extent},
    stage::{Entry, run, stage},
};

/// The counting sort: afterwards the sorted arrays and `cell_start` are valid.
#[must_use]
pub fn sort(scope: &Scope) -> Vec<Entry> {
    sort_by(scope, "position")
}

/// The counting sort by another array of positions.
#[must_use]
pub fn sort_by(scope: &Scope, position: &str) -> Vec<Entry> {
    let run = |pass| match position {
        "position" => run(pass),
        other => stage(pass).with("position", other).into(),
    };
    let mut list = vec![clear("cell_count", BUCKETS), run("sort/count")];
    list.push(scan("cell_count", "cell_start", BUCKETS));
    list.extend([run("sort/bin"), run("sort/rank")]);
    if scope.drains > 0 {
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
    Entry::Scan { values: values.to_owned(), scanned: scanned.to_owned(), extent }
}
