// Cohesion between particles that repels below h/3 (Tartakovsky, Meakin 2005).

// cos(3πr/2h) W by r².
fn cohesion(r2: f32) -> f32 {
    // cos 3x = (4 cos²x − 3) cos x, with x = πq/2 by a polynomial in q² = r²/h² that is right to 1e-7.
    let q2 = r2 * kernel.inverse_support_radius * kernel.inverse_support_radius;
    let c = 0.99999994 + q2 * (-1.23369825 + q2 * (0.253650755 + q2 * (-0.0208106283 + q2 * 0.000858190644)));
    return (4.0 * c * c - 3.0) * c * density_kernel(r2);
}
