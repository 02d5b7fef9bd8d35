// Predicted density at the positions to which the current velocities lead, and the pressure that
// corrects an excess, κ_i = ω δ ρ0_i (s_i* − 1), or takes back up to the sum of earlier iterations
// (Solenthaler, Pajarola 2009, 5–8). δ is for a particle in the rest lattice, ω the largest stable
// factor for Jacobi iterations, params.methods.pcisph.factor their product. Neighbours are those at
// the start of the step.
//!include common/incompressible
//!include common/residual

//!gather sorted_velocity
//!read sorted_identity kappa_sum
//!publish kappa
//!write residuals

var<private> velocity_i: vec3<f32>;
var<private> dt: f32;
var<private> sum: f32;

fn load(j: u32) -> Candidate {
    return moving(sorted_position_at(j), sorted_velocity_at(j));
}

fn visit(candidate: Candidate, offset: vec3<f32>, mine: bool) {
    var way = dt * (velocity_i - candidate.velocity.xyz);
    // What stands for a wall goes along it with the particle.
    let r2 = max(dot(offset, offset), 1e-12 * kernel.support_radius_squared);
    if (is_volume(candidate)) { way = dot(way, offset) / r2 * offset; }
    let ahead = offset + way;
    let near = mine && dot(offset, offset) < kernel.support_radius_squared;
    sum += select(0.0, abs(candidate.position.w), near) * density_kernel(dot(ahead, ahead));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    let member = member_of(i);
    let x = sorted_position_at(member.slot);
    let live = member.exists;
    velocity_i = sorted_velocity_at(member.slot).xyz;
    dt = control.dt;
    sum = 0.0;
    for_each_neighbour(member, x.xyz, live);
    var wrong = 0.0;
    // A step of length 0 changes nothing.
    var pressure = 0.0;
    if (live && control.dt > 0.0) {
        wrong = kernel.density_calibration * sum - 1.0;
        let stiffness = params.methods.pcisph.factor * material_of(sorted_identity[member.slot]).rest_density;
        pressure = max(stiffness * wrong, -kappa_sum[member.slot]);
    }
    if (live) { publish_kappa(member.slot, pressure); }
    leave_residual(wrong, live, i / 64u, local);
}
