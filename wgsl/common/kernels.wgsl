// Müller's kernels (M 20–22) and their derivatives, in 2-D and 3-D: the normalisation is in params.
// The other files common/kernels_… have the same functions; the scene's kernel picks one.
//!include common/kernel_constants

// W of poly6 (M 20) by r²: C (h² − r²)³, 0 beyond the support.
fn density_kernel(r2: f32) -> f32 {
    let d = max(kernel.support_radius_squared - r2, 0.0);
    return kernel.poly6 * d * d * d;
}

fn density_kernels(r2: vec4<f32>) -> vec4<f32> {
    let d = max(kernel.support_radius_squared - r2, vec4<f32>(0.0));
    return kernel.poly6 * d * d * d;
}

// ∇W of poly6 is this times r⃗: −6C (h² − r²)².
fn density_gradient(r2: f32) -> f32 {
    let d = max(kernel.support_radius_squared - r2, 0.0);
    return -6.0 * kernel.poly6 * d * d;
}

// ∇²W of poly6 in d dimensions: −6C (h² − r²)(d h² − (d + 4) r²).
fn density_laplacian(r2: f32) -> f32 {
    let h2 = kernel.support_radius_squared;
    return -6.0 * kernel.poly6 * max(h2 - r2, 0.0) * (dimensions * h2 - (dimensions + 4.0) * r2);
}

// W' of spiky (M 21), never positive: −C (h − r)².
fn pressure_slope(r: f32) -> f32 {
    let d = max(kernel.support_radius - r, 0.0);
    return -kernel.spiky_gradient * d * d;
}

// W'/r of spiky, for r > 0.
fn pressure_gradient(r2: f32) -> f32 {
    let inverse_r = inverseSqrt(r2);
    return pressure_slope(r2 * inverse_r) * inverse_r;
}

// ∇²W of the viscosity kernel (M 22): C (h − r).
fn viscosity_laplacian(r: f32) -> f32 {
    return kernel.viscosity_laplacian * max(kernel.support_radius - r, 0.0);
}
