//! The array table: how long each array is, and whether it persists between steps.

use meniscus_model::bake::Batch;

use crate::{
    passes::{DIAGNOSTICS_BLOCKS, REDUCE_BLOCK},
    space::{
        BUCKETS, CELLS, CLUSTER_GROUPS, CLUSTERS, COLLIDERS, DISTANCES, DRAINS, EMITTER_POINTS,
        EMITTERS, Extent, INDICES, NEIGHBOURS, ONE, PARTICLES, ROWS, SCANNED, TILES, VERTICES,
        WALLS,
    },
};

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The WGSL variable's name.
    pub name: &'static str,
    /// Number of elements; an array of none gets one, since WebGPU knows no empty bindings.
    pub extent: Extent,
    /// Whether it is part of a State and of checkpoints.
    pub persistent: bool,
    /// Whether draws (or dispatches) take vertices, indices or arguments from it.
    pub drawn: bool,
}

const fn row(name: &'static str, extent: Extent) -> Row {
    Row { name, extent, persistent: false, drawn: false }
}

const fn persistent(name: &'static str, extent: Extent) -> Row {
    Row { persistent: true, ..drawn(name, extent) }
}

const fn drawn(name: &'static str, extent: Extent) -> Row {
    Row { drawn: true, ..row(name, extent) }
}

/// Levels of block totals that a scan can need: 1,024⁴ elements are beyond any index.
pub const SCAN_LEVELS: u32 = 3;

/// Every array but `params`, `control` and `stage`.
pub const ARRAYS: &[Row] = &[
    persistent("position", PARTICLES),
    persistent("velocity", PARTICLES),
    persistent("identity", PARTICLES),
    persistent("emitter_layers", EMITTERS),
    persistent("warm_divergence", PARTICLES),
    persistent("warm_density", PARTICLES),
    persistent("warm_pressure", PARTICLES),
    row("sorted_position", PARTICLES),
    row("sorted_velocity", PARTICLES),
    row("sorted_identity", PARTICLES),
    row("density", PARTICLES),
    row("acceleration", PARTICLES),
    row("factor", PARTICLES),
    row("kappa", PARTICLES),
    row("kappa_sum", PARTICLES),
    row("residuals", CLUSTER_GROUPS),
    row("pressure_residual", ONE),
    row("divergence_residual", ONE),
    row("density_residual", ONE),
    row("cell_count", BUCKETS),
    row("cell_start", BUCKETS),
    row("row_clusters", ROWS.and_one()),
    row("row_cluster_start", ROWS.and_one()),
    row("clusters", CLUSTERS),
    row("neighbour_count", CLUSTERS.and_one()),
    row("neighbour_start", CLUSTERS.and_one()),
    row("neighbours", NEIGHBOURS),
    row("totals_1", SCANNED.per(REDUCE_BLOCK.pow(1))),
    row("totals_2", SCANNED.per(REDUCE_BLOCK.pow(2))),
    row("totals_3", SCANNED.per(REDUCE_BLOCK.pow(3))),
    row("offsets_1", SCANNED.per(REDUCE_BLOCK.pow(1))),
    row("offsets_2", SCANNED.per(REDUCE_BLOCK.pow(2))),
    row("offsets_3", SCANNED.per(REDUCE_BLOCK.pow(3))),
    row("arrival", PARTICLES),
    row("binned", PARTICLES),
    row("order", PARTICLES),
    row("wall_slots", WALLS),
    row("colliders", COLLIDERS),
    persistent("bodies", COLLIDERS),
    row("motions", COLLIDERS),
    row("model_position", WALLS),
    row("reaction", WALLS),
    row("body_force", COLLIDERS),
    row("contacts", WALLS),
    row("contact_other", WALLS),
    row("partners", WALLS),
    row("body_touches", COLLIDERS),
    drawn("contact_dispatch", ONE.times(6)),
    row("distances", DISTANCES),
    row("distance_field", ONE),
    row("field_boxes", ONE.times(Batch::MAX_BOXES)),
    row("field_triangles", ONE.times(Batch::MAX_TRIANGLES)),
    row("drains", DRAINS),
    row("emitters", EMITTERS),
    row("emitter_points", EMITTER_POINTS),
    row("emission", EMITTERS),
    row("diagnostics_partial", ONE.times(DIAGNOSTICS_BLOCKS)),
    row("diagnostics", ONE),
    row("marching_cubes", ONE.times(256)),
    row("surface_control", ONE),
    row("surface_outside", ONE),
    row("surface_state", CELLS),
    row("surface_flag", CELLS),
    row("surface_block", CELLS),
    row("surface_tiles", TILES),
    drawn("surface_dispatch", ONE.times(12)),
    row("smoothed_position", PARTICLES),
    row("surface_shape", PARTICLES),
    row("surface_field", TILES.times(TILE_NODES)),
    row("surface_nodes", TILES.times(TILE_NODES)),
    row("tile_vertices", TILES),
    row("tile_vertex_start", TILES),
    row("tile_triangles", TILES),
    row("tile_triangle_start", TILES),
    drawn("surface_position", VERTICES),
    drawn("surface_normal", VERTICES),
    drawn("surface_index", INDICES),
    drawn("surface_draw", ONE.times(5)),
    row("surface_ring", VERTICES),
    row("surface_smoothed", VERTICES),
    row("taubin_shrink", ONE),
    row("taubin_inflate", ONE),
    drawn("splat_position", PARTICLES),
    drawn("splat_normal", PARTICLES),
];

/// The row of an array.
#[must_use]
pub fn find(name: &str) -> Option<Row> {
    ARRAYS.iter().copied().find(|row| row.name == name)
}

/// Nodes of one tile of the surface.
pub const TILE_NODES: u32 = 64;
