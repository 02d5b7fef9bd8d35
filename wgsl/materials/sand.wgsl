// Sand: Drucker and Prager's cone in Hencky strain, τ = 2G ln σ + λ tr ln σ (Klár et al. 2016, volume correction of
// Tampubolon et al. 2017). Its state is q, the plastic strain, and v_c, the volume that was gained.
//!include common/solid_points
//!include common/series

// ln σ: near 1 the driver's logarithm has too few digits.
fn logarithm(sigma: f32) -> f32 {
    let y = (sigma - 1.0) / (sigma + 1.0);
    let z = y * y;
    let near = 2.0 * y * (1.0 + z * (1.0 / 3.0 + z * (0.2 + z / 7.0)));
    return select(log(max(sigma, 1e-6)), near, abs(sigma - 1.0) < 0.1);
}

fn vector_logarithm(sigma: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(logarithm(sigma.x), logarithm(sigma.y), logarithm(sigma.z));
}

// e^x − 1.
fn exponential(x: f32) -> f32 {
    let near = x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0)));
    return select(exp(x) - 1.0, near, abs(x) < 0.03);
}

// α of Drucker and Prager for a friction angle: in 2-D for plane strain.
fn cone(angle: f32) -> f32 {
    let sine = angle * sinc_and_cos(angle).x;
    return select(sqrt(2.0 / 3.0) * 2.0 * sine / (3.0 - sine), sine / sqrt(2.0), params.world.dimensions == 2u);
}

fn sand_respond(material: MaterialParams, strained: Strain) -> Response {
    let own = sand_numbers(material);
    let s = svd(strained.f);
    let d = f32(params.world.dimensions);
    let q = strained.state.x;
    // In 2-D the third axis has no strain.
    let in_plane = select(vec3<f32>(1.0), vec3<f32>(1.0, 1.0, 0.0), params.world.dimensions == 2u);
    let strain = vector_logarithm(s.sigma) + strained.state.y / d * in_plane;
    let trace = strain.x + strain.y + strain.z;
    let shear = strain - trace / d * in_plane;
    let norm = length(shear);
    let alpha = cone(own.h0 + (own.h1 * q - own.h3) * exp(-own.h2 * q));
    let excess = norm + (d * own.lambda + 2.0 * own.shear) / (2.0 * own.shear) * alpha * trace;
    var elastic = strain;
    var state = vec3<f32>(q, 0.0, 0.0);
    if (trace >= 0.0) {
        elastic = vec3<f32>(0.0);
        state = vec3<f32>(q + length(strain), trace, 0.0);
    } else if (excess > 0.0) {
        elastic = strain - excess / max(norm, 1e-30) * shear;
        state.x = q + excess;
    }
    let grown = vec3<f32>(exponential(elastic.x), exponential(elastic.y), exponential(elastic.z));
    let total = elastic.x + elastic.y + elastic.z;
    let rows = transpose(product(s.u, 1.0 + grown, s.v) - ONE);
    let tau = in_axes(s.u, 2.0 * own.shear * elastic + own.lambda * total);
    let energy = own.shear * dot(elastic, elastic) + 0.5 * own.lambda * total * total;
    let speed = sound(own.lambda, own.shear, material.rest_density, 1.0, 1.0 + grown);
    return Response(rows, tau, determinant(ONE + rows), energy, speed, state);
}
