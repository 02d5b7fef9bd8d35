//! One row for each pass: the buffers that it may write, and how exactly they must match.

/// How a written buffer is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "the comparison matches on it")]
pub enum Match {
    /// Bit by bit: integers.
    Exact,
    /// |GPU − reference| ≤ tolerance · (largest magnitude of that component in the buffer).
    Close(f64),
    /// Like `Close`, but x, y and z are the direction of a vector whose length is the w lane of this
    /// other buffer: vectors are compared, since short ones have no certain direction.
    Direction(f64, &'static str),
    /// In order of atomic arrival: the same multiset of values within each cell.
    ByCell,
}

/// A row.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "tests build it")]
pub struct Row {
    /// Name of the pass.
    pub pass: &'static str,
    /// (buffer, how) for each buffer that it writes; everything else must stay bit-identical.
    pub writes: &'static [(&'static str, Match)],
    /// Whether it writes Control.
    pub control: bool,
    /// Whether it is active at the end of a frame, rather than in a step.
    pub frame_end: bool,
    /// Share of elements that may take the other side of a branch within rounding, at most 0.001.
    pub branches: f64,
}

const fn row(pass: &'static str, writes: &'static [(&'static str, Match)]) -> Row {
    Row { pass, writes, control: false, frame_end: false, branches: 0.0 }
}

const fn control(pass: &'static str, writes: &'static [(&'static str, Match)]) -> Row {
    Row { control: true, ..row(pass, writes) }
}

const fn forces(pass: &'static str) -> Row {
    row(pass, &[("acceleration", Close(1e-5))])
}

/// No tolerance may be larger than this.
pub const CEILING: f64 = 2e-5;
/// No row may excuse a larger share of its elements.
pub const BRANCH_CEILING: f64 = 1e-3;

use Match::{ByCell, Close, Direction, Exact};

/// f32 rounding of a few operations.
const ROUNDING: Match = Close(5e-7);

/// The same for positions that are brought back from several periods away.
const FAR: Match = Close(2e-6);

/// The rows, in the order of the pass table.
pub const ROWS: &[Row] = &[
    Row { frame_end: true, ..control("time/begin_frame", &[]) },
    control("time/begin_step", &[]),
    control("emit/plan", &[("emitter_layers", Exact), ("emission", Exact)]),
    row("emit/points", &[("position", ROUNDING), ("velocity", ROUNDING), ("identity", Exact)]),
    Row { branches: 1e-3, ..row("emit/drain", &[("identity", Exact)]) },
    row("body/begin", &[("bodies", Close(2e-6)), ("body_force", Exact)]),
    row("integrate/drift", &[("position", FAR)]),
    row("body/place", &[("position", FAR), ("velocity", Close(2e-6))]),
    row("reduce/clear", &[("values", Exact)]),
    row("sort/count", &[("cell_count", Exact), ("arrival", ByCell)]),
    row("reduce/sum", &[("totals", Exact)]),
    row("reduce/scan", &[("scanned", Exact)]),
    row("sort/bin", &[("binned", Exact)]),
    row("sort/rank", &[("order", Exact), ("wall_slots", Exact)]),
    control("sort/live", &[]),
    row(
        "sort/reorder",
        &[("sorted_position", Exact), ("sorted_velocity", Exact), ("sorted_identity", Exact)],
    ),
    row("neighbours/rows", &[("row_clusters", Exact)]),
    row("neighbours/count", &[("neighbour_count", Exact)]),
    control("neighbours/room", &[]),
    row("neighbours/list", &[("clusters", Exact), ("neighbours", Exact)]),
    row("sph/density", &[("density", Close(2e-6))]),
    row("muller/pressure", &[("sorted_position", ROUNDING), ("sorted_velocity", ROUNDING)]),
    row("wcsph/continuity", &[("density", Close(2e-6))]),
    row("wcsph/pressure", &[("sorted_position", ROUNDING), ("sorted_velocity", Close(1e-5))]),
    // Each term alone, and those of today's methods together. Sums of some thirty parts that cancel: a few
    // units of the largest part's last place.
    forces("sph/forces+pressure_muller"),
    forces("sph/forces+pressure_wcsph"),
    forces("sph/forces+viscosity_muller"),
    forces("sph/forces+viscosity_artificial"),
    forces("sph/forces+viscosity_xsph"),
    Row { branches: 1e-3, ..forces("sph/forces+tension_color_field") },
    Row {
        branches: 1e-3,
        ..forces("sph/forces+viscosity_muller+pressure_muller+tension_color_field")
    },
    Row {
        branches: 1e-3,
        ..forces(concat!(
            "sph/forces+viscosity_muller+pressure_wcsph+tension_color_field",
            "+viscosity_artificial+viscosity_xsph"
        ))
    },
    row("integrate/fields", &[("acceleration", Close(1e-5))]),
    control(
        "integrate/kick_drift",
        &[("position", FAR), ("velocity", ROUNDING), ("identity", Exact)],
    ),
    control("integrate/kick", &[("sorted_velocity", ROUNDING)]),
    row("body/fall", &[("bodies", Close(2e-6))]),
    row("body/fields", &[("bodies", Close(2e-6))]),
    row("body/react", &[("reaction", Close(1e-5))]),
    row("body/kick", &[("bodies", Close(1e-5)), ("body_force", Close(1e-5))]),
    row("body/carry", &[("sorted_velocity", Close(2e-6))]),
    // The largest belong to particles whose few neighbours are nearly h away, where ∇W vanishes and its
    // rounding does not.
    row("sph/factor", &[("factor", Close(1e-5))]),
    row("sph/warm", &[("kappa", ROUNDING)]),
    row("sph/push", &[("sorted_velocity", Close(1e-5))]),
    row("sph/keep", &[("warm", ROUNDING), ("sorted_velocity", ROUNDING)]),
    row("pcisph/compression", &[("kappa", Close(1e-5)), ("residuals", Close(1e-5))]),
    row("dfsph/divergence", &[("kappa", Close(1e-5)), ("residuals", Close(1e-5))]),
    row("sph/compression", &[("kappa", Close(1e-5)), ("residuals", Close(1e-5))]),
    row("loop/residual", &[("residual", ROUNDING)]),
    row("sph/correct", &[("sorted_velocity", Close(1e-5)), ("kappa_sum", ROUNDING)]),
    row("body/press", &[("reaction", Close(1e-5))]),
    row("integrate/advance", &[("position", FAR), ("velocity", Exact), ("identity", Exact)]),
    // Which particle or solid is nearest may be within rounding of another's distance.
    Row { branches: 1e-3, ..row("body/near", &[("contact_other", Exact)]) },
    Row {
        branches: 1e-3,
        ..row("body/contact", &[("contacts", Close(2e-6)), ("contact_other", Exact)])
    },
    row("body/partners", &[("partners", Exact)]),
    row("body/impulse", &[("contacts", Close(1e-5))]),
    row("body/apply", &[("bodies", Close(1e-5)), ("body_touches", Exact)]),
    row("body/touch", &[("contact_dispatch", Exact)]),
    // Bodies that turn by up to two radians, through five rotations: 3.5e-7 on llvmpipe, 8e-7 on SwiftShader.
    row("body/end", &[("bodies", Close(1.6e-6))]),
    // A spring that pushes is followed by what stops, and by other solids.
    Row {
        branches: 1e-3,
        ..row("solid/collide", &[("position", Close(2e-6)), ("velocity", Close(5e-6))])
    },
    control("check/limits", &[]),
    control("time/end_step", &[]),
    control("loop/begin", &[]),
    control("loop/test", &[]),
    control("loop/end", &[]),
    Row { frame_end: true, ..row("diagnostics/partial", &[("diagnostics_partial", Close(2e-6))]) },
    Row { frame_end: true, ..row("diagnostics/total", &[("diagnostics", Close(2e-6))]) },
    row("surface/volume", &[("sorted_position", ROUNDING)]),
    row("surface/mark", &[("surface_outside", Exact), ("surface_state", Exact)]),
    row("surface/touch", &[("surface_flag", Exact)]),
    row(
        "surface/list",
        &[
            ("surface_block", Exact),
            ("surface_tiles", Exact),
            ("surface_control", Exact),
            ("surface_dispatch", Exact),
        ],
    ),
    // The sixth neighbour of some particle may be within rounding of h away.
    Row {
        branches: 1e-3,
        ..row("surface/shape", &[("smoothed_position", ROUNDING), ("surface_shape", Close(1e-5))])
    },
    row("surface/field", &[("surface_field", Close(2e-6))]),
    row("surface/field_anisotropic", &[("surface_field", Close(1e-5))]),
    row(
        "surface/classify",
        &[("surface_nodes", Exact), ("tile_vertices", Exact), ("tile_triangles", Exact)],
    ),
    row(
        "surface/draw",
        &[("surface_control", Exact), ("surface_dispatch", Exact), ("surface_draw", Exact)],
    ),
    // Normals are of length 1, of differences and sums that may nearly cancel.
    row("surface/vertices", &[("surface_position", ROUNDING), ("surface_normal", Close(1e-5))]),
    row("surface/indices", &[("surface_index", Exact)]),
    row("surface/ring", &[("surface_ring", Exact)]),
    row("surface/smooth", &[("surface_smoothed", ROUNDING)]),
    // Where all particles near are within rounding of h away, so are their weights of 0.
    Row { branches: 1e-3, ..row("surface/speed", &[("surface_position", Close(1e-5))]) },
    row(
        "surface/splat",
        &[("splat_position", Close(2e-6)), ("splat_normal", Direction(2e-6, "splat_position"))],
    ),
    // What is within rounding of the band's end, or of what was known, may not be found.
    Row { branches: 1e-3, ..row("solid/bake", &[("distances", ROUNDING)]) },
    row("solid/flood", &[("distances", ROUNDING)]),
];
