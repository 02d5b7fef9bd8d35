// Nodes of implicit steps: their inertia, rows of the symmetric 3 × 3 matrix of implicit/inertia, and whether they are unknowns.
//!include common/control
//!include common/busy
//!include common/inverse

//!read implicit_mass

struct Inertia {
    matrix: mat3x3<f32>,
    // Of the node alone, in kg.
    mass: f32,
    is_unknown: bool,
}

fn inertia_of(c: u32) -> Inertia {
    let a = implicit_mass[c][0];
    let b = implicit_mass[c][1];
    let m = mat3x3<f32>(vec3<f32>(a.x, b.z, b.y), vec3<f32>(b.z, a.y, b.x), vec3<f32>(b.y, b.x, a.z));
    return Inertia(m, b.w, a.w == 1.0);
}

// (M + d)⁻¹ r, with d the stiffness of the node; the matrix is scaled, since its determinant is near the least f32.
fn preconditioned(own: Inertia, d: f32, r: vec3<f32>) -> vec3<f32> {
    let scale = 1.0 / (own.mass + d);
    let m = scale * own.matrix;
    let one = scale * d;
    let shifted = mat3x3<f32>(m[0] + vec3<f32>(one, 0.0, 0.0), m[1] + vec3<f32>(0.0, one, 0.0), m[2] + vec3<f32>(0.0, 0.0, one));
    return inverted(shifted) * (scale * r);
}
