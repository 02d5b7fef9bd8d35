//! Diffusion of values on cells and faces: explicit, or implicit by conjugate gradients.
//!
//! The equation is (V − c ∇²) q = V q*, c = κ Δt/Δx², for four values of each cell at once: the velocities at its lower
//! faces, or smoke and temperature, with the volume V of the cells that walls cut. The first residual of q = q* is the change by
//! an explicit step times V, so explicit diffusion is the start alone. The largest residual bounds the error where cells are
//! whole, since the rows of the inverse add up to 1 at most (Saad 2003, 2.2: M-matrices).

use crate::{
    Key, Loop,
    arrays::Row,
    lists::gradients::gradients,
    passes::{self, Pass},
    space::{BUSY_CELLS, CELLS, ONE},
    stage::{Entry, Stage, run, stage},
};

/// Key of the residual.
pub(crate) const MAX_ERROR: Key = Key::number(
    "max_diffusion_error",
    [Key::POSITIVE, 100.0],
    0.01,
    "Error at which the iterations of diffusion = \"implicit\" stop, in percent of the largest value.",
)
.unit("%");

/// How steps diffuse.
pub(crate) const SCHEMES: &[(&str, &str)] = &[
    ("implicit", "stable at any step, by iterations"),
    ("explicit", "without iterations, in steps of at most Δx²/(2dκ)"),
];

/// Conjugate gradients; of the method's limits of iterations.
pub(crate) const fn repeats(name: &'static str) -> Loop {
    Loop {
        name,
        tolerance: MAX_ERROR.name,
        least: "min_iterations",
        most: "max_iterations",
        warm_start: 0.0,
        shortens_step: false,
        energy: None,
    }
}

/// A vector of the system.
const fn vector(name: &'static str) -> Row {
    Row::new(name, "vec4<f32>", CELLS)
}

/// What links values to their neighbours and to walls: `wgsl/common/diffusion.wgsl`.
pub(crate) const LINKS: &[Row] = &[Row::new("diffusion_links", "array<vec4<f32>, 2>", CELLS)];

/// Vectors and scalars of the iterations.
pub(crate) const ARRAYS: &[Row] = &[
    // Residual; before the start the walls' share of it.
    vector("diffusion_r"),
    // The residual over the diagonal.
    vector("diffusion_u"),
    // A u.
    vector("diffusion_w"),
    // The search direction.
    vector("diffusion_p"),
    // A times that.
    vector("diffusion_s"),
    // α, β, r·u; c of each value; inverse of its scale.
    Row::new("diffusion_scalars", "array<vec4<f32>, 3>", ONE),
    Row::new("diffusion_residual", "f32", ONE),
];

/// Passes of diffusion.
pub(crate) const PASSES: &[Pass] = &[
    passes::each("diffusion/faces", CELLS),
    passes::each("diffusion/cells", CELLS),
    passes::each("diffusion/start", BUSY_CELLS),
    passes::each("diffusion/add", CELLS),
    passes::single("diffusion/scale", ONE),
    passes::each("diffusion/apply", BUSY_CELLS),
    passes::single("diffusion/total", ONE),
    passes::each("diffusion/step", BUSY_CELLS),
];

/// Diffusion of the array `field` by the equation that the pass `links` makes, in the loop `name` unless it is explicit.
pub(crate) fn diffuse(links: &str, field: &str, name: &str, is_explicit: bool) -> Vec<Entry> {
    let of_field = |pass| stage(pass).with("face_other", field);
    let mut list = vec![run(links), of_field("diffusion/start").into()];
    if is_explicit {
        list.push(of_field("diffusion/add").into());
        return list;
    }
    list.push(run("diffusion/scale"));
    let of_field = |stage: Stage| match stage.pass == "diffusion/step" {
        true => stage.with("face_other", field),
        false => stage,
    };
    list.extend(gradients(name, "diffusion", Vec::new(), "diffusion/step", false, of_field));
    list
}
