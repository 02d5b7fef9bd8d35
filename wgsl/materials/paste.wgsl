// Paste: τ = −J p 1 + 2 J η dev D, D = ½ (∇v + ∇vᵀ), γ̇ = √(2 dev D : dev D), with the pressure of common/liquid_points and
//   η = K γ̇^(n−1) + τ_y (1 − e^(−m γ̇))/γ̇,  m = η_max/τ_y,  at most η_max    (Herschel, Bulkley 1926; Papanastasiou 1987)
//!include common/liquid_points

// Slower shear than this, in 1/s, counts as this.
const SLOWEST = 1e-6;

fn paste_viscosity(material: MaterialParams, shear_rate: f32) -> f32 {
    let own = paste_numbers(material);
    let shear = max(shear_rate, SLOWEST);
    let most = material.viscosity;
    let thin = own.consistency * pow(shear, own.exponent - 1.0);
    // (1 − e^−x)/x, by its series where that is accurate.
    let x = most * shear / max(own.yield_stress, 1e-20);
    let share = select((1.0 - exp(-x)) / x, 1.0 - x * (0.5 - x * (1.0 / 6.0 - x / 24.0)), x < 0.1);
    return min(most, thin + select(0.0, most * share, own.yield_stress > 0.0));
}

struct Shear {
    // dev D in 1/s, yz, xz, xy of it in `off`, without what 2-D has not, and η in Pa s.
    diagonal: vec3<f32>,
    off: vec3<f32>,
    viscosity: f32,
}

fn paste_shear(material: MaterialParams, c: mat3x3<f32>) -> Shear {
    let flat = params.world.dimensions == 2u;
    let mean = (c[0].x + c[1].y + c[2].z) / select(3.0, 2.0, flat);
    let diagonal = vec3<f32>(c[0].x - mean, c[1].y - mean, select(c[2].z - mean, 0.0, flat));
    let off = 0.5 * vec3<f32>(c[1].z + c[2].y, c[0].z + c[2].x, c[0].y + c[1].x);
    let rate = sqrt(2.0 * dot(diagonal, diagonal) + 4.0 * dot(off, off));
    return Shear(diagonal, off, paste_viscosity(material, rate));
}

fn paste_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = paste_numbers(material);
    let found = pressed(material, strain, own.stiffness, own.largest_volume, own.pulls);
    let shear = paste_shear(material, strain.gradient);
    let diagonal = shear.diagonal;
    let off = shear.off;
    let tau = 2.0 * shear.viscosity * found.volume * mat3x3<f32>(
        vec3<f32>(diagonal.x, off.z, off.y), vec3<f32>(off.z, diagonal.y, off.x), vec3<f32>(off.y, off.x, diagonal.z));
    return flowed(tau, found);
}

fn paste_tangent(material: MaterialParams, start: Start) -> Tangent {
    let own = paste_numbers(material);
    return liquid_tangent(material, own.stiffness, own.pulls, start.state.x, paste_shear(material, start.gradient).viscosity);
}
