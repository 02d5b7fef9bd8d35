// Solids among material points: singular values of F, and fixed corotated elasticity in principal axes
// (Stomakhin, Howes, Schroeder, Teran 2012), which jelly and snow have.
//!include common/strain
//!include common/svd
//!include common/tangent

// U diag(σ) Vᵀ.
fn product(u: mat3x3<f32>, sigma: vec3<f32>, v: mat3x3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(sigma.x * u[0], sigma.y * u[1], sigma.z * u[2]) * transpose(v);
}

// Moduli λ and G in Pa, times the hardening.
fn corotated(lambda: f32, shear: f32, hardening: f32, sigma: vec3<f32>) -> vec3<f32> {
    let j = sigma.x * sigma.y * sigma.z;
    return hardening * (2.0 * shear * (sigma - 1.0) * sigma + lambda * j * (j - 1.0));
}

// Energy per rest volume.
fn corotated_energy(lambda: f32, shear: f32, hardening: f32, sigma: vec3<f32>) -> f32 {
    let j = sigma.x * sigma.y * sigma.z;
    let stretch = sigma - 1.0;
    return hardening * (shear * dot(stretch, stretch) + 0.5 * lambda * (j - 1.0) * (j - 1.0));
}

// Speed in m/s of pressure waves along the longest axis.
fn sound(lambda: f32, shear: f32, rest_density: f32, hardening: f32, sigma: vec3<f32>) -> f32 {
    let modulus = hardening * (lambda + 2.0 * shear);
    return sqrt(modulus / rest_density) * max(1.0, sigma.x);
}

// U diag(τ) Uᵀ.
fn in_axes(u: mat3x3<f32>, tau: vec3<f32>) -> mat3x3<f32> {
    return mat3x3<f32>(tau.x * u[0], tau.y * u[1], tau.z * u[2]) * transpose(u);
}

// Tangent of fixed corotated elasticity, with ψ = G Σ (σ − 1)² + λ/2 (J − 1)². What makes it indefinite, under strong
// compression or in rotations of what is compressed, is cut off (Teran et al. 2005): of the axes by a smaller share of the
// mixed derivatives λ (J − 1) σ_k, so that 2G outweighs them in each row (Gershgorin), of the pairs where a ± b is below 0.
fn corotated_tangent(lambda: f32, shear: f32, hardening: f32, s: Svd) -> Tangent {
    let sigma = s.sigma;
    let others = sigma.yzx * sigma.zxy;
    let l = lambda * (sigma.x * sigma.y * sigma.z - 1.0);
    let wide = abs(sigma.x) + abs(sigma.y);
    let share = min(1.0, 2.0 * shear / max(abs(l) * wide, 1e-20));
    let diagonal = (2.0 * shear + lambda * others * others) * sigma * sigma;
    let mixed = others * (lambda * others.yzx * others.zxy + share * l * sigma);
    let minus = max(vec3<f32>(0.0), 2.0 * shear - l * sigma);
    let sums = max(vec3<f32>(sigma.yxx + sigma.zzy), vec3<f32>(1e-3));
    let plus = max(vec3<f32>(0.0), 2.0 * shear * (1.0 - 2.0 / sums) + l * sigma);
    let a = 0.5 * (minus + plus);
    let b = 0.5 * (minus - plus);
    let squares = sigma * sigma;
    let modulus = (lambda + 4.0 * shear) / 3.0 * squares.x;
    return Tangent(s.u[0], s.u[1], hardening * diagonal, hardening * mixed, hardening * a * squares.zzy,
        hardening * a * squares.yxx, hardening * b * others, hardening * modulus, 0.0, 0.0);
}
