// Constant density: the predicted compression at the end of the step, s + Δt Ds/Dt − 1, must
// vanish, except for the part left for later steps (Ihmsen et al. 2014, 4 and 13; Bender, Koschier
// 2015, 10–12).
//!include common/compression

fn too_much(excess: f32, change: f32) -> f32 {
    return excess - left_for_later(excess) + change;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    read_kernel();
    let i = element(global_id);
    evaluate_error(member_of(i), i / 64u, local);
}
