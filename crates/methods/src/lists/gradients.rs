//! Conjugate gradients: one list for every equation that is solved by them.

use crate::stage::{Entry, Stage, stage};

/// Iterations of preconditioned conjugate gradients with one reduction each (Chronopoulos, Gear 1989), in the loop
/// `name`, for the equation whose passes have the prefix `equation`.
///
/// * `before` makes u = M⁻¹ r, if the preconditioner M takes passes of its own; else `step` ends with it;
/// * `EQUATION/apply` makes w = A u, and workgroups' parts of r·u, u·w and of the residual;
/// * `EQUATION/total` makes of these α, β (`common/conjugate`) and the element of `EQUATION_residual`;
/// * `step` makes p = u + β p, s = w + β s, x += α p, r −= α s.
///
/// `on` makes them stages over the elements and arrays at hand.
#[must_use]
pub fn gradients(
    name: &str,
    equation: &str,
    before: Vec<Stage>,
    step: &str,
    on: impl Fn(Stage) -> Stage,
) -> Entry {
    let [apply, total] = ["apply", "total"].map(|pass| stage(&format!("{equation}/{pass}")));
    let body = before.into_iter().chain([apply, total, stage(step)]).map(on);
    Entry::repeat(name, &format!("{equation}_residual"), body.collect())
}
