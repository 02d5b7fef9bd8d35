//! Fu, Guo, Gast, Jiang, Teran 2017: the polynomial particle in cell method, with multilinear fields.

use super::*;
use crate::{Axis, Method, arrays::Lane, space::PARTICLES};

/// Coefficients in m/s of the products of offsets in cells that make the field around each particle: for each component
/// those of x, y, xy, and 0; then for each those of xz, yz, xyz, z.
const POLY: Row = Row::new("poly", "array<vec4<f32>, 6>", PARTICLES).guess().lanes(&[Lane {
    lanes: "xyzw",
    quantity: "velocity_terms",
    unit: "m/s",
}]);

/// Terms of the fields in cell order, with the velocity in the first three of w.
const SORTED_POLY: Row = Row::new("sorted_poly", "vec4<f32>", PARTICLES.times(6));

/// The field's velocities and their multilinear terms: as lively as `flip`, without its noise.
pub const METHOD: Method = Method {
    source: "Fu, Guo, Gast, Jiang, Teran 2017",
    help: "liquid on a grid, polynomial particle in cell: keeps its swirls",
    loops: LOOPS,
    arrays: &[&[POLY, SORTED_POLY]],
    passes: &[&[
        passes::each("polypic/carry", PARTICLES),
        passes::each("polypic/gather", BUSY_CELLS),
        passes::each("polypic/update", PARTICLES),
    ]],
    limit: Some(CAPILLARY),
    wets: true,
    warnings: Some(warnings),
    solver: solver(stages),
    ..Method::new("polypic", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, Own::new(&["polypic/carry", "polypic/gather"], "polypic/update"))
}

/// Warnings of a scene.
fn warnings(scene: &Scene, _: &Chosen) -> Vec<String> {
    let tense = scene.materials.iter().any(|material| material.surface_tension > 0.0);
    let message = "surface tension stirs small drops with \"polypic\", whose terms amplify the noise of the particles: the other \
                   liquids on a grid are quieter";
    tense.then(|| message.to_owned()).into_iter().collect()
}
