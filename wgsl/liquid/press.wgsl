// Impulses of the pressure on bodies, P the solution of its equation.
//!include common/levers
//!include common/cells_around

//!read solution

fn impulse_of(c: u32, at: u32) -> vec3<f32> {
    return solution[c].x * levers[c][at].xyz;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    sum_for_solids(element(global_id) / 64u, local, mass_of_face());
}
