// common/neighbour_list for subgroups of 8 lanes, which form a cluster: each lane loads a neighbour
// and broadcasts it. One memory access then serves 8 invocations.
//
// A pass that includes this file defines
//   //!carry velocity: vec4<f32>    what its struct Neighbour has beside position and slot
//   fn load(j: u32) -> Neighbour    loads the data of particle j
//   fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool)
//                                   accumulates; offset is r_ij = x_i − x_j by the nearest image; it
//                                   must ignore the neighbour if not mine
// and calls for_each_neighbour once, from every invocation.
//!include common/hand_out
//!include common/members
//!include common/volume

//!gather neighbours

fn without_lowest(bits: u32) -> u32 {
    return bits & (bits - 1u);
}

fn for_each_neighbour(member: Member, position: vec3<f32>, enabled: bool) {
    if (!subgroupAny(enabled)) {
        return;
    }
    let lane = subgroupExclusiveAdd(1u) & 7u;
    let end = member.cluster.w;
    // Along y and z the nearest image is the same for a whole row of cells; along x it is found for
    // each pair.
    let middle = params.grid.origin + (vec3<f32>(cell_of(position)) + 0.5) / params.grid.inverse_cell;
    var k = member.cluster.z;
    // Remaining bits of an entry; lanes without any look into the next entry.
    var left = vec2<u32>(0u);
    loop {
        let count = countOneBits(left.y);
        let more = count < 8u && k < end;
        let beyond = lane >= count;
        let next = neighbours_at(min(k, max(end, 1u) - 1u));
        var entry = select(left, vec2<u32>(next.x, select(0u, next.y, more)), beyond);
        // A lane's neighbour is the lowest bit after removing those of the lanes before it.
        let before = select(lane, lane - count, beyond);
        entry.y = select(entry.y, without_lowest(entry.y), (before & 1u) != 0u);
        entry.y = select(entry.y, without_lowest(without_lowest(entry.y)), (before & 2u) != 0u);
        let without_two = without_lowest(without_lowest(entry.y));
        entry.y = select(entry.y, without_lowest(without_lowest(without_two)), (before & 4u) != 0u);
        let found = entry.y != 0u;
        var c = load(entry.x + select(0u, firstTrailingBit(entry.y), found));
        if (IS_PERIODIC) {
            let image = params.grid.period * floor((c.position.xyz - middle) * params.grid.inverse_period + 0.5);
            c.position = vec4<f32>(c.position.x, c.position.yz - image.yz, c.position.w);
        }
        // Volume 0 contributes nothing to any sum.
        c.position.w = select(0.0, c.position.w, found);
        hand_out(c, position, enabled);
        left = subgroupBroadcast(vec2<u32>(entry.x, without_lowest(entry.y)), 7u);
        k += select(0u, 1u, more);
        if (left.y == 0u && k >= end) { break; }
    }
    visit_volume(member, position, enabled);
}
