// Walks the candidates for neighbours that neighbours/list found for a cluster: every particle within
// h of one of its particles, and a few more.
//
// A pass that includes this defines
//   fn load(j: u32) -> Candidate    what it needs of particle j
//   fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool)
//                                   accumulates; offset is r_ij = x_i − x_j by the nearest image; it
//                                   must ignore the candidate if not mine
// and calls for_each_neighbour once, from every invocation. A candidate need not be a neighbour:
// visit tests the distance. Order is fixed, so sums are reproducible.
//
// There is a second implementation, common/neighbour_list_subgroup; the host picks one.
//!include common/grid
//!include common/candidate
//!include common/members

@group(1) @binding(9) var<storage, read> neighbours: array<u32>;

fn for_each_neighbour(member: Member, position: vec3<f32>, enabled: bool) {
    if (!enabled) {
        return;
    }
    for (var k = member.cluster.z; k < member.cluster.w; k++) {
        let candidate = load(neighbours[k]);
        visit(candidate, displacement(position, candidate.position.xyz), true);
    }
}
