// One half of an iteration of DFSPH: how much each particle's compression changes in a step with the
// present velocities, Δt Ds/Dt = Δt Σ_j V_j (v_i − v_j)·∇W_ij, and the k that undoes what is too much
// (Bender, Koschier 2015, 9 and 12). A pass that includes this defines
//   fn too_much(i: u32, change: f32) -> f32
//!include common/incompressible
//!include common/residual

@group(1) @binding(3) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(4) var<storage, read> factor: array<f32>;
@group(1) @binding(5) var<storage, read_write> kappa: array<f32>;
@group(1) @binding(6) var<storage, read_write> residuals: array<vec2<f32>>;

var<private> velocity_i: vec3<f32>;
var<private> rate: f32;
var<private> contacts: f32;

fn load(j: u32) -> Candidate {
    return moving(sorted_position[j], sorted_velocity[j]);
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let w = weight(candidate, offset, mine);
    rate += w * dot(velocity_i - candidate.velocity.xyz, offset);
    contacts += select(0.0, 1.0, w != 0.0);
}

fn evaluate_error(i: u32, group: u32, local: u32) {
    let slot = min(i, params.capacity - 1u);
    let live = is_fluid(i);
    velocity_i = sorted_velocity[slot].xyz;
    rate = 0.0;
    contacts = 0.0;
    for_each_candidate(sorted_position[slot].xyz, live);
    var wrong = 0.0;
    // A step of no length changes nothing.
    if (live && control.dt > 0.0) {
        wrong = max(too_much(slot, control.dt * rate), 0.0);
    }
    if (live) { kappa[slot] = wrong * factor[slot]; }
    leave_residual(wrong, live, group, local);
}
