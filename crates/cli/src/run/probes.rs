//! Values of a scene's probes, for their table and the log.

use meniscus::{
    Simulation,
    model::{
        Scene, State,
        probes::{columns, values},
    },
};

use super::table::Table;
use crate::Failure;

/// Reads the probes after a step if a line of the table is due or the log wants them, once for both; the values. `state`
/// reads the simulation back.
pub(super) fn read<'a>(
    table: Option<&mut Table>,
    scene: &Scene,
    simulation: &Simulation,
    [ends_frame, is_logged]: [bool; 2],
    state: impl FnOnce() -> Result<&'a State, Failure>,
) -> Result<Vec<f64>, Failure> {
    let time = simulation.time();
    let due = table.filter(|_| !scene.probes.is_empty());
    let due = due.and_then(|table| table.is_due(time, ends_frame).then_some(table));
    if scene.probes.is_empty() || (due.is_none() && !is_logged) {
        return Ok(Vec::new());
    }
    let values = values(scene, simulation.setup(), state()?);
    if let Some(table) = due {
        table.write(time, &values)?;
    }
    Ok(values)
}

/// Values for a line of the log, by name; those of places without fluid are left out.
pub(super) fn named(scene: &Scene, simulation: &Simulation, values: &[f64]) -> Vec<(String, f64)> {
    let names = columns(scene, simulation.setup().chosen.family());
    let all = names.into_iter().map(|column| column.name).zip(values.iter().copied());
    all.filter(|(_, value)| value.is_finite()).collect()
}
