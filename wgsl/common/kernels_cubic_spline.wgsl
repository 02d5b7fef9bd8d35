// The cubic spline in place of all kernels of common/kernels: with q = r/h, W = σ (6(q³ − q²) + 1)
// for q ≤ ½, 2σ (1 − q)³ up to 1 (Monaghan 1992; h is the support radius).
//!include common/kernel_constants

fn density_kernel(r2: f32) -> f32 {
    let q = min(sqrt(r2) * kernel.inverse_support_radius, 1.0);
    let p = 1.0 - q;
    return kernel.constant * select(2.0 * p * p * p, 6.0 * q * q * (q - 1.0) + 1.0, q <= 0.5);
}

fn density_kernels(r2: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(density_kernel(r2.x), density_kernel(r2.y), density_kernel(r2.z), density_kernel(r2.w));
}

// W'/r.
fn density_gradient(r2: f32) -> f32 {
    return gradient_at(sqrt(r2));
}

fn gradient_at(r: f32) -> f32 {
    let q = min(r * kernel.inverse_support_radius, 1.0);
    let p = 1.0 - q;
    let slope = select(-6.0 * p * p / max(q, 0.5), 18.0 * q - 12.0, q <= 0.5);
    return kernel.gradient_constant * slope;
}

// W'' + (d − 1) W'/r.
fn density_laplacian(r2: f32) -> f32 {
    let q = min(sqrt(r2) * kernel.inverse_support_radius, 1.0);
    let curvature = select(12.0 * (1.0 - q), 36.0 * q - 12.0, q <= 0.5);
    let around = (dimensions - 1.0) * density_gradient(r2);
    return kernel.gradient_constant * curvature + around;
}

// W', never positive.
fn pressure_slope(r: f32) -> f32 {
    return gradient_at(r) * r;
}

// W'/r.
fn pressure_gradient(r2: f32) -> f32 {
    return gradient_at(sqrt(r2));
}

// In place of ∇²W: −2 r W'/(r² + 0.01 h²) (Brookshaw 1985, Morris 1997).
fn viscosity_laplacian(r: f32) -> f32 {
    return -2.0 * r * pressure_slope(r) / (r * r + 0.01 * kernel.support_radius_squared);
}
