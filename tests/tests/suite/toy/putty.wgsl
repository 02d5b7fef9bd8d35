// Putty: τ = K J (J − 1) + μ (∇v + ∇vᵀ); of F only its volume is kept.
//!include common/solid_points

fn putty_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = putty_numbers(material);
    let j = determinant(strain.f);
    let size = pow(j, 1.0 / f32(params.world.dimensions));
    let speed = sqrt(own.bulk / material.rest_density);
    let energy = 0.5 * own.bulk * (j - 1.0) * (j - 1.0);
    let c = strain.gradient;
    let tau = own.bulk * j * (j - 1.0) * ONE + material.viscosity * (c + transpose(c));
    return Response((size - 1.0) * ONE, tau, j, energy, speed, vec3<f32>(0.0));
}
