// The other half of an iteration: velocities by the k that were found (Bender, Koschier 2015,
// Algorithms 2 and 3), which are added to the step's sum for the next step's warm start.
//!include common/dfsph

@group(1) @binding(3) var<storage, read> kappa: array<f32>;
@group(1) @binding(4) var<storage, read_write> kappa_sum: array<f32>;
@group(1) @binding(5) var<storage, read_write> sorted_velocity: array<vec4<f32>>;

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

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let live = is_fluid(i);
    let slot = min(i, params.capacity - 1u);
    let rest_density = material_of(sorted_identity[slot]).rest_density;
    kappa_i = select(0.0, kappa[slot] * rest_density, live);
    push = vec3<f32>(0.0);
    for_each_candidate(sorted_position[slot].xyz, live);
    if (live) {
        let per_step = select(0.0, 1.0 / control.dt, control.dt > 0.0);
        let v = sorted_velocity[slot];
        sorted_velocity[slot] = vec4<f32>(v.xyz - per_step / rest_density * push, v.w);
        kappa_sum[slot] += kappa[slot];
    }
}
