// Relaxed Jacobi: the compression that is left with the present pressures is
// s_adv − 1 + Σ_j V_j (u_i − u_j)·∇W_ij, and κ_i += ω α_i times that, at least 0, which is Ihmsen et
// al. 2014, 13 with a_ii = −1/α_i.
//!include common/incompressible
//!include common/residual

@group(1) @binding(3) var<storage, read> compression: array<f32>;
@group(1) @binding(4) var<storage, read> displacements: array<vec4<f32>>;
@group(1) @binding(5) var<storage, read> factor: array<vec2<f32>>;
@group(1) @binding(6) var<storage, read_write> kappa: array<f32>;
@group(1) @binding(7) var<storage, read_write> residuals: array<vec2<f32>>;

var<private> displacement_i: vec3<f32>;
var<private> change: f32;

fn load(j: u32) -> Candidate {
    let x = sorted_position[j];
    return moving(x, select(vec4<f32>(0.0), displacements[j], x.w > 0.0));
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    change += weight(candidate, offset, mine) * dot(displacement_i - candidate.velocity.xyz, offset);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let member = member_of(i);
    let x = sorted_position[member.slot];
    let live = member.exists;
    displacement_i = displacements[member.slot].xyz;
    change = 0.0;
    for_each_neighbour(member, x.xyz, live);
    var wrong = 0.0;
    // A step of no length changes nothing.
    if (live && control.dt > 0.0) {
        wrong = compression[member.slot] + change;
        kappa[member.slot] = max(kappa[member.slot] + params.relaxation * factor[member.slot].x * wrong, 0.0);
    }
    leave_residual(wrong, live, i / 64u, local);
}
