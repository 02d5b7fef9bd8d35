// What the advected velocities compress, s_adv − 1 = s − 1 + Δt Σ_j V_j (v_i − v_j)·∇W_ij (Ihmsen et
// al. 2014, 4).
//!include common/incompressible

@group(1) @binding(3) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(4) var<storage, read> factor: array<vec2<f32>>;
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
    let member = member_of(element(global_id));
    let x = sorted_position[member.slot];
    let live = member.exists;
    velocity_i = sorted_velocity[member.slot].xyz;
    rate = 0.0;
    for_each_neighbour(member, x.xyz, live);
    if (live) { compression[member.slot] = factor[member.slot].y + control.dt * rate; }
}
