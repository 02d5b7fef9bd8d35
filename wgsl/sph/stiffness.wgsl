// Keeps the iterated pressure of the step's last loop (sph/keep), and records the speed √(p/ρ) with which pressure turns
// displacements into accelerations, for the next step: neighbours that move against each other are driven back by λ p/(ρ dx²)
// times their displacement, which symplectic steps bear below Δt = 2 dx/√(λ p/ρ) (kernel::pressure_stiffness). The pressure is
// the mean of 64 particles in the order of cells, so that the peak of one that hits a wall does not shorten steps.
//!include common/control_write
//!include common/sums

//!read kappa sorted_identity
//!write warm: array<f32>
//!write sorted_velocity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    // A barrier follows, so that nobody may leave early.
    let goes = is_active();
    let s = element(global_id);
    var part = vec4<f32>(0.0);
    if (goes && has_particle(s)) {
        let pressure = select(0.0, kappa[s] / (control.dt * control.dt), control.dt > 0.0);
        let all = sorted_velocity[s].w + pressure;
        warm[s] = pressure;
        sorted_velocity[s].w = all;
        let who = sorted_identity[s];
        if (kind_of(who) == KIND_FLUID) { part = vec4<f32>(max(all, 0.0) / material_of(who).rest_density, 1.0, 0.0, 0.0); }
    }
    let sum = workgroup_sum(part, local);
    if (goes && local == 0u) {
        let signal = sqrt(params.sph.stiffness * sum.x / max(sum.y, 1.0));
        atomicMax(&control.max_signal_bits, bitcast<u32>(signal));
    }
}
