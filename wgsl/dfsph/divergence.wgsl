// Divergence-free solver: what changes the compression must vanish (Bender, Koschier 2015, 8–9).
//!include common/dfsph_error

// Half of what surrounds a particle in the fluid; less, and it may fly apart and together.
const FEW = 12.0;

fn too_much(excess: f32, change: f32) -> f32 {
    return select(0.0, change, contacts >= FEW || params.dimensions == 2u);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let i = element(global_id);
    evaluate_error(member_of(i), i / 64u, local);
}
