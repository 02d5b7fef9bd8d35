//! The counting sort, and the scans that it shares with other lists.

use meniscus_model::Setup;

use crate::{
    arrays::{SCAN_LEVELS, blocks},
    passes::REDUCE_BLOCK,
    stage::{Entry, run, stage},
};

/// The counting sort: afterwards the sorted arrays and `cell_start` are valid.
#[must_use]
pub fn sort(setup: &Setup) -> Vec<Entry> {
    sort_by(setup, "position")
}

/// The counting sort by another array of positions than the particles' own.
#[must_use]
pub fn sort_by(setup: &Setup, position: &str) -> Vec<Entry> {
    let run = |pass| match position {
        "position" => run(pass),
        other => stage(pass).with("position", other).into(),
    };
    // Two buckets for each cell, of fluid and of walls, and one of removed particles.
    let buckets = 2 * setup.params.grid.cell_count + 1;
    let mut list = vec![clear("cell_count", buckets), run("sort/count")];
    list.extend(scan("cell_count", "cell_start", buckets));
    list.extend([run("sort/bin"), run("sort/rank")]);
    if setup.params.counts.drains > 0 {
        list.push(run("sort/live"));
    }
    list.push(run("sort/reorder"));
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
