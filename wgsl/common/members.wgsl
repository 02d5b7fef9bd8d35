// Invocations of passes over pairs: 8 for each cluster of up to 8 fluid particles in cell order
// from one row of cells (Páll, Hess 2013).

struct Member {
    // First slot, end of slots, begin and end of the list of neighbours.
    cluster: vec4<u32>,
    // Slot of the particle; an inactive invocation has that of another one in the cluster.
    slot: u32,
    // Whether the invocation is active.
    exists: bool,
}

//!read clusters

fn member_of(element: u32) -> Member {
    let number = element / 8u;
    var cluster = clusters[min(number, arrayLength(&clusters) - 1u)];
    let slot = cluster.x + element % 8u;
    let exists = number < arrayLength(&clusters) && slot < cluster.y;
    return Member(cluster, min(slot, max(cluster.y, 1u) - 1u), exists);
}
