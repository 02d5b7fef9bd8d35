// Density at the positions to which the current velocities lead, over ρ0 (Solenthaler, Pajarola 2009, 5). Neighbours are those
// at the start of the step.
//!include common/incompressible
//!include common/residual

//!gather sorted_velocity
//!read kappa_sum
//!publish kappa
//!write residuals
//!carry velocity: vec4<f32>

var<private> velocity_i: vec3<f32>;
var<private> dt: f32;
var<private> sum: f32;
// Of sph/factor, with equal masses.
var<private> gradient: vec3<f32>;
var<private> squares: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let g = weight(neighbour, offset, mine) * offset;
    gradient += (1.0 + mirrored(neighbour)) * g;
    squares += select(0.0, dot(g, g), neighbour.position.w > 0.0);
    var way = dt * (1.0 + mirrored(neighbour)) * (velocity_i - neighbour.velocity.xyz);
    // What stands for a wall goes along it with the particle.
    let r2 = max(dot(offset, offset), 1e-12 * kernel.support_radius_squared);
    if (is_volume(neighbour)) { way = dot(way, offset) / r2 * offset; }
    let ahead = offset + way;
    let near = mine && dot(offset, offset) < kernel.support_radius_squared;
    sum += select(0.0, abs(neighbour.position.w), near) * density_kernel(dot(ahead, ahead));
}

fn predicted_density(member: Member) -> f32 {
    velocity_i = sorted_velocity_at(member.slot).xyz;
    dt = control.dt;
    sum = 0.0;
    gradient = vec3<f32>(0.0);
    squares = 0.0;
    for_each_neighbour(member, sorted_position_at(member.slot).xyz, member.exists);
    return kernel.density_calibration * sum;
}

// Leaves an error, and the pressure that corrects it, κ_i = ω δ ρ0_i times it, or takes back up to the sum of earlier
// iterations (6–8). δ is for a particle in the rest lattice, ω the largest stable factor for Jacobi iterations,
// params.methods.pcisph.factor their product; where particles are squeezed, as below a heavy body, δ is their own.
fn leave_error(member: Member, error: f32, rest_density: f32, group: u32, local: u32) {
    // A step of length 0 changes nothing.
    let acts = member.exists && control.dt > 0.0;
    let wrong = select(0.0, error, acts);
    let own = params.sph.relaxation / max(dot(gradient, gradient) + squares, 1e-6 / kernel.support_radius_squared);
    let gain = min(params.methods.pcisph.factor, own) * rest_density;
    let pressure = select(0.0, max(gain * wrong, -kappa_sum[member.slot]), acts);
    if (member.exists) { publish_kappa(member.slot, pressure); }
    leave_residual(wrong, member.exists, group, local);
}
