// Compression that solvers which push in velocities correct at the surface, of the full share Ψ of the kernel: s ≤ Ψ in place
// of s ≤ 1, but at most ε more than without. It replaces s − 1 by e = min(s − Ψ, max(s − 1, ε)). Of what that adds to the
// fluid's own compression a step corrects the share Δt/(10 Δt_c), with Δt_c the longest step of the tension: Ψ follows the
// nodes in steps, and ε dx/Δt at once would shake drops, which lose their motion by that or burst.
fn corrected_excess(excess: f32, fill: f32) -> f32 {
    let own = params.methods.tension_free_surface;
    let all = min(excess + (1.0 - fill), max(excess, own.limit));
    let base = max(excess, 0.0);
    return select(all, base + min(own.rate * control.dt, 1.0) * (all - base), all > base);
}
