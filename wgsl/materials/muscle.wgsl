// Muscle: jelly, and along its fibres m a stress of its own, τ = τ_jelly + a (F m)(F m)ᵀ with a = pull sin(rate t + phase): P =
// a F m mᵀ, as of springs whose force per cross-section at rest is a |F m| (after Hu et al. 2019).
//!include common/solid_points
//!include common/series

fn muscle_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = muscle_numbers(material);
    let s = svd(strain.f);
    let tension = own.pull * sin_of(own.rate * strain.time + own.phase);
    let fibre = strain.f * vec3<f32>(own.along_x, own.along_y, 0.0);
    let pulled = tension * mat3x3<f32>(fibre * fibre.x, fibre * fibre.y, fibre * fibre.z);
    let tau = in_axes(s.u, corotated(own.lambda, own.shear, 1.0, s.sigma)) + pulled;
    let energy = corotated_energy(own.lambda, own.shear, 1.0, s.sigma);
    // Its stress is at most another modulus of that size.
    let speed = sound(own.lambda + own.pull, own.shear, material.rest_density, 1.0, s.sigma);
    return Response(strain.rows, tau, determinant(ONE + strain.rows), energy, speed, vec3<f32>(0.0));
}

// Of the jelly alone: its pull is prescribed in time.
fn muscle_tangent(material: MaterialParams, start: Start) -> Tangent {
    let own = muscle_numbers(material);
    return corotated_tangent(own.lambda, own.shear, 1.0, svd(start.f));
}

// Sine of an angle, by half turns (common/series).
fn sin_of(angle: f32) -> f32 {
    let k = round(angle / 3.14159265);
    // π in two parts.
    let rest = (angle - k * 3.140625) - k * 9.67653590e-4;
    let odd = k - 2.0 * floor(0.5 * k);
    return (1.0 - 2.0 * odd) * rest * sinc_and_cos(rest).x;
}
