// Müller's kernels (M 20–22) and their derivatives, in 2-D and 3-D: the normalisation is in params.
// Each takes r² or r and must only be used within the support.
//!include common/params

// W of poly6 (M 20): C (h² − r²)³.
fn poly6(r2: f32) -> f32 {
    let d = params.support_radius_squared - r2;
    return params.poly6 * d * d * d;
}

// ∇W of poly6 is this times r⃗: −6C (h² − r²)².
fn poly6_gradient(r2: f32) -> f32 {
    let d = params.support_radius_squared - r2;
    return -6.0 * params.poly6 * d * d;
}

// ∇²W of poly6 in d dimensions: −6C (h² − r²)(d h² − (d + 4) r²).
fn poly6_laplacian(r2: f32) -> f32 {
    let h2 = params.support_radius_squared;
    let n = f32(params.dimensions);
    return -6.0 * params.poly6 * (h2 - r2) * (n * h2 - (n + 4.0) * r2);
}

// ∇W of spiky (M 21) is this times r⃗/r: −C (h − r)².
fn spiky_gradient(r: f32) -> f32 {
    let d = params.support_radius - r;
    return -params.spiky_gradient * d * d;
}

// ∇²W of the viscosity kernel (M 22): C (h − r).
fn viscosity_laplacian(r: f32) -> f32 {
    return params.viscosity_laplacian * (params.support_radius - r);
}
