//! One row for each pass: the buffers that it may write, and their tolerances.

/// Comparison of a written buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_enums, reason = "the comparison matches on it")]
pub enum Match {
    /// Bit by bit: integers.
    Exact,
    /// |GPU − reference| ≤ tolerance · scale, with a scale for each element ([`crate::scale`]).
    Close(f64),
    /// Like `Close`, but elements that the reference leaves unchanged may be written again,
    /// rounded.
    Anew(f64),
    /// In order of atomic arrival: the same multiset of values within each cell.
    ByCell,
}

/// A row.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs, reason = "tests build it")]
pub struct Row {
    /// Name of the pass.
    pub pass: &'static str,
    /// (buffer, comparison) for each buffer that it writes; everything else must stay
    /// bit-identical.
    pub writes: &'static [(&'static str, Match)],
    /// Whether it writes Control.
    pub control: bool,
    /// Whether it is active at the end of a frame, rather than in a step.
    pub frame_end: bool,
    /// Share of elements that may take the other side of a branch because of rounding, at most 0.001.
    pub branches: f64,
}

const fn row(pass: &'static str, writes: &'static [(&'static str, Match)]) -> Row {
    Row { pass, writes, control: false, frame_end: false, branches: 0.0 }
}

const fn control(pass: &'static str, writes: &'static [(&'static str, Match)]) -> Row {
    Row { control: true, ..row(pass, writes) }
}

const fn forces(pass: &'static str) -> Row {
    row(pass, &[("acceleration", SUM)])
}

const fn reactions(pass: &'static str) -> Row {
    row(pass, &[("reaction", Close(2e-6))])
}

/// Upper bound on tolerances.
pub const CEILING: f64 = 4e-6;
/// Upper bound on [`Row::branches`].
pub const BRANCH_CEILING: f64 = 1e-3;

use Match::{Anew, ByCell, Close, Exact};

/// Least tolerance. Tolerances are about twice the largest error of software Vulkan (llvmpipe, LLVM
/// 15) in any world (`MENISCUS_ERRORS=1` prints all errors), and at least eight units in the last
/// place, since WGSL allows 2.5 for a division.
const ROUNDING: Match = Close(5e-7);

/// The same for sums over neighbours, whose largest error is 5e-7.
const SUM: Match = Close(1e-6);

/// Rows, in the order of the pass table.
pub const ROWS: &[Row] = &[
    Row { frame_end: true, ..control("time/begin_frame", &[]) },
    control("time/begin_step", &[]),
    control("emit/plan", &[("emitter_layers", Exact), ("emission", Exact)]),
    row("emit/points", &[("position", ROUNDING), ("velocity", ROUNDING), ("identity", Exact)]),
    row("emit/drain", &[("identity", Exact)]),
    row("body/begin", &[("bodies", SUM), ("body_force", Exact)]),
    row("integrate/drift", &[("position", ROUNDING)]),
    row("body/place", &[("position", ROUNDING), ("velocity", ROUNDING)]),
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
    row("sph/density", &[("density", SUM)]),
    row("muller/pressure", &[("sorted_position", ROUNDING), ("sorted_velocity", ROUNDING)]),
    row("wcsph/continuity", &[("density", SUM)]),
    row("wcsph/pressure", &[("sorted_position", ROUNDING), ("sorted_velocity", ROUNDING)]),
    // Each term alone, and combinations of the current methods.
    forces("sph/forces+pressure_muller"),
    forces("sph/forces+pressure_wcsph"),
    forces("sph/forces+viscosity_muller"),
    forces("sph/forces+viscosity_artificial"),
    forces("sph/forces+viscosity_xsph"),
    forces("sph/forces+tension_color_field"),
    row(
        "sph/forces+viscosity_muller+pressure_muller+tension_color_field",
        &[("acceleration", Close(2e-6))],
    ),
    row(
        concat!(
            "sph/forces+viscosity_muller+pressure_wcsph+tension_color_field",
            "+viscosity_artificial+viscosity_xsph"
        ),
        &[("acceleration", Close(2e-6))],
    ),
    row("integrate/fields", &[("acceleration", ROUNDING)]),
    control(
        "integrate/kick_drift",
        &[("position", ROUNDING), ("velocity", ROUNDING), ("identity", Exact)],
    ),
    control("integrate/kick", &[("sorted_velocity", ROUNDING)]),
    row("body/fall", &[("bodies", ROUNDING)]),
    row("body/fields", &[("bodies", ROUNDING)]),
    reactions("body/react+viscosity_muller+pressure_muller"),
    reactions("body/react+viscosity_artificial+viscosity_xsph+pressure_wcsph"),
    row("body/kick", &[("bodies", ROUNDING), ("body_force", ROUNDING)]),
    row("body/carry", &[("sorted_velocity", ROUNDING)]),
    row("sph/factor", &[("density", SUM), ("factor", Close(4e-6))]),
    row("sph/warm", &[("kappa", ROUNDING)]),
    row("sph/push", &[("sorted_velocity", SUM)]),
    row("sph/keep", &[("warm", ROUNDING), ("sorted_velocity", ROUNDING)]),
    row("pcisph/compression", &[("kappa", Close(3e-6)), ("residuals", Close(3e-6))]),
    row("dfsph/divergence", &[("kappa", SUM), ("residuals", SUM)]),
    row("sph/compression", &[("kappa", SUM), ("residuals", SUM)]),
    row("loop/residual", &[("residual", ROUNDING)]),
    row("sph/correct", &[("sorted_velocity", SUM), ("kappa_sum", ROUNDING)]),
    row("body/press", &[("reaction", ROUNDING)]),
    row("integrate/advance", &[("position", SUM), ("velocity", Exact), ("identity", Exact)]),
    row("body/near", &[("contact_other", Exact)]),
    row("body/contact", &[("contacts", SUM), ("contact_other", Exact)]),
    row("body/partners", &[("partners", Exact)]),
    row("body/impulse", &[("contacts", ROUNDING)]),
    row("body/apply", &[("bodies", ROUNDING), ("body_touches", Exact)]),
    row("body/touch", &[("contact_dispatch", Exact)]),
    // Bodies rotate by up to two radians, through five rotations: errors of 3.5e-7 on llvmpipe,
    // 8e-7 on SwiftShader.
    row("body/end", &[("bodies", Close(1.6e-6))]),
    // A particle within rounding of a wall may be moved onto it or not.
    Row { branches: 1e-3, ..row("solid/collide", &[("position", SUM), ("velocity", Close(2e-6))]) },
    control("check/limits", &[]),
    control("time/end_step", &[]),
    control("loop/begin", &[]),
    control("loop/test", &[]),
    control("loop/end", &[]),
    Row { frame_end: true, ..row("diagnostics/partial", &[("diagnostics_partial", ROUNDING)]) },
    Row { frame_end: true, ..row("diagnostics/total", &[("diagnostics", ROUNDING)]) },
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
    row("surface/shape", &[("smoothed_position", SUM), ("surface_shape", Close(2e-6))]),
    row("surface/field", &[("surface_field", Close(4e-6))]),
    row("surface/field_anisotropic", &[("surface_field", Close(4e-6))]),
    row(
        "surface/classify",
        &[("surface_nodes", Exact), ("tile_vertices", Exact), ("tile_triangles", Exact)],
    ),
    row("surface/cut", &[("tile_cut", Exact)]),
    row(
        "surface/draw",
        &[("surface_control", Exact), ("surface_dispatch", Exact), ("surface_draw", Exact)],
    ),
    row(
        "surface/cut_list",
        &[("cut_tiles", Exact), ("surface_control", Exact), ("surface_dispatch", Exact)],
    ),
    row("surface/vertices", &[("surface_position", ROUNDING), ("surface_normal", ROUNDING)]),
    row("surface/indices", &[("surface_index", Exact)]),
    row("surface/ring", &[("surface_ring", Exact)]),
    row("surface/smooth", &[("surface_smoothed", ROUNDING)]),
    row("surface/speed", &[("surface_position", SUM)]),
    row("surface/splat", &[("splat_position", Close(1.5e-6)), ("splat_normal", Close(1.5e-6))]),
    // Distances within rounding of the band's end, or of those known before, may be missed.
    Row { branches: 1e-3, ..row("solid/bake", &[("distances", Anew(5e-7))]) },
    row("solid/flood", &[("distances", ROUNDING)]),
];
