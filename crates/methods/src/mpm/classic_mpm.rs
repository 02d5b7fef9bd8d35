//! Sulsky, Chen, Schreyer 1994; Stomakhin et al. 2013: the material point method in its ten steps.

use crate::{
    Axis, Key, Method, Number, Scope, Solver,
    arrays::Row,
    grid::cells,
    passes,
    space::{BUSY_CELLS, CELLS, PARTICLES},
    stage::Entry,
};

/// Velocity in m/s of each node before its forces, and its mass in kg.
const BEFORE: Row = Row::new("node_before", "vec4<f32>", CELLS);

/// Forces by gradients of the weights, and a blend of the grid's velocities (PIC) and of their change (FLIP).
pub const METHOD: Method = Method {
    source: "Sulsky, Chen, Schreyer 1994; Stomakhin et al. 2013",
    help: "material points on a grid, explicit, in the classic ten steps: a blend of PIC and FLIP",
    keys: &[&[Key::number(
        "blend",
        [0.0, 1.0],
        0.95,
        "α of \"classic_mpm\": share of the particles' own velocities; the rest is the grid's. 1 is noisy, less damps what moves.",
    )]],
    numbers: &[Number::new("blend", "α", |context| context.number("mpm.blend"))],
    limit: Some(super::LIMIT),
    arrays: &[&[cells::AFFINE], super::POINTS, &[BEFORE]],
    passes: &[&[
        passes::each("classic_mpm/point", PARTICLES),
        passes::each("classic_mpm/gather", BUSY_CELLS),
        passes::each("classic_mpm/keep", PARTICLES),
        passes::each("classic_mpm/update", PARTICLES),
    ]],
    quantities: super::QUANTITIES,
    solver: Some(Solver { family: &super::FAMILY, stages, step_share: 0.5, sph: None }),
    ..Method::new("classic_mpm", Axis::Solver)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(
        scope,
        &["classic_mpm/point", "classic_mpm/gather", "classic_mpm/keep"],
        "classic_mpm/update",
    )
}
