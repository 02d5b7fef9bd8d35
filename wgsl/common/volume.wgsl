// The last neighbour of a walk: what stands for all walls without particles near the particle (solid/volume).
//!include common/candidate
//!include common/members

fn visit_volume(member: Member, position: vec3<f32>, mine: bool) {
    if (!HAS_VOLUMES || params.counts.volumes == 0u) { return; }
    var candidate = load(params.counts.capacity + member.slot);
    candidate.slot = VOLUME;
    visit(candidate, displacement(position, candidate.position.xyz), mine);
}
