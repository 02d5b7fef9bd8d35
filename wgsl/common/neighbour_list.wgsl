// Walks over the neighbour candidates of a cluster that neighbours/list found: every particle
// within h of one of its particles, and a few more; an entry covers 32 slots.
//
// A pass that includes this file defines
//   //!carry velocity: vec4<f32>    what its struct Neighbour has beside position and slot
//   fn load(j: u32) -> Neighbour    loads the data of particle j
//   fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool)
//                                   accumulates; offset is r_ij = x_i − x_j by the nearest image; it
//                                   must ignore the neighbour if not mine
// and calls for_each_neighbour once, from every invocation. Not each is within reach:
// visit tests the distance. Walls without particles come last, as one neighbour. The order is fixed, so sums are reproducible.
//
// There is a second implementation, common/neighbour_list_subgroup; the host picks one.
//!include common/torus
//!include common/neighbour
//!include common/members
//!include common/volume

//!gather neighbours

fn for_each_neighbour(member: Member, position: vec3<f32>, enabled: bool) {
    if (!enabled) {
        return;
    }
    // One loop over all bits, so that invocations of other clusters wait less.
    var k = member.cluster.z;
    var entry = vec2<u32>(0u);
    loop {
        if (entry.y == 0u) {
            if (k >= member.cluster.w) { break; }
            entry = neighbours_at(k);
            k += 1u;
        }
        let neighbour = load(entry.x + firstTrailingBit(entry.y));
        entry.y &= entry.y - 1u;
        visit(neighbour, displacement(position, neighbour.position.xyz), true);
    }
    visit_volume(member, position, true);
}
