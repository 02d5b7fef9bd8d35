//! The pass table: for each WGSL file, what the shader itself cannot say.

/// How many invocations a pass needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invocations {
    /// One workgroup.
    One,
    /// One per particle slot.
    Particles,
    /// Eight per cluster of particles.
    Members,
    /// One per point of the emitters' layers.
    EmitterPoints,
    /// One per collider.
    Colliders,
    /// One per element of the stage's own count.
    Elements,
    /// One workgroup per block of 1,024 elements of the stage's own count.
    Blocks,
    /// The 256 workgroups of the diagnostics.
    Diagnostics,
    /// As many workgroups as the GPU wrote into `surface_dispatch`, from this byte on: for the
    /// surface's field, its tiles before it is known whether all of the mesh fits, its tiles after
    /// that, its vertices.
    Surface(u64),
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The file's name below `wgsl/`, without extension.
    pub name: &'static str,
    /// How many invocations it needs.
    pub invocations: Invocations,
}

const fn row(name: &'static str, invocations: Invocations) -> Pass {
    Pass { name, invocations }
}

/// Elements that one workgroup of a reduction handles.
pub const REDUCE_BLOCK: u32 = 1024;
/// Workgroups of `diagnostics/partial`.
pub const DIAGNOSTICS_BLOCKS: u32 = 256;

/// Workgroups in a row of an indirect dispatch (`wgsl/common/surface.wgsl`).
pub const INDIRECT_ROW: u32 = 64;

use Invocations::{
    Blocks, Colliders, Diagnostics, Elements, EmitterPoints, Members, One, Particles, Surface,
};

/// Tiles of the surface that a workgroup of `surface/field` handles.
pub const FIELD_TILES: u32 = 4;
const FIELD: Invocations = Surface(0);
const TILES: Invocations = Surface(12);
const TILES_THAT_FIT: Invocations = Surface(24);
const VERTICES: Invocations = Surface(VERTICES_AT);
/// Where the workgroups of passes over the surface's vertices stand.
pub const VERTICES_AT: u64 = 36;

/// Every pass, in the order in which a step meets them; those of the surface come between steps,
/// the last two before the first one.
pub const PASSES: &[Pass] = &[
    row("time/begin_frame", One),
    row("time/begin_step", One),
    row("emit/plan", One),
    row("emit/points", EmitterPoints),
    row("emit/drain", Particles),
    row("body/begin", Colliders),
    row("integrate/drift", Particles),
    row("body/place", Particles),
    row("reduce/clear", Elements),
    row("sort/count", Particles),
    row("reduce/sum", Blocks),
    row("reduce/scan", Blocks),
    row("sort/bin", Particles),
    row("sort/rank", Particles),
    row("sort/live", One),
    row("sort/reorder", Particles),
    row("neighbours/rows", Elements),
    row("neighbours/count", Elements),
    row("neighbours/room", One),
    row("neighbours/list", Elements),
    row("sph/density", Members),
    row("muller/pressure", Particles),
    row("wcsph/continuity", Members),
    row("wcsph/pressure", Particles),
    row("sph/forces", Members),
    row("integrate/fields", Particles),
    row("integrate/kick_drift", Particles),
    row("integrate/kick", Particles),
    row("body/fall", Colliders),
    row("body/fields", Colliders),
    row("body/react", Elements),
    row("body/kick", Elements),
    row("body/carry", Elements),
    row("sph/factor", Members),
    row("sph/warm", Particles),
    row("sph/push", Members),
    row("sph/compression", Members),
    row("pcisph/compression", Members),
    row("dfsph/divergence", Members),
    row("loop/residual", One),
    row("sph/correct", Members),
    row("sph/keep", Particles),
    row("body/press", Elements),
    row("integrate/advance", Particles),
    row("body/near", Elements),
    row("body/contact", Elements),
    row("body/partners", Elements),
    row("body/impulse", Elements),
    row("body/apply", Elements),
    row("body/touch", One),
    row("body/end", Colliders),
    row("solid/collide", Particles),
    row("check/limits", Particles),
    row("time/end_step", One),
    row("loop/begin", One),
    row("loop/test", One),
    row("loop/end", One),
    row("diagnostics/partial", Diagnostics),
    row("diagnostics/total", One),
    row("surface/volume", Particles),
    row("surface/mark", Elements),
    row("surface/touch", Elements),
    row("surface/list", Elements),
    row("surface/shape", Particles),
    row("surface/field", FIELD),
    row("surface/field_anisotropic", FIELD),
    row("surface/classify", TILES),
    row("surface/draw", One),
    row("surface/vertices", TILES_THAT_FIT),
    row("surface/indices", TILES_THAT_FIT),
    row("surface/ring", TILES_THAT_FIT),
    row("surface/smooth", VERTICES),
    row("surface/speed", VERTICES),
    row("surface/splat", Particles),
    row("solid/bake", Elements),
    row("solid/flood", Elements),
];

/// The row of a pass; one with terms (`sph/forces+viscosity_muller`) has that of its file.
#[must_use]
pub fn find(name: &str) -> Option<Pass> {
    let file = name.split('+').next();
    PASSES.iter().copied().find(|pass| Some(pass.name) == file)
}
