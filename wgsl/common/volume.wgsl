// The last neighbour of a walk: what stands for all walls without particles near the particle (solid/volume).
//!include common/neighbour
//!include common/members

fn visit_volume(member: Member, position: vec3<f32>, mine: bool) {
    if (!HAS_VOLUMES || params.counts.volumes == 0u) { return; }
    var neighbour = load(params.counts.capacity + member.slot);
    neighbour.slot = VOLUME;
    visit(neighbour, displacement(position, neighbour.position.xyz), mine);
}
