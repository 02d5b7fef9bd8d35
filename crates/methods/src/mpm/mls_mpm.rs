//! Hu et al. 2018: the moving least squares material point method.

use crate::{
    Axis, Method, Scope, Solver,
    arrays::Row,
    grid::cells,
    passes,
    space::{BUSY_CELLS, PARTICLES},
    stage::Entry,
};

/// What each particle gives to the nodes, in cell order: its place and mass; gradient and mean of its field of
/// momentum, by components.
const POINTS: &[Row] = &[
    Row::new("point_place", "vec4<f32>", PARTICLES),
    Row::new("point_x", "vec4<f32>", PARTICLES),
    Row::new("point_y", "vec4<f32>", PARTICLES),
    Row::new("point_z", "vec4<f32>", PARTICLES),
];

/// Affine transfers whose gradient is also the velocity's.
pub const METHOD: Method = Method {
    source: "Hu, Fang, Ge, Qu, Zhu, Pradhana, Jiang 2018",
    help: "material points on a grid, explicit: water, and solids that stretch, break or flow",
    limit: Some(super::LIMIT),
    arrays: &[&[cells::AFFINE], POINTS],
    passes: &[&[
        passes::each("mls_mpm/point", PARTICLES),
        passes::each("mls_mpm/gather", BUSY_CELLS),
        passes::each("mls_mpm/update", PARTICLES),
    ]],
    quantities: super::QUANTITIES,
    solver: Some(Solver { family: &super::FAMILY, stages, step_share: 0.5, sph: None }),
    ..Method::new("mls_mpm", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, &["mls_mpm/point", "mls_mpm/gather"], "mls_mpm/update")
}
