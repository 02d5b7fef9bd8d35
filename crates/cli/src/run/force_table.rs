//! Columns of the table of forces on solids.

use meniscus::{Simulation, model::probes::Column};

/// Vectors of a solid: name, unit, and which one of a report.
const VECTORS: [(&str, &str); 8] = [
    ("mean_force", "N"),
    ("mean_pressure", "N"),
    ("mean_friction", "N"),
    ("mean_torque", "N m"),
    ("force", "N"),
    ("pressure", "N"),
    ("friction", "N"),
    ("torque", "N m"),
];

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
        [
            solid.mean_force,
            solid.mean_pressure,
            solid.mean_friction(),
            solid.mean_torque,
            solid.force,
            solid.pressure,
            solid.friction(),
            solid.torque,
        ]
        .concat()
    };
    simulation.forces().iter().flat_map(of).collect()
}

/// Means for a line of the log, by name.
pub(super) fn named(simulation: &Simulation) -> Vec<(String, f64)> {
    let all = columns(simulation).into_iter().zip(values(simulation));
    let all = all.map(|(column, value)| (column.name, value));
    let is_mean = |name: &str| name.rsplit('.').next().is_some_and(|key| key.starts_with("mean_"));
    all.filter(|(name, _)| is_mean(name) && !name.contains("torque")).collect()
}
