// Velocities with the pressures that were found, v += u/Δt (Ihmsen et al. 2014, Algorithm 1), which
// are kept for the next step.
//!include common/push

@group(1) @binding(4) var<storage, read_write> warm: array<f32>;
@group(1) @binding(5) var<storage, read_write> sorted_velocity: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let member = member_of(element(global_id));
    let i = member.slot;
    let change = per_step() * displacement_by_pressure(member);
    if (member.exists) {
        sorted_velocity[i] += vec4<f32>(change, 0.0);
        warm[i] = select(0.0, kappa[i] / (control.dt * control.dt), control.dt > 0.0);
    }
}
