// Filters velocities (XSPH; Monaghan 1989, Schechter, Bridson 2012):
//   v_i += ε Σ_j 2 m_j/(ρ_i + ρ_j) (v_j − v_i) W_ij
// as an acceleration over the step, so that particles keep the filtered velocity and move with it.
// m_j = ρ_j V_j; of boundary particles ρ_i V_b times their friction.
//!include common/control
//!include common/neighbour_list
//!include common/kernels

@group(1) @binding(1) var<storage, read> sorted_position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> sorted_velocity: array<vec4<f32>>;
@group(1) @binding(4) var<storage, read> density: array<f32>;
@group(1) @binding(5) var<storage, read_write> acceleration: array<vec4<f32>>;

var<private> velocity_i: vec3<f32>;
var<private> density_i: f32;
var<private> change: vec3<f32>;

fn load(j: u32) -> Candidate {
    var candidate = moving(sorted_position[j], sorted_velocity[j]);
    candidate.viscosity = density[j];
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let r2 = dot(offset, offset);
    let near = mine && r2 < params.support_radius_squared;
    let wall = candidate.position.w < 0.0;
    let volume = select(candidate.position.w, -candidate.position.w * candidate.velocity.w, wall);
    let other = select(candidate.viscosity, density_i, wall);
    let share = select(0.0, 2.0 * other * volume / (density_i + other), near);
    change += share * density_kernel(r2) * (candidate.velocity.xyz - velocity_i);
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
    change = vec3<f32>(0.0);
    for_each_neighbour(member, x.xyz, live);
    // A step of no length filters nothing.
    if (live && control.dt > 0.0) {
        let a = acceleration[i];
        acceleration[i] = vec4<f32>(a.xyz + params.xsph / control.dt * change, a.w);
    }
}
