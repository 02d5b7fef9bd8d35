// Shared by walks with subgroups: 8 lanes have each loaded a neighbour, which broadcasts hand to
// the others.
//!enable subgroups
//!include common/torus
//!include common/neighbour

// Along x a walk may reach both ends of the period, as seen from different invocations, so the
// nearest image is found for each pair.
fn visit_lane(neighbour: Neighbour, center: vec3<f32>, mine: bool) {
    var offset = center - neighbour.position.xyz;
    if (IS_PERIODIC) {
        offset.x -= params.grid.period.x * floor(offset.x * params.grid.inverse_period.x + 0.5);
    }
    visit(neighbour, offset, mine);
}

// Visits the neighbours of 8 lanes, by functions that the composer writes: a broadcast's lane is a constant. Members that
// visit does not use cost nothing.
fn hand_out(own: Neighbour, center: vec3<f32>, mine: bool) {
    visit_lane(from_lane_0(own), center, mine);
    visit_lane(from_lane_1(own), center, mine);
    visit_lane(from_lane_2(own), center, mine);
    visit_lane(from_lane_3(own), center, mine);
    visit_lane(from_lane_4(own), center, mine);
    visit_lane(from_lane_5(own), center, mine);
    visit_lane(from_lane_6(own), center, mine);
    visit_lane(from_lane_7(own), center, mine);
}
