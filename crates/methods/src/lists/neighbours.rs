//! Clusters of particles, and the list of candidates for neighbours of each.

use meniscus_model::Setup;

use super::sort::{scan, sort};
use crate::{
    arrays::Sizes,
    stage::{Entry, stage},
};

/// The sort, then the clusters of particles with their lists of candidates for neighbours.
#[must_use]
pub fn neighbours(setup: &Setup) -> Vec<Entry> {
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
