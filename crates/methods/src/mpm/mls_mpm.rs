//! Hu et al. 2018: the moving least squares material point method.

use super::{DEFORMATION, NODE, POINTS, SORTED_DEFORMATION, STRESS};
use crate::{
    Axis, Corrected, Family, Method, Pressure, Scope, grid, passes,
    space::{BUSY_CELLS, EMITTER_POINTS, PARTICLES},
    stage::Entry,
};
use meniscus_scene::Kernel;

/// Affine transfers whose gradient is also the velocity's.
pub const METHOD: Method = Method {
    source: "Hu, Fang, Ge, Qu, Zhu, Pradhana, Jiang 2018",
    help: "material points: water, jelly, snow and sand on a grid, explicit",
    keys: super::KEYS,
    limit: Some(super::LIMIT),
    problems: Some(super::problems),
    warnings: Some(super::warnings),
    arrays: &grid::join::<_, { grid::ARRAYS.len() + 9 }>(
        &grid::ARRAYS,
        &[
            grid::AFFINE,
            DEFORMATION,
            STRESS,
            SORTED_DEFORMATION,
            POINTS[0],
            POINTS[1],
            POINTS[2],
            POINTS[3],
            NODE,
        ],
    ),
    passes: &grid::join::<_, { grid::PASSES.len() + 7 }>(
        &grid::PASSES,
        &[
            passes::each("mpm/emit", EMITTER_POINTS),
            passes::each("mpm/carry", PARTICLES),
            passes::each("mls_mpm/point", PARTICLES),
            passes::each("mls_mpm/gather", BUSY_CELLS),
            passes::each("mpm/move", BUSY_CELLS),
            passes::each("mls_mpm/update", PARTICLES),
            passes::each("mpm/deform", PARTICLES),
        ],
    ),
    quantities: super::QUANTITIES,
    pressure: Some(Pressure {
        family: Family::Mpm,
        // Densities are not corrected.
        corrected: Corrected::Density,
        stages,
        // Of the surface's mesh.
        kernel: Kernel::CubicSpline,
        first_drift: 0.0,
        // Passes find the fastest signal.
        sound: None,
        step_share: 0.5,
        needs_viscosity: false,
        usual_viscosity: |_| 0.0,
    }),
    ..Method::new("mls_mpm", Axis::Pressure)
};

fn stages(scope: &Scope) -> Vec<Entry> {
    super::stages(scope, &["mls_mpm/point", "mls_mpm/gather"], "mls_mpm/update")
}
