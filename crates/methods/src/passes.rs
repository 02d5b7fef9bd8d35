//! The pass table: properties of each WGSL file that the shader itself does not state.

use meniscus_shared::shared_constants;

use crate::space::{
    BODY_LANES, BODY_PARTICLES, CELLS, CLUSTERS, COLLIDERS, CUT_TILES, EMITTER_POINTS, Extent,
    FIELD_GROUPS, FIELD_NODES, FIELD_ROWS, FLUID, FREE_BODY_PARTICLES, MEMBERS, ONE,
    OPENING_POINTS, PARTICLES, QUERY, ROWS, SPAWN, STOP_SUMS, TILE_SLOTS, TILES, VERTICES,
};

/// Distribution of a pass's elements to workgroups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "the host does every kind")]
pub enum Grain {
    /// One invocation per element.
    Each,
    /// One workgroup for this many elements.
    Group(u32),
    /// One workgroup for all elements.
    Single,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs, reason = "tests and methods build it")]
pub struct Pass {
    /// Name of the file below `wgsl/`, without extension.
    pub name: &'static str,
    /// Number of elements, if all stages of the pass have the same; `stage.element_count`.
    pub extent: Option<Extent>,
    /// Distribution to workgroups.
    pub grain: Grain,
}

/// A pass with an invocation per element.
#[must_use]
pub const fn each(name: &'static str, extent: Extent) -> Pass {
    Pass { name, extent: Some(extent), grain: Grain::Each }
}

/// A pass of `size` workgroups for each element.
#[must_use]
pub const fn groups(name: &'static str, size: u32, extent: Extent) -> Pass {
    Pass { name, extent: Some(extent), grain: Grain::Group(size) }
}

/// A pass of one workgroup for all elements.
#[must_use]
pub const fn single(name: &'static str, extent: Extent) -> Pass {
    Pass { name, extent: Some(extent), grain: Grain::Single }
}

/// A pass whose stages state the number of elements.
pub(crate) const fn generic(name: &'static str, grain: Grain) -> Pass {
    Pass { name, extent: None, grain }
}

shared_constants! {
    blocks {
        /// Elements that one workgroup of a reduction handles: blocks of cells and clusters of a small scene are one.
        REDUCE_BLOCK: u32 = 4096;
        /// Workgroups of `diagnostics/partial`.
        DIAGNOSTICS_BLOCKS: u32 = 256;
        /// Workgroups in a row of an indirect dispatch, which all of them are folded into.
        INDIRECT_ROW: u32 = 64;
        /// Targets of the program that the steps may be behind.
        TARGETS: u32 = 1024;
        /// Most iterative loops in a step.
        LOOPS: u32 = 4;
        /// Numbers that are kept of each loop of the last step: its iterations, and the residuals of the first ones.
        RESIDUALS: u32 = 128;
        /// A level in m where there is none.
        NO_LEVEL: f32 = 1e30;
        /// Tiles of the surface that a workgroup of `surface/field` handles.
        FIELD_TILES: u32 = 4;
        /// Nodes of one tile of the surface.
        TILE_NODES: u32 = 64;
    }
}

/// All passes, in the order of a step; those of the surface run between steps, the last two before
/// the first one.
pub const PASSES: &[Pass] = &[
    single("time/begin_frame", ONE),
    single("time/begin_step", ONE),
    single("body/begin", COLLIDERS),
    single("emit/plan", ONE),
    each("emit/points", EMITTER_POINTS),
    each("emit/clear", EMITTER_POINTS),
    each("emit/drain", PARTICLES),
    each("emit/drive", PARTICLES),
    each("emit/hold", PARTICLES),
    each("emit/grow", PARTICLES),
    each("emit/grown", PARTICLES),
    each("spawn/free", SPAWN.and_one()),
    each("spawn/clear", PARTICLES),
    each("spawn/points", SPAWN),
    single("spawn/count", SPAWN.and_one()),
    each("remove/mark", PARTICLES.and_one()),
    each("remove/slots", PARTICLES),
    each("remove/fill", PARTICLES),
    each("remove/kept", PARTICLES),
    single("remove/count", PARTICLES.and_one()),
    single("body/put", ONE),
    each("query/flow", QUERY),
    groups("query/level", 1, QUERY),
    single("opening/flow", ONE),
    each("opening/due", OPENING_POINTS.and_one()),
    each("opening/points", OPENING_POINTS),
    each("opening/clear", OPENING_POINTS),
    single("opening/count", ONE),
    each("opening/leave", PARTICLES),
    each("opening/head", PARTICLES),
    each("opening/drive", PARTICLES),
    each("opening/hold", PARTICLES),
    each("integrate/drift", PARTICLES),
    each("integrate/settle", PARTICLES),
    each("body/place", PARTICLES),
    generic("reduce/clear", Grain::Each),
    each("sort/count", PARTICLES),
    generic("reduce/sum", Grain::Group(REDUCE_BLOCK)),
    generic("reduce/scan", Grain::Group(REDUCE_BLOCK)),
    each("sort/bin", PARTICLES),
    each("sort/rank", PARTICLES),
    single("sort/live", ONE),
    each("sort/reorder", PARTICLES),
    each("solid/volume", FLUID),
    each("neighbours/rows", ROWS.and_one()),
    each("neighbours/count", CLUSTERS.and_one()),
    single("neighbours/room", CLUSTERS.and_one()),
    each("neighbours/list", CLUSTERS.and_one()),
    each("sph/density", MEMBERS),
    each("sph/forces", MEMBERS),
    each("integrate/fields", FLUID),
    each("integrate/kick_drift", PARTICLES),
    each("integrate/kick", FLUID),
    each("body/fall", COLLIDERS),
    each("body/fields", COLLIDERS),
    each("body/react", BODY_PARTICLES),
    each("body/kick", BODY_LANES),
    each("body/carry", FREE_BODY_PARTICLES),
    each("integrate/advance", PARTICLES),
    each("body/near", FREE_BODY_PARTICLES),
    each("body/contact", FREE_BODY_PARTICLES),
    each("body/manifold", BODY_LANES),
    single("body/solve", ONE),
    each("body/end", COLLIDERS),
    each("solid/collide", PARTICLES),
    each("solid/stop", STOP_SUMS),
    each("body/stop", BODY_LANES),
    each("check/limits", PARTICLES),
    single("time/end_step", ONE),
    single("loop/test", ONE),
    groups("diagnostics/partial", 1, ONE.times(DIAGNOSTICS_BLOCKS)),
    single("diagnostics/total", ONE),
    each("surface/volume", FLUID),
    each("surface/mark", CELLS),
    each("surface/touch", CELLS),
    each("surface/list", CELLS),
    each("surface/shape", PARTICLES),
    groups("surface/field", FIELD_TILES, FIELD_GROUPS),
    groups("surface/field_anisotropic", FIELD_TILES, FIELD_GROUPS),
    groups("surface/classify", 1, TILES),
    each("surface/cut", TILE_SLOTS),
    single("surface/draw", ONE),
    each("surface/cut_list", TILE_SLOTS),
    groups("surface/vertices", 1, CUT_TILES),
    groups("surface/indices", 1, CUT_TILES),
    groups("surface/ring", 1, CUT_TILES),
    each("surface/smooth", VERTICES),
    each("surface/velocity", VERTICES),
    each("surface/splat", PARTICLES),
    each("solid/bake", FIELD_NODES),
    each("solid/flood", FIELD_ROWS),
];

/// Row of a pass; a pass with terms (`sph/forces+viscosity_muller`) has the row of its file.
#[must_use]
pub fn find(name: &str) -> Option<Pass> {
    let file = name.split('+').next();
    PASSES.iter().copied().find(|pass| Some(pass.name) == file)
}
