// Snow: σ ← clamp(σ, 1 − θc, 1 + θs), then as jelly with G and λ times e^(ξ (1 − J_p)) (Stomakhin et al. 2013). Its state
// is J_p − 1.
//!include common/solid_points

// Bounds of J_p, with which snow hardens at most e⁴-fold.
const LEAST_PLASTIC = 0.6;
const LARGEST_PLASTIC = 20.0;

fn snow_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = snow_numbers(material);
    let s = svd(strain.f);
    let sigma = clamp(s.sigma, vec3<f32>(1.0 - own.compression), vec3<f32>(1.0 + own.stretch));
    let ratio = s.sigma.x * s.sigma.y * s.sigma.z / (sigma.x * sigma.y * sigma.z);
    let j_p = clamp((1.0 + strain.state.x) * ratio, LEAST_PLASTIC, LARGEST_PLASTIC);
    let hardening = hardening_of(own.hardening, j_p);
    let rows = transpose(product(s.u, sigma, s.v) - ONE);
    let tau = in_axes(s.u, corotated(own.lambda, own.shear, hardening, sigma));
    let energy = corotated_energy(own.lambda, own.shear, hardening, sigma);
    let speed = sound(own.lambda, own.shear, material.rest_density, hardening, sigma);
    return Response(rows, tau, determinant(ONE + rows), energy, speed, vec3<f32>(j_p - 1.0, 0.0, 0.0));
}

fn hardening_of(rate: f32, j_p: f32) -> f32 {
    return exp(min(rate * (1.0 - j_p), 4.0));
}

// As it is before it yields.
fn snow_tangent(material: MaterialParams, start: Start) -> Tangent {
    let own = snow_numbers(material);
    return corotated_tangent(own.lambda, own.shear, hardening_of(own.hardening, 1.0 + start.state.x), svd(start.f));
}
