// Pair impulses of implicit viscosity (Weiler, Koschier, Brand, Bender 2018), divided by the mass m_0 of the first
// material so that vectors are velocities: the rows of K a are
//   m_i/m_0 a_i + Σ_j k_ij x_ij (x_ij · (a_i − a_j)),   k_ij = Δt c_ij/m_0,   x_ij = x_i − x_j
//   c_ij = C 2(d + 2) μ_ij V_i V_j (−W'/r)/(r² + 0.01 h²)
// with the harmonic mean μ_ij = 2μ_i μ_j/(μ_i + μ_j), or μ_i times the friction of a boundary particle. Vectors have μ in their w
// lane, or that friction. A pass that includes this file and common/neighbour_list (or common/neighbours) loads by viscous_neighbour.
//!include common/control
//!include common/neighbour
//!include common/kernels

//!gather sorted_position sorted_identity
// a_j, with μ_j or the friction of a boundary particle in w.
//!carry vector: vec4<f32>

var<private> viscosity_i: f32;
var<private> strength_i: f32;
var<private> vector_i: vec3<f32>;
var<private> impulse: vec3<f32>;
// Σ k x xᵀ: xx, yy, zz; yz, xz, xy.
var<private> diagonal: vec3<f32>;
var<private> off_diagonal: vec3<f32>;

// m_i/m_0.
fn relative_mass(i: u32) -> f32 {
    return material_of(sorted_identity_at(i)).mass / params.materials[0].mass;
}

// Call it before the walk: volume is that of the particle, a its own vector.
fn begin_viscous(volume: f32, a: vec4<f32>) {
    viscosity_i = a.w;
    strength_i = control.dt * params.methods.viscosity_implicit.factor * abs(volume) / params.materials[0].mass;
    vector_i = a.xyz;
    impulse = vec3<f32>(0.0);
    diagonal = vec3<f32>(0.0);
    off_diagonal = vec3<f32>(0.0);
}

fn viscous_neighbour(j: u32, a: vec4<f32>) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, a);
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
    let other = neighbour.vector.w;
    let sum = viscosity_i + other;
    let mean = select(0.0, 2.0 * viscosity_i * other / sum, sum > 0.0);
    let viscosity = select(mean, viscosity_i * other, neighbour.position.w < 0.0);
    return viscosity * pair_strength(neighbour, offset, mine);
}

// k_ib in m⁻² of a body's particle b, whose friction is what scales the fluid's viscosity; 0 of other solids.
fn body_coupling(neighbour: Neighbour, offset: vec3<f32>, mine: bool) -> f32 {
    // The volume of fluid is positive.
    let fluid = mine && neighbour.position.w > 0.0;
    return neighbour.vector.w * viscosity_i * pair_strength(neighbour, offset, fluid);
}

fn add_impulse(k: f32, neighbour: Neighbour, offset: vec3<f32>) {
    impulse += k * dot(offset, vector_i - neighbour.vector.xyz) * offset;
}

fn add_block(k: f32, offset: vec3<f32>) {
    diagonal += k * offset * offset;
    off_diagonal += k * offset.yxx * offset.zzy;
}
