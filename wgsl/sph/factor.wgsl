// Density as in sph/density, and factor from compression to pressure (Bender, Koschier 2015, 11; −1/a_ii of Ihmsen et
// al. 2014), in one walk:
//   α_i = 1 / (|g|² + Σ_j m_i/m_j |V_j ∇W_ij|² + n m_i/M |b|²), g = Σ_j V_j ∇W_ij, in which bodies count twice,
// where the second sum is over fluid only, and α is 0 without neighbours. b is the part of g by a free body of mass M,
// which gives way under the pressures of all particles around it, as many as its own n: with its answer to one of them
// alone, iterations push a light body ever further. The paper's formula is for equal masses and without bodies; this is
// exact for unequal masses and for mirror images in solids (common/incompressible). Stores ρ0 α, which gives κ, and the current s − 1.
//!include common/incompressible

//!gather sorted_identity
//!read colliders
//!write density factor
// 1/m_j of fluid, and √(n/M) of the body of a boundary particle, else 0.
//!carry inverse_mass: f32, yielding: f32

var<private> density_sum: f32;
var<private> gradient: vec3<f32>;
var<private> squares: f32;
// b √(n/M).
var<private> free: vec3<f32>;

fn load(j: u32) -> Neighbour {
    let who = sorted_identity_at(j);
    var neighbour = Neighbour(sorted_position_at(j), j, 1.0 / material_of(who).mass, 0.0);
    if (is_of_body(neighbour)) {
        let body = colliders[who.y >> 16u];
        neighbour.yielding = sqrt(body.inverse_mass * f32(body.particle_count));
    }
    return neighbour;
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let volume = select(0.0, abs(neighbour.position.w), mine);
    density_sum += volume * density_kernel(dot(offset, offset));
    let g = weight(neighbour, offset, mine) * offset;
    gradient += (1.0 + mirrored(neighbour)) * g;
    free += neighbour.yielding * 2.0 * g;
    let fluid = neighbour.position.w > 0.0;
    squares += select(0.0, dot(g, g) * neighbour.inverse_mass, fluid);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    read_kernel();
    let member = member_of(element(global_id));
    let x = sorted_position_at(member.slot);
    let live = member.exists;
    density_sum = 0.0;
    gradient = vec3<f32>(0.0);
    squares = 0.0;
    free = vec3<f32>(0.0);
    for_each_neighbour(member, x.xyz, live);
    if (live) {
        let material = material_of(sorted_identity_at(member.slot));
        let sum = dot(gradient, gradient) + material.mass * (squares + dot(free, free));
        let alpha = select(0.0, 1.0 / sum, sum > 1e-6 / kernel.support_radius_squared);
        let compressed = density_sum * kernel.density_calibration;
        density[member.slot] = material.rest_density * compressed;
        factor[member.slot] = vec2<f32>(material.rest_density * alpha, compressed - 1.0);
    }
}
