// Inverse of a symmetric matrix.
fn inverted(m: mat3x3<f32>) -> mat3x3<f32> {
    let x = cross(m[1], m[2]);
    let y = cross(m[2], m[0]);
    let z = cross(m[0], m[1]);
    return (1.0 / dot(m[0], x)) * mat3x3<f32>(x, y, z);
}
