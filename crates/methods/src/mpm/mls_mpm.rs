//! Hu et al. 2018: the moving least squares material point method.

use super::implicit;
use crate::{
    Axis, Method, Scope, Solver,
    grid::cells,
    passes,
    space::{BUSY_CELLS, PARTICLES},
    stage::Entry,
};

/// Affine transfers whose gradient is also the velocity's.
pub const METHOD: Method = Method {
    source: "Hu, Fang, Ge, Qu, Zhu, Pradhana, Jiang 2018",
    help: "material points on a grid, explicit or implicit: water, and solids that stretch, break or flow",
    keys: &[implicit::KEYS],
    loops: &[implicit::LOOP],
    problems: Some(implicit::problems),
    limit: Some(super::LIMIT),
    arrays: &[&[cells::AFFINE], super::POINTS, implicit::ARRAYS],
    passes: &[
        implicit::PASSES,
        &[
            passes::each("mls_mpm/point", PARTICLES),
            passes::each("mls_mpm/gather", BUSY_CELLS),
            passes::each("mls_mpm/update", PARTICLES),
        ],
    ],
    quantities: super::QUANTITIES,
    solver: Some(Solver { family: &super::FAMILY, stages, step_share: 0.5, sph: None }),
    ..Method::new("mls_mpm", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, &["mls_mpm/point", "mls_mpm/gather"], "mls_mpm/update")
}
