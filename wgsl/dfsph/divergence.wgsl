// Divergence-free solver: what changes the compression must vanish (Bender, Koschier 2015, 8–9). But what lies
// wide apart may come together, a part of what is missing in a step: else fluid that expanded, as it does
// where κ are not quite what they should be, would stay so, and a splash could not fall back into itself.
//!include common/compression

const CLOSING = 0.05;

fn too_much(excess: f32, change: f32) -> f32 {
    return change + CLOSING * min(excess, 0.0);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let i = element(global_id);
    evaluate_error(member_of(i), i / 64u, local);
}
