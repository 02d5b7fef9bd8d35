//! The array table: how long each buffer is, and whether it persists between steps.

use meniscus_model::{Setup, bake::Batch};

use crate::passes::{DIAGNOSTICS_BLOCKS, REDUCE_BLOCK};

/// What a buffer's length follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Slots for particles.
    Particles,
    /// Rows of cells along x, and one more.
    RowsAndOne,
    /// Clusters of particles from one row.
    Clusters,
    /// Clusters, and one more.
    ClustersAndOne,
    /// Workgroups of eight clusters.
    ClusterGroups,
    /// Entries of candidates for neighbours of all clusters.
    Neighbours,
    /// Two for each cell of the grid, and one more.
    BucketsAndOne,
    /// Blocks of the scan over cells, at this level above it.
    Totals(u32),
    /// Colliders of the scene.
    Colliders,
    /// Boundary particles of the scene.
    Walls,
    /// Distances of meshes on their grids.
    Distances,
    /// Drains of the scene.
    Drains,
    /// Emitters of the scene.
    Emitters,
    /// Points of all emitters' layers.
    EmitterPoints,
    /// Blocks of the diagnostics.
    Diagnostics,
    /// One element.
    One,
    /// So many elements.
    Fixed(u32),
    /// Cells of the grid.
    Cells,
    /// Tiles of the surface's blocks.
    SurfaceTiles,
    /// Nodes of the surface's blocks.
    SurfaceNodes,
    /// Vertices of the surface.
    SurfaceVertices,
    /// Indices of the surface's triangles.
    SurfaceIndices,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The WGSL variable's name.
    pub name: &'static str,
    /// What its length follows from.
    pub length: Length,
    /// Whether it is part of a State and of checkpoints.
    pub persistent: bool,
    /// Whether draws (or dispatches) take vertices, indices or arguments from it.
    pub drawn: bool,
}

const fn row(name: &'static str, length: Length) -> Row {
    Row { name, length, persistent: false, drawn: false }
}

const fn persistent(name: &'static str, length: Length) -> Row {
    Row { persistent: true, ..drawn(name, length) }
}

const fn drawn(name: &'static str, length: Length) -> Row {
    Row { drawn: true, ..row(name, length) }
}

/// Levels of block totals that a scan can need: 1,024⁴ elements are beyond any index.
pub const SCAN_LEVELS: u32 = 3;

/// Every buffer but `params`, `control` and `stage`.
pub const BUFFERS: &[Row] = &[
    persistent("position", Length::Particles),
    persistent("velocity", Length::Particles),
    persistent("identity", Length::Particles),
    persistent("emitter_layers", Length::Emitters),
    persistent("warm_divergence", Length::Particles),
    persistent("warm_density", Length::Particles),
    persistent("warm_pressure", Length::Particles),
    row("sorted_position", Length::Particles),
    row("sorted_velocity", Length::Particles),
    row("sorted_identity", Length::Particles),
    row("density", Length::Particles),
    row("acceleration", Length::Particles),
    row("factor", Length::Particles),
    row("kappa", Length::Particles),
    row("kappa_sum", Length::Particles),
    row("residuals", Length::ClusterGroups),
    row("cell_count", Length::BucketsAndOne),
    row("cell_start", Length::BucketsAndOne),
    row("row_clusters", Length::RowsAndOne),
    row("row_cluster_start", Length::RowsAndOne),
    row("clusters", Length::Clusters),
    row("neighbour_count", Length::ClustersAndOne),
    row("neighbour_start", Length::ClustersAndOne),
    row("neighbours", Length::Neighbours),
    row("totals_1", Length::Totals(1)),
    row("totals_2", Length::Totals(2)),
    row("totals_3", Length::Totals(3)),
    row("offsets_1", Length::Totals(1)),
    row("offsets_2", Length::Totals(2)),
    row("offsets_3", Length::Totals(3)),
    row("arrival", Length::Particles),
    row("binned", Length::Particles),
    row("order", Length::Particles),
    row("wall_slots", Length::Walls),
    row("colliders", Length::Colliders),
    persistent("bodies", Length::Colliders),
    row("motions", Length::Colliders),
    row("model_position", Length::Walls),
    row("reaction", Length::Walls),
    row("body_force", Length::Colliders),
    row("contacts", Length::Walls),
    row("contact_other", Length::Walls),
    row("partners", Length::Walls),
    row("body_touches", Length::Colliders),
    drawn("contact_dispatch", Length::Fixed(6)),
    row("distances", Length::Distances),
    row("distance_field", Length::One),
    row("field_boxes", Length::Fixed(Batch::MAX_BOXES)),
    row("field_triangles", Length::Fixed(Batch::MAX_TRIANGLES)),
    row("drains", Length::Drains),
    row("emitters", Length::Emitters),
    row("emitter_points", Length::EmitterPoints),
    row("emission", Length::Emitters),
    row("diagnostics_partial", Length::Diagnostics),
    row("diagnostics", Length::One),
    row("marching_cubes", Length::Fixed(256)),
    row("surface_control", Length::One),
    row("surface_outside", Length::One),
    row("surface_state", Length::Cells),
    row("surface_flag", Length::Cells),
    row("surface_block", Length::Cells),
    row("surface_tiles", Length::SurfaceTiles),
    drawn("surface_dispatch", Length::Fixed(12)),
    row("smoothed_position", Length::Particles),
    row("surface_shape", Length::Particles),
    row("surface_field", Length::SurfaceNodes),
    row("surface_nodes", Length::SurfaceNodes),
    row("tile_vertices", Length::SurfaceTiles),
    row("tile_vertex_start", Length::SurfaceTiles),
    row("tile_triangles", Length::SurfaceTiles),
    row("tile_triangle_start", Length::SurfaceTiles),
    drawn("surface_position", Length::SurfaceVertices),
    drawn("surface_normal", Length::SurfaceVertices),
    drawn("surface_index", Length::SurfaceIndices),
    drawn("surface_draw", Length::Fixed(5)),
    row("surface_ring", Length::SurfaceVertices),
    row("surface_smoothed", Length::SurfaceVertices),
    row("taubin_shrink", Length::One),
    row("taubin_inflate", Length::One),
    drawn("splat_position", Length::Particles),
    drawn("splat_normal", Length::Particles),
];

/// The row of a buffer.
#[must_use]
pub fn find(name: &str) -> Option<Row> {
    BUFFERS.iter().copied().find(|row| row.name == name)
}

/// The numbers that lengths follow from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "tests build it")]
pub struct Sizes {
    /// Slots for particles.
    pub particles: u32,
    /// Those of them that fluid may have.
    pub fluid: u32,
    /// Cells of the grid.
    pub cells: u32,
    /// Rows of cells along x.
    pub rows: u32,
    /// Entries of candidates for neighbours, of all clusters.
    pub neighbours: u32,
    /// Colliders of the scene.
    pub colliders: u32,
    /// Boundary particles of the scene.
    pub walls: u32,
    /// Distances of meshes on their grids.
    pub distances: u32,
    /// Drains of the scene.
    pub drains: u32,
    /// Emitters of the scene.
    pub emitters: u32,
    /// Points of all emitters' layers.
    pub emitter_points: u32,
    /// Blocks that the surface may have.
    pub surface_blocks: u32,
    /// Tiles of one block.
    pub tiles_per_block: u32,
    /// Vertices that the surface may have.
    pub surface_vertices: u32,
    /// Indices that the surface may have.
    pub surface_indices: u32,
}

/// Particles of a cluster.
pub const CLUSTER: u32 = 8;
/// Entries of candidates, 32 slots each, that a simulation begins with, per particle: about what fluid
/// at rest needs.
const FIRST_NEIGHBOURS: u32 = 3;

/// Nodes of one tile of the surface.
pub const TILE_NODES: u32 = 64;

impl Sizes {
    /// What a scene's buffers need; nothing for its surface.
    #[must_use]
    pub fn of(setup: &Setup) -> Self {
        let fluid = setup.params.counts.capacity - setup.params.counts.walls;
        Self {
            particles: setup.params.counts.capacity,
            fluid,
            cells: setup.params.grid.cell_count,
            rows: setup.params.grid.cell_count / setup.params.grid.size.x.max(1),
            neighbours: fluid.saturating_mul(FIRST_NEIGHBOURS),
            colliders: setup.colliders.len() as u32,
            walls: setup.model_position.len() as u32,
            distances: setup.distance_count(),
            drains: setup.drains.len() as u32,
            emitters: setup.emitters.len() as u32,
            emitter_points: setup.emitter_points.len() as u32,
            ..Self::default()
        }
    }

    /// Elements of a buffer: at least one, since WebGPU knows no empty bindings.
    #[must_use]
    pub fn elements(&self, length: Length) -> u32 {
        let elements = match length {
            Length::Particles => self.particles,
            Length::RowsAndOne => self.rows + 1,
            Length::Clusters => self.clusters(),
            Length::ClustersAndOne => self.clusters() + 1,
            Length::ClusterGroups => (CLUSTER * self.clusters()).div_ceil(64),
            Length::Neighbours => self.neighbours,
            Length::BucketsAndOne => 2 * self.cells + 1,
            Length::Totals(level) => {
                blocks((2 * self.cells + 1).max(self.tiles()).max(self.clusters() + 1), level)
            }
            Length::Colliders => self.colliders,
            Length::Walls => self.walls,
            Length::Distances => self.distances,
            Length::Drains => self.drains,
            Length::Emitters => self.emitters,
            Length::EmitterPoints => self.emitter_points,
            Length::Diagnostics => DIAGNOSTICS_BLOCKS,
            Length::One => 1,
            Length::Fixed(count) => count,
            Length::Cells => self.cells,
            Length::SurfaceTiles => self.tiles(),
            Length::SurfaceNodes => self.tiles() * TILE_NODES,
            Length::SurfaceVertices => self.surface_vertices,
            Length::SurfaceIndices => self.surface_indices,
        };
        elements.max(1)
    }

    /// Clusters that the fluid may make: each row may have one that is not full.
    #[must_use]
    pub fn clusters(&self) -> u32 {
        self.fluid.min(self.fluid.div_ceil(CLUSTER).saturating_add(self.rows)).max(1)
    }

    /// Tiles that the surface may have.
    #[must_use]
    pub fn tiles(&self) -> u32 {
        self.surface_blocks * self.tiles_per_block
    }
}

/// Blocks that `elements` make, `level` levels up.
#[must_use]
pub fn blocks(elements: u32, level: u32) -> u32 {
    (0..level).fold(elements, |count, _| count.div_ceil(REDUCE_BLOCK))
}
