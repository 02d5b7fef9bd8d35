// The compression that IISPH and DFSPH correct, of the full share Ψ of the kernel: s ≤ Ψ in place of s ≤ 1, but at most ε more
// than without. It replaces s − 1 by min(s − Ψ, max(s − 1, ε)).
//!include common/control

//!read tension_fill
//!write factor

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    // 1 − Ψ first, which is exact near 1.
    let excess = factor[i].y;
    factor[i].y = min(excess + (1.0 - tension_fill[i].x), max(excess, params.methods.tension_near_surface.limit));
}
