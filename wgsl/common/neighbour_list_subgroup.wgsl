// common/neighbour_list for subgroups of 8 lanes, which then are clusters: each lane loads a candidate,
// and broadcasts hand it round. A memory access then serves 8 invocations.
//
// A pass that includes this defines
//   fn load(j: u32) -> Candidate    what it needs of particle j
//   fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool)
//                                   accumulates; offset is r_ij = x_i − x_j by the nearest image; it
//                                   must ignore the candidate if not mine
// and calls for_each_neighbour once, from every invocation.
//!include common/hand_out
//!include common/members

@group(1) @binding(9) var<storage, read> neighbours: array<u32>;

fn for_each_neighbour(member: Member, position: vec3<f32>, enabled: bool) {
    let lane = subgroupExclusiveAdd(1u) & 7u;
    let end = member.cluster.w;
    // Across y and z the nearest image is the same for all of a row of cells; along x it is found for
    // each pair.
    let middle = params.grid_origin + (vec3<f32>(cell_of(position)) + 0.5) / params.inverse_cell;
    var base = member.cluster.z;
    loop {
        let k = base + lane;
        var c = load(neighbours[min(k, max(end, 1u) - 1u)]);
        let image = params.period * floor((c.position.xyz - middle) * params.inverse_period + 0.5);
        // Volume 0 contributes nothing to any sum.
        c.position = vec4<f32>(c.position.x, c.position.yz - image.yz, select(0.0, c.position.w, k < end));
        hand_out(c, position, enabled);
        base += 8u;
        if (base >= end) { break; }
    }
}
