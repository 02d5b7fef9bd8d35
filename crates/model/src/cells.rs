//! Fields on the cells of a grid, as read back.

/// Fields on a box of cubic cells.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Cells {
    /// Lowest corner in m.
    pub low: [f64; 3],
    /// Edge of a cell in m.
    pub edge: f64,
    /// Numbers of cells along x, y, z.
    pub size: [usize; 3],
    /// Time in s.
    pub time: f64,
    /// Fields at the cells' centres.
    pub fields: Vec<CellField>,
}

/// A field at the centres of cells.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct CellField {
    /// Name of the field.
    pub name: &'static str,
    /// Numbers of a cell: 1, or 3 of a vector.
    pub components: usize,
    /// Values in its unit, cell by cell, x fastest.
    pub values: Vec<f32>,
}
