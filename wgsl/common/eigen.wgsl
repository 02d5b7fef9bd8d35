// Eigenvalues and eigenvectors of symmetric matrices by Jacobi rotations.

struct Eigen {
    values: vec3<f32>,
    // Unit eigenvectors, in the order of the values.
    vectors: mat3x3<f32>,
}

const SWEEPS = 5;

// Jacobi rotation of rows p and q of a symmetric matrix and of the basis.
fn rotate_rows(a: ptr<function, mat3x3<f32>>, basis: ptr<function, mat3x3<f32>>, p: u32, q: u32) {
    let apq = (*a)[p][q];
    if (abs(apq) < 1e-20) { return; }
    let theta = ((*a)[q][q] - (*a)[p][p]) / (2.0 * apq);
    let t = select(-1.0, 1.0, theta >= 0.0) / (abs(theta) + sqrt(theta * theta + 1.0));
    let c = inverseSqrt(t * t + 1.0);
    let s = t * c;
    // Columns, then rows: A ← Jᵀ A J; basis ← basis J.
    let column_p = (*a)[p];
    let column_q = (*a)[q];
    (*a)[p] = c * column_p - s * column_q;
    (*a)[q] = s * column_p + c * column_q;
    for (var k = 0u; k < 3u; k++) {
        let row_p = (*a)[k][p];
        let row_q = (*a)[k][q];
        (*a)[k][p] = c * row_p - s * row_q;
        (*a)[k][q] = s * row_p + c * row_q;
    }
    let basis_p = (*basis)[p];
    let basis_q = (*basis)[q];
    (*basis)[p] = c * basis_p - s * basis_q;
    (*basis)[q] = s * basis_p + c * basis_q;
}

// Of the matrix with xx, yy, zz in `squares` and yz, xz, xy in `products`, whose elements are about 1.
fn eigen_of(squares: vec3<f32>, products: vec3<f32>) -> Eigen {
    let s = squares;
    let p = products;
    var a = mat3x3<f32>(vec3<f32>(s.x, p.z, p.y), vec3<f32>(p.z, s.y, p.x), vec3<f32>(p.y, p.x, s.z));
    var basis = mat3x3<f32>(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(0.0, 0.0, 1.0));
    for (var sweep = 0; sweep < SWEEPS; sweep++) {
        // Further rotations would change no digit.
        if (abs(a[0][1]) + abs(a[0][2]) + abs(a[1][2]) < 1e-7) { break; }
        rotate_rows(&a, &basis, 0u, 1u);
        rotate_rows(&a, &basis, 0u, 2u);
        rotate_rows(&a, &basis, 1u, 2u);
    }
    return Eigen(vec3<f32>(a[0][0], a[1][1], a[2][2]), basis);
}
