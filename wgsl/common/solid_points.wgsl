// Solids among material points: singular values of F, and fixed corotated elasticity in principal axes
// (Stomakhin, Howes, Schroeder, Teran 2012), which jelly and snow have.
//!include common/strain
//!include common/svd

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
