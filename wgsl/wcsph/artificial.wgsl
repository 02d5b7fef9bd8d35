// Adds artificial viscosity where particles approach each other (Monaghan 1992; ST 5, 6):
//   a_i −= Σ_j m_j Π_ij ∇W_ij if v_ij·r_ij < 0,
//   Π_ij = −ν_ij (v_ij·r_ij)/(r_ij² + 0.01 h²), ν_ij = 2 α h c/(ρ_i + ρ_j)
// with m_j = ρ_j V_j; of boundary particles ρ_i V_b times their friction.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

@group(1) @binding(1) var<storage, read> sorted_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(4) var<storage, read> density: array<f32>;
@group(1) @binding(5) var<storage, read_write> acceleration: array<vec4<f32>>;

var<private> velocity_i: vec3<f32>;
var<private> density_i: f32;
var<private> drag: vec3<f32>;

fn load(j: u32) -> Candidate {
    var candidate = moving(sorted_position[j], sorted_velocity[j]);
    candidate.viscosity = density[j];
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let h2 = params.support_radius_squared;
    let distance2 = dot(offset, offset);
    let near = mine && distance2 < h2;
    let r2 = select(h2, distance2, near);
    let inverse_r = select(inverseSqrt(r2), 0.0, r2 < 1e-12 * h2);
    let wall = candidate.position.w < 0.0;
    let volume = select(candidate.position.w, -candidate.position.w * candidate.velocity.w, wall);
    let other = select(candidate.viscosity, density_i, wall);
    let approach = min(dot(velocity_i - candidate.velocity.xyz, offset), 0.0);
    let share = select(0.0, other * volume / (density_i + other), near);
    let slope = pressure_slope(r2 * inverse_r) * inverse_r;
    drag += share * approach / (r2 + 0.01 * h2) * slope * offset;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let member = member_of(element(global_id));
    let i = member.slot;
    let x = sorted_position[i];
    let live = member.exists;
    velocity_i = sorted_velocity[i].xyz;
    density_i = density[i];
    drag = vec3<f32>(0.0);
    for_each_neighbour(member, x.xyz, live);
    if (live) {
        let strength = 2.0 * params.alpha * params.support_radius * params.sound_speed;
        let a = acceleration[i];
        acceleration[i] = vec4<f32>(a.xyz + strength * drag, a.w);
    }
}
