// Singular values F = U Σ Vᵀ of a matrix with det U = det V = 1 and σ1 ≥ σ2 ≥ |σ3|: the last is negative if det F is.
// In 2-D the third axis stays apart, with σ3 = 1.
//
// 3-D: one-sided cyclic Jacobi (Hestenes 1958), which is accurate for inverted, singular and equal values in f32;
// FᵀF would lose half of the digits. 2-D: the rotation of the polar decomposition, then one Jacobi rotation.
//!include common/params

struct Svd {
    u: mat3x3<f32>,
    sigma: vec3<f32>,
    v: mat3x3<f32>,
}

// Cosine and sine of the rotation that makes two columns perpendicular, from their squared lengths and their product.
fn jacobi(a: f32, b: f32, product: f32) -> vec2<f32> {
    let d = b - a;
    let root = abs(d) + sqrt(d * d + 4.0 * product * product);
    let t = select(0.0, 2.0 * product * select(1.0, -1.0, d < 0.0) / root, root > 0.0);
    let c = 1.0 / sqrt(1.0 + t * t);
    return vec2<f32>(c, c * t);
}

// Rotates two columns of B = F V, and of V with them, until those of B are perpendicular.
fn rotate_columns(b0: ptr<function, vec3<f32>>, b1: ptr<function, vec3<f32>>,
                  v0: ptr<function, vec3<f32>>, v1: ptr<function, vec3<f32>>) {
    let b = *b0;
    let v = *v0;
    let turn = jacobi(dot(b, b), dot(*b1, *b1), dot(b, *b1));
    *b0 = turn.x * b - turn.y * *b1;
    *b1 = turn.y * b + turn.x * *b1;
    *v0 = turn.x * v - turn.y * *v1;
    *v1 = turn.y * v + turn.x * *v1;
}

// Puts the longer one first; a swap changes a sign, so that V remains a rotation.
fn order_columns(b0: ptr<function, vec3<f32>>, b1: ptr<function, vec3<f32>>,
                 v0: ptr<function, vec3<f32>>, v1: ptr<function, vec3<f32>>) {
    let b = *b0;
    let v = *v0;
    if (dot(b, b) < dot(*b1, *b1)) {
        *b0 = *b1;
        *b1 = -b;
        *v0 = *v1;
        *v1 = -v;
    }
}

// A unit vector perpendicular to a unit vector.
fn perpendicular(n: vec3<f32>) -> vec3<f32> {
    let a = abs(n);
    var axis = vec3<f32>(0.0, 0.0, 1.0);
    if (a.x <= a.y && a.x <= a.z) {
        axis = vec3<f32>(1.0, 0.0, 0.0);
    } else if (a.y <= a.z) {
        axis = vec3<f32>(0.0, 1.0, 0.0);
    }
    return normalize(cross(n, axis));
}

fn svd_3d(f: mat3x3<f32>) -> Svd {
    let size = max(max(abs(f[0]), abs(f[1])), abs(f[2]));
    let scale = max(max(size.x, size.y), max(size.z, 1e-30));
    var b0 = f[0] / scale;
    var b1 = f[1] / scale;
    var b2 = f[2] / scale;
    var v0 = vec3<f32>(1.0, 0.0, 0.0);
    var v1 = vec3<f32>(0.0, 1.0, 0.0);
    var v2 = vec3<f32>(0.0, 0.0, 1.0);
    var sweep = 0u;
    loop {
        rotate_columns(&b0, &b1, &v0, &v1);
        rotate_columns(&b0, &b2, &v0, &v2);
        rotate_columns(&b1, &b2, &v1, &v2);
        sweep += 1u;
        if (sweep >= 4u) { break; }
    }
    order_columns(&b0, &b1, &v0, &v1);
    order_columns(&b1, &b2, &v1, &v2);
    order_columns(&b0, &b1, &v0, &v1);
    let longest = length(b0);
    let u0 = select(b0 / max(longest, 1e-30), vec3<f32>(1.0, 0.0, 0.0), longest == 0.0);
    let rest = b1 - dot(u0, b1) * u0;
    let left = length(rest);
    let u1 = select(rest / max(left, 1e-30), perpendicular(u0), left <= 1e-7 * longest);
    let u2 = cross(u0, u1);
    let sigma = scale * vec3<f32>(longest, dot(u1, b1), dot(u2, b2));
    return Svd(mat3x3<f32>(u0, u1, u2), sigma, mat3x3<f32>(v0, v1, v2));
}

// F = R S: R turns by the angle whose tangent is (F_yx − F_xy)/(F_xx + F_yy), and S is symmetric.
fn svd_2d(f: mat3x3<f32>) -> Svd {
    let half = 0.5 * vec2<f32>(f[0].x + f[1].y, f[0].y - f[1].x);
    let mean = length(half);
    let turn = select(half / max(mean, 1e-30), vec2<f32>(1.0, 0.0), mean == 0.0);
    // S = Rᵀ F.
    let a = turn.x * f[0].x + turn.y * f[0].y;
    let b = turn.x * f[1].y - turn.y * f[1].x;
    let product = turn.x * f[1].x + turn.y * f[1].y;
    let j = jacobi(a, b, product);
    // Eigenvectors of S, the larger value first.
    let first = j.x * j.x * a - 2.0 * j.x * j.y * product + j.y * j.y * b;
    let second = j.y * j.y * a + 2.0 * j.x * j.y * product + j.x * j.x * b;
    let swapped = first < second;
    let v0 = select(vec2<f32>(j.x, -j.y), vec2<f32>(j.y, j.x), swapped);
    let v1 = vec2<f32>(-v0.y, v0.x);
    let u0 = vec2<f32>(turn.x * v0.x - turn.y * v0.y, turn.y * v0.x + turn.x * v0.y);
    let u1 = vec2<f32>(-u0.y, u0.x);
    let z = vec3<f32>(0.0, 0.0, 1.0);
    return Svd(
        mat3x3<f32>(vec3<f32>(u0, 0.0), vec3<f32>(u1, 0.0), z),
        vec3<f32>(max(first, second), min(first, second), 1.0),
        mat3x3<f32>(vec3<f32>(v0, 0.0), vec3<f32>(v1, 0.0), z),
    );
}

fn svd(f: mat3x3<f32>) -> Svd {
    if (params.world.dimensions == 2u) { return svd_2d(f); }
    return svd_3d(f);
}
