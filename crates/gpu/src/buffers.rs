//! The buffer table: how long each buffer is, and whether it persists between steps.

use crate::passes::{DIAGNOSTICS_BLOCKS, REDUCE_BLOCK};

/// What a buffer's length follows from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Slots for particles.
    Particles,
    /// Cells of the grid, and one more.
    CellsAndOne,
    /// Blocks of the scan over cells, at this level above it.
    Totals(u32),
    /// Colliders of the scene.
    Colliders,
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
}

const fn row(name: &'static str, length: Length) -> Row {
    Row { name, length, persistent: false }
}

const fn persistent(name: &'static str, length: Length) -> Row {
    Row { name, length, persistent: true }
}

/// Levels of block totals that a scan can need: 1,024⁴ elements are beyond any index.
pub const SCAN_LEVELS: u32 = 3;

/// Every buffer but `params`, `control` and `stage`.
pub const BUFFERS: &[Row] = &[
    persistent("position", Length::Particles),
    persistent("velocity", Length::Particles),
    persistent("identity", Length::Particles),
    persistent("emitter_layers", Length::Emitters),
    row("sorted_position", Length::Particles),
    row("sorted_velocity", Length::Particles),
    row("sorted_identity", Length::Particles),
    row("density", Length::Particles),
    row("acceleration", Length::Particles),
    row("cell_count", Length::CellsAndOne),
    row("cell_start", Length::CellsAndOne),
    row("totals_1", Length::Totals(1)),
    row("totals_2", Length::Totals(2)),
    row("totals_3", Length::Totals(3)),
    row("offsets_1", Length::Totals(1)),
    row("offsets_2", Length::Totals(2)),
    row("offsets_3", Length::Totals(3)),
    row("arrival", Length::Particles),
    row("binned", Length::Particles),
    row("order", Length::Particles),
    row("colliders", Length::Colliders),
    row("drains", Length::Drains),
    row("emitters", Length::Emitters),
    row("emitter_points", Length::EmitterPoints),
    row("emission", Length::Emitters),
    row("diagnostics_partial", Length::Diagnostics),
    row("diagnostics", Length::One),
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
    /// Cells of the grid.
    pub cells: u32,
    /// Colliders of the scene.
    pub colliders: u32,
    /// Drains of the scene.
    pub drains: u32,
    /// Emitters of the scene.
    pub emitters: u32,
    /// Points of all emitters' layers.
    pub emitter_points: u32,
}

impl Sizes {
    /// Elements of a buffer: at least one, since WebGPU knows no empty bindings.
    #[must_use]
    pub fn elements(&self, length: Length) -> u32 {
        let elements = match length {
            Length::Particles => self.particles,
            Length::CellsAndOne => self.cells + 1,
            Length::Totals(level) => blocks(self.cells + 1, level),
            Length::Colliders => self.colliders,
            Length::Drains => self.drains,
            Length::Emitters => self.emitters,
            Length::EmitterPoints => self.emitter_points,
            Length::Diagnostics => DIAGNOSTICS_BLOCKS,
            Length::One => 1,
        };
        elements.max(1)
    }
}

/// Blocks that `elements` make, `level` levels up.
#[must_use]
pub fn blocks(elements: u32, level: u32) -> u32 {
    (0..level).fold(elements, |count, _| count.div_ceil(REDUCE_BLOCK))
}
