// Pair impulses of implicit viscosity (Weiler, Koschier, Brand, Bender 2018), divided by the mass m_0 of the first
// material so that vectors are velocities: the rows of K a are
//   m_i/m_0 a_i + Σ_j k_ij x_ij (x_ij · (a_i − a_j)),   k_ij = Δt c_ij/m_0,   x_ij = x_i − x_j
//   c_ij = C 2(d + 2) μ_ij V_i V_j (−W'/r)/(r² + 0.01 h²)
// with the harmonic mean μ_ij = 2μ_i μ_j/(μ_i + μ_j), or μ_i times the friction of a boundary particle. A pass that
// includes this file and common/neighbour_list (or common/neighbours) loads by viscous_neighbour.
//!include common/control
//!include common/neighbour
//!include common/kernels

//!gather sorted_position sorted_identity
// a_j, with the friction of a boundary particle in w, and μ_j.
//!carry vector: vec4<f32>, viscosity: f32

var<private> viscosity_i: f32;
var<private> strength_i: f32;
var<private> vector_i: vec3<f32>;
var<private> impulse: vec3<f32>;

// m_i/m_0.
fn relative_mass(i: u32) -> f32 {
    return material_of(sorted_identity_at(i)).mass / params.materials[0].mass;
}

// Call it before the walk: i is the particle, volume its volume, a its own vector.
fn begin_viscous(i: u32, volume: f32, a: vec3<f32>) {
    viscosity_i = material_of(sorted_identity_at(i)).viscosity;
    strength_i = control.dt * params.methods.viscosity_implicit.factor * abs(volume) / params.materials[0].mass;
    vector_i = a;
    impulse = vec3<f32>(0.0);
}

fn viscous_neighbour(j: u32, a: vec4<f32>) -> Neighbour {
    var neighbour = Neighbour(sorted_position_at(j), j, a, viscosity_i);
    if (SEVERAL_MATERIALS) { neighbour.viscosity = material_of(sorted_identity_at(j)).viscosity; }
    return neighbour;
}

// k_ij/μ_ij; 0 beyond the support.
fn pair_strength(neighbour: Neighbour, offset: vec3<f32>, mine: bool) -> f32 {
    let h2 = kernel.support_radius_squared;
    let distance2 = dot(offset, offset);
    let near = mine && distance2 < h2;
    let r2 = select(h2, distance2, near);
    let volume = select(0.0, abs(neighbour.position.w), near);
    return -strength_i * volume * density_gradient(r2) / (r2 + 0.01 * h2);
}

// k_ij in m⁻².
fn coupling(neighbour: Neighbour, offset: vec3<f32>, mine: bool) -> f32 {
    let sum = viscosity_i + neighbour.viscosity;
    let mean = select(0.0, 2.0 * viscosity_i * neighbour.viscosity / sum, sum > 0.0);
    let viscosity = select(mean, viscosity_i * neighbour.vector.w, neighbour.position.w < 0.0);
    return viscosity * pair_strength(neighbour, offset, mine);
}

fn add_impulse(k: f32, neighbour: Neighbour, offset: vec3<f32>) {
    impulse += k * dot(offset, vector_i - neighbour.vector.xyz) * offset;
}
