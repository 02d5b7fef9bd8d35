// Displacement by pressure: u_i of common/incompressible, for all k at once.
//!include common/incompressible

@group(1) @binding(3) var<storage, read> kappa: array<f32>;

var<private> kappa_i: f32;
var<private> push: vec3<f32>;

fn load(j: u32) -> Candidate {
    let who = sorted_identity[j];
    var candidate = at_position(sorted_position[j]);
    // k_j ρ0_j; boundary particles have none.
    candidate.viscosity = select(0.0, kappa[j] * material_of(who).rest_density, kind_of(who) == KIND_FLUID);
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    push += weight(candidate, offset, mine) * (kappa_i + candidate.viscosity) * offset;
}

fn displacement_by_pressure(i: u32) -> vec3<f32> {
    let live = is_fluid(i);
    let slot = min(i, params.capacity - 1u);
    let rest_density = material_of(sorted_identity[slot]).rest_density;
    kappa_i = select(0.0, kappa[slot] * rest_density, live);
    push = vec3<f32>(0.0);
    for_each_candidate(sorted_position[slot].xyz, live);
    return -push / rest_density;
}

fn per_step() -> f32 {
    return select(0.0, 1.0 / control.dt, control.dt > 0.0);
}
