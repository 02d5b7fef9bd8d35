// Displacement by pressure: u_i of common/incompressible, for all κ at once.
//!include common/incompressible

@group(1) @binding(2) var<storage, read> sorted_identity: array<vec2<u32>>;
@group(1) @binding(3) var<storage, read> kappa: array<f32>;

// In place of the κ of a body's particle.
const MIRRORED = -1.0;

var<private> kappa_i: f32;
var<private> push: vec3<f32>;

fn load(j: u32) -> Candidate {
    var candidate = at_position(sorted_position[j]);
    let own = select(0.0, kappa[j], candidate.position.w > 0.0);
    candidate.viscosity = select(own, MIRRORED, is_body(sorted_identity[j]));
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let other = select(candidate.viscosity, kappa_i, candidate.viscosity == MIRRORED);
    push += weight(candidate, offset, mine) * (kappa_i + other) * offset;
}

// 0 for what is no fluid.
fn displacement_by_pressure(member: Member) -> vec3<f32> {
    let x = sorted_position[member.slot];
    let live = member.exists;
    kappa_i = kappa[member.slot];
    push = vec3<f32>(0.0);
    for_each_neighbour(member, x.xyz, live);
    return select(vec3<f32>(0.0), -push / material_of(sorted_identity[member.slot]).rest_density, live);
}

fn per_step() -> f32 {
    return select(0.0, 1.0 / control.dt, control.dt > 0.0);
}
