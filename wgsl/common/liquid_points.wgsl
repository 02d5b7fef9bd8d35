// Pressure of liquids among material points, p = B (J^−γ − 1) − ζ ∇·v, not below 0 unless they pull (Monaghan 1994). Their
// state is J − 1.
//!include common/strain
//!include common/tangent

// Liquids are not compressed further.
const LEAST_VOLUME = 0.6;
const GAMMA = 7.0;
// Share of ρ c Δx that resists changes of volume as a viscosity: sound dies out within a few of its periods.
const DAMPING = 0.25;
// Loose particles that are this much denser together than at rest are loose no more.
const CROWDED = 1.1;

// Share of the way to the volume that the nodes count which J goes in the time that sound takes across a cell: steps of ∇·v alone
// lose it. Only where the nodes are full: at the surface they count what is beyond it. What they count scatters by some percent, and
// pressures are of thousandths: within SLACK of it J is better.
const RECALL = 0.1;
const DENSE = 0.9;
const SLACK = 0.03;

struct Pressed {
    // J − 1, and J.
    excess: f32,
    volume: f32,
    // In Pa.
    pressure: f32,
    // Per rest volume in J/m³.
    energy: f32,
    // Speed of sound in m/s.
    sound: f32,
}

fn pressed(material: MaterialParams, strain: Strain, stiffness: f32, largest_volume: f32, pulls: f32) -> Pressed {
    let c = strain.gradient;
    let divergence = c[0].x + c[1].y + c[2].z;
    let grown = strain.state.x + strain.dt * divergence * (1.0 + strain.state.x);
    let room = CROWDED * material.rest_density / max(strain.density, 1e-3 * material.rest_density);
    let calm = sqrt(GAMMA * stiffness / material.rest_density);
    let share = min(RECALL * calm * strain.dt * params.grid.inverse_cell.x, 1.0);
    let counted = material.rest_density / strain.density - 1.0;
    let pulled = select(grown, mix(grown, clamp(grown, counted - SLACK, counted + SLACK), share), strain.density > DENSE * material.rest_density);
    let excess = clamp(min(pulled, room - 1.0), LEAST_VOLUME - 1.0, largest_volume - 1.0);
    let j = 1.0 + excess;
    let r = 1.0 / j;
    let r3 = r * r * r;
    // J^−n − 1 = −(J − 1) (r + … + rⁿ), which has all digits of J − 1.
    let six = r * (1.0 + r * (1.0 + r * (1.0 + r * (1.0 + r * (1.0 + r)))));
    let seven = six + r3 * r3 * r;
    let loose = excess > 0.0 && pulls == 0.0;
    let damped = -stiffness * excess * seven - DAMPING * material.rest_density * calm * params.grid.cell * divergence;
    // −∫ p dJ.
    let energy = select(stiffness * excess * (1.0 - six / (GAMMA - 1.0)), 0.0, loose);
    return Pressed(excess, j, select(damped, 0.0, loose), energy, calm * r3);
}

// Liquids have no deformation but J.
fn flowed(tau: mat3x3<f32>, found: Pressed) -> Response {
    let none = mat3x3<f32>(vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
    let pressure = found.volume * found.pressure * ONE;
    return Response(none, tau - pressure, found.volume, found.energy, found.sound, vec3<f32>(found.excess, 0.0, 0.0));
}

// Tangent of a liquid of viscosity η in Pa s: −d(J p)/dJ J tr D 1, less the part of p itself, which is small beside B and makes it
// indefinite.
fn liquid_tangent(material: MaterialParams, stiffness: f32, pulls: f32, excess: f32, viscosity: f32) -> Tangent {
    let j = 1.0 + excess;
    let loose = excess > 0.0 && pulls == 0.0;
    let r2 = 1.0 / (j * j);
    let stiff = select(stiffness * ((GAMMA - 1.0) * r2 * r2 * r2 + j), 0.0, loose);
    let calm = sqrt(GAMMA * stiffness / material.rest_density);
    let damping = select(DAMPING * material.rest_density * calm * params.grid.cell, 0.0, loose);
    let none = vec3<f32>(0.0);
    return Tangent(ONE[0], ONE[1], vec3<f32>(stiff), vec3<f32>(stiff), none, none, none, stiff / 3.0, j * viscosity, j * damping);
}
