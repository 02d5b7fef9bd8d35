// Change of a particle's κ in an iteration: the correction, and a share of the change in the last
// iteration, with which pressure spreads through n layers in about n iterations instead of n² (the
// heavy ball of Polyak 1964). The share grows towards 1 and starts again at 0 when the residual
// rises (O'Donoghue, Candès 2015; loop/test). κ takes back at most the sum of earlier changes.

//!read kappa_sum

fn change_of_kappa(slot: u32, correction: f32) -> f32 {
    // None in the first two iterations: where two suffice, water at rest stays quieter without. And
    // none with bodies, whose response no particle's factor contains: a floating box would not rest.
    let n = f32(control.momentum);
    let carries = control.momentum > 1u && params.sph.momentum == 1u;
    let more = select(0.0, (n - 1.0) / (n + 2.0) * kappa[slot], carries);
    return max(correction + more, -kappa_sum[slot]);
}
