// Putty: p = −K (J − 1); of F only its volume is kept.
//!include common/solid_points

fn putty_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = putty_numbers(material);
    let j = determinant(strain.f);
    let size = pow(j, 1.0 / f32(params.world.dimensions));
    let speed = sqrt(own.bulk / material.rest_density);
    let energy = 0.5 * own.bulk * (j - 1.0) * (j - 1.0);
    return Response((size - 1.0) * ONE, own.bulk * j * (j - 1.0) * ONE, j, energy, speed, vec3<f32>(0.0));
}
