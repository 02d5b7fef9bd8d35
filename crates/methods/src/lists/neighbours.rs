//! Clusters of particles and their lists of neighbour candidates.

use super::{
    sort::{scan, sort},
    step::mouth,
};
use crate::{
    Place, Scope,
    space::{CLUSTERS, ROWS},
    stage::{Entry, run},
};

/// The sort, the neighbours that stand for walls without particles, then the clusters with their lists of neighbour candidates.
#[must_use]
pub fn neighbours(scope: &Scope) -> Vec<Entry> {
    let mut list = sort(scope);
    list.extend(mouth(scope, "emit/grow"));
    if scope.volumes > 0 {
        list.push(run("solid/volume"));
    }
    list.extend(clusters());
    list.extend(scope.joined(Place::Sorted));
    list
}

/// Clusters with their lists of neighbour candidates, after a sort.
#[must_use]
pub fn clusters() -> Vec<Entry> {
    let mut list = vec![run("neighbours/rows")];
    list.push(scan("row_clusters", "row_cluster_start", ROWS.and_one()));
    list.push(run("neighbours/count"));
    list.push(scan("neighbour_count", "neighbour_start", CLUSTERS.and_one()));
    list.extend([run("neighbours/room"), run("neighbours/list")]);
    list
}
