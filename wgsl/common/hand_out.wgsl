// Shared by walks with subgroups: 8 lanes have each loaded a candidate, which broadcasts hand to
// the others.
//!enable subgroups
//!include common/torus
//!include common/candidate

// Along x a walk may reach both ends of the period, as seen from different invocations, so the
// nearest image is found for each pair.
fn visit_lane(c: Candidate, center: vec3<f32>, mine: bool) {
    var offset = center - c.position.xyz;
    if (IS_PERIODIC) {
        offset.x -= params.torus.period.x * floor(offset.x * params.torus.inverse_period.x + 0.5);
    }
    visit(c, offset, mine);
}

// Broadcasts the candidates of 8 lanes. Fields that a pass does not use cost nothing.
fn hand_out(c: Candidate, center: vec3<f32>, mine: bool) {
    visit_lane(Candidate(subgroupBroadcast(c.position, 0u), subgroupBroadcast(c.velocity, 0u), subgroupBroadcast(c.viscosity, 0u), subgroupBroadcast(c.density, 0u), subgroupBroadcast(c.slot, 0u), subgroupBroadcast(c.diagonal, 0u), subgroupBroadcast(c.off_diagonal, 0u), subgroupBroadcast(c.row_x, 0u), subgroupBroadcast(c.row_y, 0u), subgroupBroadcast(c.row_z, 0u), subgroupBroadcast(c.more_x, 0u), subgroupBroadcast(c.more_y, 0u), subgroupBroadcast(c.more_z, 0u)), center, mine);
    visit_lane(Candidate(subgroupBroadcast(c.position, 1u), subgroupBroadcast(c.velocity, 1u), subgroupBroadcast(c.viscosity, 1u), subgroupBroadcast(c.density, 1u), subgroupBroadcast(c.slot, 1u), subgroupBroadcast(c.diagonal, 1u), subgroupBroadcast(c.off_diagonal, 1u), subgroupBroadcast(c.row_x, 1u), subgroupBroadcast(c.row_y, 1u), subgroupBroadcast(c.row_z, 1u), subgroupBroadcast(c.more_x, 1u), subgroupBroadcast(c.more_y, 1u), subgroupBroadcast(c.more_z, 1u)), center, mine);
    visit_lane(Candidate(subgroupBroadcast(c.position, 2u), subgroupBroadcast(c.velocity, 2u), subgroupBroadcast(c.viscosity, 2u), subgroupBroadcast(c.density, 2u), subgroupBroadcast(c.slot, 2u), subgroupBroadcast(c.diagonal, 2u), subgroupBroadcast(c.off_diagonal, 2u), subgroupBroadcast(c.row_x, 2u), subgroupBroadcast(c.row_y, 2u), subgroupBroadcast(c.row_z, 2u), subgroupBroadcast(c.more_x, 2u), subgroupBroadcast(c.more_y, 2u), subgroupBroadcast(c.more_z, 2u)), center, mine);
    visit_lane(Candidate(subgroupBroadcast(c.position, 3u), subgroupBroadcast(c.velocity, 3u), subgroupBroadcast(c.viscosity, 3u), subgroupBroadcast(c.density, 3u), subgroupBroadcast(c.slot, 3u), subgroupBroadcast(c.diagonal, 3u), subgroupBroadcast(c.off_diagonal, 3u), subgroupBroadcast(c.row_x, 3u), subgroupBroadcast(c.row_y, 3u), subgroupBroadcast(c.row_z, 3u), subgroupBroadcast(c.more_x, 3u), subgroupBroadcast(c.more_y, 3u), subgroupBroadcast(c.more_z, 3u)), center, mine);
    visit_lane(Candidate(subgroupBroadcast(c.position, 4u), subgroupBroadcast(c.velocity, 4u), subgroupBroadcast(c.viscosity, 4u), subgroupBroadcast(c.density, 4u), subgroupBroadcast(c.slot, 4u), subgroupBroadcast(c.diagonal, 4u), subgroupBroadcast(c.off_diagonal, 4u), subgroupBroadcast(c.row_x, 4u), subgroupBroadcast(c.row_y, 4u), subgroupBroadcast(c.row_z, 4u), subgroupBroadcast(c.more_x, 4u), subgroupBroadcast(c.more_y, 4u), subgroupBroadcast(c.more_z, 4u)), center, mine);
    visit_lane(Candidate(subgroupBroadcast(c.position, 5u), subgroupBroadcast(c.velocity, 5u), subgroupBroadcast(c.viscosity, 5u), subgroupBroadcast(c.density, 5u), subgroupBroadcast(c.slot, 5u), subgroupBroadcast(c.diagonal, 5u), subgroupBroadcast(c.off_diagonal, 5u), subgroupBroadcast(c.row_x, 5u), subgroupBroadcast(c.row_y, 5u), subgroupBroadcast(c.row_z, 5u), subgroupBroadcast(c.more_x, 5u), subgroupBroadcast(c.more_y, 5u), subgroupBroadcast(c.more_z, 5u)), center, mine);
    visit_lane(Candidate(subgroupBroadcast(c.position, 6u), subgroupBroadcast(c.velocity, 6u), subgroupBroadcast(c.viscosity, 6u), subgroupBroadcast(c.density, 6u), subgroupBroadcast(c.slot, 6u), subgroupBroadcast(c.diagonal, 6u), subgroupBroadcast(c.off_diagonal, 6u), subgroupBroadcast(c.row_x, 6u), subgroupBroadcast(c.row_y, 6u), subgroupBroadcast(c.row_z, 6u), subgroupBroadcast(c.more_x, 6u), subgroupBroadcast(c.more_y, 6u), subgroupBroadcast(c.more_z, 6u)), center, mine);
    visit_lane(Candidate(subgroupBroadcast(c.position, 7u), subgroupBroadcast(c.velocity, 7u), subgroupBroadcast(c.viscosity, 7u), subgroupBroadcast(c.density, 7u), subgroupBroadcast(c.slot, 7u), subgroupBroadcast(c.diagonal, 7u), subgroupBroadcast(c.off_diagonal, 7u), subgroupBroadcast(c.row_x, 7u), subgroupBroadcast(c.row_y, 7u), subgroupBroadcast(c.row_z, 7u), subgroupBroadcast(c.more_x, 7u), subgroupBroadcast(c.more_y, 7u), subgroupBroadcast(c.more_z, 7u)), center, mine);
}
