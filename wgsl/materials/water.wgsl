// Water of material points: τ = −J p 1 + μ J (∇v + ∇vᵀ),  p = B (J^−γ − 1) − ζ ∇·v, not below 0 unless it pulls
// (Monaghan 1994).
// Its state is J − 1.
//!include common/strain

// Water is not compressed further.
const LEAST_VOLUME = 0.6;
const GAMMA = 7.0;
// Share of ρ c Δx that resists changes of volume as a viscosity: sound dies out within a few of its periods.
const DAMPING = 0.25;
// Loose particles that are this much denser together than at rest are loose no more.
const CROWDED = 1.1;

fn water_respond(material: MaterialParams, strain: Strain) -> Response {
    let own = water_numbers(material);
    let c = strain.gradient;
    let divergence = c[0].x + c[1].y + c[2].z;
    let grown = strain.state.x + strain.dt * divergence * (1.0 + strain.state.x);
    let room = CROWDED * material.rest_density / max(strain.density, 1e-3 * material.rest_density);
    let excess = clamp(min(grown, room - 1.0), LEAST_VOLUME - 1.0, own.largest_volume - 1.0);
    let j = 1.0 + excess;
    let r = 1.0 / j;
    let r3 = r * r * r;
    // J^−n − 1 = −(J − 1) (r + … + rⁿ), which has all digits of J − 1.
    let six = r * (1.0 + r * (1.0 + r * (1.0 + r * (1.0 + r * (1.0 + r)))));
    let seven = six + r3 * r3 * r;
    let loose = j > 1.0 && own.pulls == 0.0;
    let calm = sqrt(GAMMA * own.stiffness / material.rest_density);
    let damped = -own.stiffness * excess * seven - DAMPING * material.rest_density * calm * params.grid.cell * divergence;
    let pressure = select(damped, 0.0, loose);
    var tau = material.viscosity * j * (c + transpose(c));
    tau -= j * pressure * ONE;
    // −∫ p dJ.
    let energy = select(own.stiffness * excess * (1.0 - six / (GAMMA - 1.0)), 0.0, loose);
    let speed = calm * r3;
    let none = mat3x3<f32>(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
    return Response(none, tau, j, energy, speed, vec3<f32>(excess, 0.0, 0.0));
}
