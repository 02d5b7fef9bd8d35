//! Conjugate gradients: one list for every equation that is solved by them.

use crate::stage::{Entry, Stage, stage};

/// Iterations of preconditioned conjugate gradients with one reduction each (Chronopoulos, Gear 1989), in the loop
/// `name`, for the equation whose passes have the prefix `equation`.
///
/// * `before` makes u = M⁻¹ r, if the preconditioner M takes passes of its own; else `step` ends with it;
/// * `EQUATION/apply` makes w = A u, and workgroups' parts of r·u, u·w and of the residual;
/// * `EQUATION/total` makes of these α, β (`common/conjugate`) and the element of `EQUATION_residual`, by which the loop ends,
///   unless it `tests_apart`, by `loop/test`: where each world has a residual, and where an iteration has much else to do;
/// * `step` makes p = u + β p, s = w + β s, x += α p, r −= α s. An iteration begins with that of the one before, so that it can
///   end with the test, and the last one follows.
///
/// `on` makes them stages over the elements and arrays at hand.
#[must_use]
pub fn gradients(
    name: &str,
    equation: &str,
    before: Vec<Stage>,
    step: &str,
    tests_apart: bool,
    on: impl Fn(Stage) -> Stage,
) -> [Entry; 2] {
    let step = on(stage(step));
    let [apply, total] = ["apply", "total"].map(|pass| stage(&format!("{equation}/{pass}")));
    let mut body = vec![step.clone()];
    body.extend(before.into_iter().chain([apply, total]).map(on));
    if tests_apart {
        body.push(stage("loop/test").with("residual", &format!("{equation}_residual")));
    }
    [Entry::repeat_from(name, 1, body), step.into()]
}
