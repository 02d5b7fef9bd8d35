//! Columns of the table of forces on solids.

use meniscus::{Simulation, model::probes::Column};

/// Vectors of a solid: name, unit, and which one of a report.
const VECTORS: [(&str, &str); 4] =
    [("mean_force", "N"), ("mean_torque", "N m"), ("force", "N"), ("torque", "N m")];

/// Columns of all solids with forces, in their order: `foot.mean_force_x [N]`, …
pub(super) fn columns(simulation: &Simulation) -> Vec<Column> {
    let solids = simulation.forces();
    let vectors = solids.iter().flat_map(|solid| VECTORS.map(|vector| (&solid.name, vector)));
    let of = |(solid, (vector, unit)): (&String, _)| {
        ["x", "y", "z"].map(|axis| Column::new(format!("{solid}.{vector}_{axis}"), unit))
    };
    vectors.flat_map(of).collect()
}

/// The values of these columns at the end of a frame.
pub(super) fn values(simulation: &Simulation) -> Vec<f64> {
    let of = |solid: &meniscus::ForceReport| {
        [solid.mean_force, solid.mean_torque, solid.force, solid.torque].concat()
    };
    simulation.forces().iter().flat_map(of).collect()
}
