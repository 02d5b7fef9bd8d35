// Impulses on bodies of what conjugate gradients multiply by A in an iteration, P = u.
//!include common/levers
//!include common/cells_around

//!read poisson_u

fn impulse_of(c: u32, at: u32) -> vec3<f32> {
    return poisson_u[c] * levers[c][at].xyz;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    sum_for_solids(element(global_id) / 64u, local, mass_of_face());
}
