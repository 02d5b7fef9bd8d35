//! Implicit viscosity of liquids on a grid, with free surfaces without stress (Batty, Bridson 2008).
//!
//! The stress couples the components, ∇·μ(∇u + ∇uᵀ), so that liquid that turns rigidly keeps turning. It acts on the field that the
//! last step's pressure would leave, and that pressure is added back for the projection: gravity alone would be slowed down at
//! walls, and water at rest would move.

use super::diffusion;
use crate::{
    Key, Loop,
    arrays::Row,
    lists::gradients::gradients,
    passes::{self, Pass},
    space::{BUSY_CELLS, CELLS, NO_TENSION, ONE, TENSION},
    stage::{Entry, Stage, run, stage},
};

/// Key of the residual.
pub(crate) const MAX_ERROR: Key = Key::number(
    "max_viscosity_error",
    [Key::POSITIVE, 100.0],
    0.01,
    "Residual at which the iterations of viscosity stop, in percent of the largest velocity.",
)
.unit("%");

/// Conjugate gradients.
pub(crate) const LOOP: Loop = Loop { tolerance: MAX_ERROR.name, ..diffusion::repeats("viscosity") };

/// Flags of free faces, wet cells and edges, and what Δu of each face counts; the other arrays are those of diffusion.
pub(crate) const LINKS: &[Row] = &[Row::new("stress_links", "vec2<u32>", CELLS)];

/// Passes of viscosity.
pub(crate) const PASSES: &[Pass] = &[
    passes::each("stress/links", CELLS),
    passes::each("stress/start", BUSY_CELLS),
    passes::single("diffusion/scale", ONE),
    passes::each("stress/apply", BUSY_CELLS),
    passes::single("diffusion/total", ONE),
    passes::each("stress/step", BUSY_CELLS),
    passes::each("stress/restore", BUSY_CELLS),
];

/// Viscosity of the field in `face`.
pub(crate) fn viscosity() -> Vec<Entry> {
    // At level 1 with the last step's pressure where surface tension acts.
    let by_tension = |pass: &str| {
        [stage(pass).when(NO_TENSION), stage(pass).level(1).when(TENSION)].map(Entry::from)
    };
    let mut list = vec![run("stress/links")];
    list.extend(by_tension("grid/project"));
    list.extend(["stress/start", "diffusion/scale"].map(run));
    let own = |stage_: Stage| match stage_.pass == "diffusion/apply" {
        true => stage("stress/apply"),
        false => stage_,
    };
    list.extend(gradients("viscosity", "diffusion", Vec::new(), "stress/step", false, own));
    list.extend(by_tension("stress/restore"));
    list
}
