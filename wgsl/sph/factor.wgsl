// The factor by which a compression becomes a k (Bender, Koschier 2015, 11; −1/a_ii of Ihmsen et al.
// 2014):
//   α_i = 1 / (|Σ_j V_j ∇W_ij|² + Σ_j m_i/m_j |V_j ∇W_ij|²), the second sum over fluid only,
// 0 where there is nobody to push. The paper's is for equal masses; with m_i/m_j it is exact for
// others, too.
//!include common/incompressible

@group(1) @binding(3) var<storage, read_write> factor: array<f32>;

var<private> gradient: vec3<f32>;
var<private> squares: f32;

fn load(j: u32) -> Candidate {
    var candidate = at_position(sorted_position[j]);
    candidate.viscosity = 1.0 / material_of(sorted_identity[j]).mass;
    return candidate;
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    let g = weight(candidate, offset, mine) * offset;
    gradient += g;
    let fluid = candidate.position.w > 0.0;
    squares += select(0.0, dot(g, g) * candidate.viscosity, fluid);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    let live = is_fluid(i);
    let slot = min(i, params.capacity - 1u);
    gradient = vec3<f32>(0.0);
    squares = 0.0;
    for_each_candidate(sorted_position[slot].xyz, live);
    if (live) {
        let sum = dot(gradient, gradient) + material_of(sorted_identity[slot]).mass * squares;
        factor[slot] = select(0.0, 1.0 / sum, sum > 1e-6 / params.support_radius_squared);
    }
}
