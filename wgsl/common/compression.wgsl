// First half of an iteration of IISPH and DFSPH: the change of each particle's compression in a
// step at the current velocities, Δt Ds/Dt = Δt Σ_j V_j (v_i − v_j)·∇W_ij, and the κ that corrects
// the excess (Bender, Koschier 2015, 9 and 12), as a matrix-free relaxed Jacobi iteration: the
// velocities already contain the effect of the pressures so far (Ihmsen et al. 2014, 13, with a_ii
// = −1/α_i and the sums over pressures taken from velocities). If earlier iterations pushed too
// far, κ is negative and takes that back. A part of the last iteration's κ is added while the error has its sign
// (Nesterov's momentum with a restart for each particle; O'Donoghue, Candès 2015): about half as many iterations. The
// residual then counts all that pressures can still correct: a deficit as far as there is pressure to take back. Not
// with bodies, which react in each iteration: floating boxes leave their bounds. A pass that includes this file defines
//   fn too_much(excess: f32, change: f32) -> f32
// the excess to correct, given a particle's compression s − 1 at the start of the step and its
// change.
//!include common/incompressible
//!include common/residual

//!gather sorted_velocity
//!read factor kappa_sum
//!publish kappa
//!write residuals
//!carry velocity: vec4<f32>

// With 1, pressures of water at rest swing twice as much.
const MOMENTUM = 0.8;

var<private> velocity_i: vec3<f32>;
var<private> rate: f32;

fn load(j: u32) -> Neighbour {
    return Neighbour(sorted_position_at(j), j, sorted_velocity_at(j));
}

fn visit(neighbour: Neighbour, offset: vec3<f32>, mine: bool) {
    let approach = (1.0 + mirrored(neighbour)) * dot(velocity_i - neighbour.velocity.xyz, offset);
    rate += weight(neighbour, offset, mine) * approach;
}

fn evaluate_error(member: Member, group: u32, local: u32) {
    let x = sorted_position_at(member.slot);
    let live = member.exists;
    velocity_i = sorted_velocity_at(member.slot).xyz;
    rate = 0.0;
    for_each_neighbour(member, x.xyz, live);
    let own = factor[member.slot];
    // A step of length 0 changes nothing.
    let wrong = select(0.0, too_much(own.y, control.dt * rate), live && control.dt > 0.0);
    let gain = params.sph.relaxation * own.x;
    let sum = kappa_sum[member.slot];
    let last = kappa[member.slot];
    let n = f32(control.iteration);
    let alone = !has_bodies();
    let carried = select(0.0, MOMENTUM * n / (n + 3.0) * last, alone && wrong * last > 0.0);
    if (member.exists) { publish_kappa(member.slot, max(gain * wrong + carried, -sum)); }
    let excess = select(0.0, min(-wrong, sum / gain), alone && wrong < 0.0 && gain > 0.0);
    leave_residual(max(wrong, excess), live, group, local);
}
