// Jelly, fixed corotated: in principal axes τ = 2G (σ − 1) σ + λ J (J − 1) (Stomakhin, Howes, Schroeder, Teran 2012).
//!include common/solid_points

fn jelly_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = jelly_numbers(material);
    let s = svd(strain.f);
    let tau = in_axes(s.u, corotated(own.lambda, own.shear, 1.0, s.sigma));
    let energy = corotated_energy(own.lambda, own.shear, 1.0, s.sigma);
    let speed = sound(own.lambda, own.shear, material.rest_density, 1.0, s.sigma);
    return Response(strain.rows, tau, determinant(ONE + strain.rows), energy, speed, vec3<f32>(0.0));
}

fn jelly_tangent(material: MaterialParams, start: Start) -> Tangent {
    let own = jelly_numbers(material);
    return corotated_tangent(own.lambda, own.shear, 1.0, svd(start.f));
}
