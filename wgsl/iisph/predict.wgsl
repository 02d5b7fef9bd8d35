// What the advected velocities compress, s_adv − 1 = s − 1 + Δt Σ_j V_j (v_i − v_j)·∇W_ij (Ihmsen et
// al. 2014, 4).
//!include common/incompressible

@group(1) @binding(3) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(4) var<storage, read> density: array<f32>;
@group(1) @binding(5) var<storage, read_write> compression: array<f32>;

var<private> velocity_i: vec3<f32>;
var<private> rate: f32;

fn load(j: u32) -> Candidate {
    return moving(sorted_position[j], sorted_velocity[j]);
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    rate += weight(candidate, offset, mine) * dot(velocity_i - candidate.velocity.xyz, offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let slot = min(i, params.capacity - 1u);
    let live = is_fluid(i);
    velocity_i = sorted_velocity[slot].xyz;
    rate = 0.0;
    for_each_candidate(sorted_position[slot].xyz, live);
    if (live) {
        let s = density[i] / material_of(sorted_identity[i]).rest_density;
        compression[i] = s - 1.0 + control.dt * rate;
    }
}
