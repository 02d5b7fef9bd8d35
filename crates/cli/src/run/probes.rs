//! Values of a scene's probes, for their table and the log.

use meniscus::{
    Scene, Simulation, State,
    raw::model::probes::{Averages, columns, values},
};

use super::table::Table;
use crate::Failure;

/// The probes of a run: their means in time and their table.
#[derive(Debug)]
pub(super) struct Probes {
    table: Option<Table>,
    /// Whether the log wants values at the end of each frame.
    is_logged: bool,
    averages: Averages,
    /// End of the last step in s, and its length.
    time: f64,
    step: f64,
}

impl Probes {
    pub(super) fn new(
        table: Option<Table>,
        is_logged: bool,
        simulation: &Simulation,
        scene: &Scene,
    ) -> Self {
        let averages = Averages::new(scene, simulation.setup().chosen.family());
        Self { table, is_logged, averages, time: simulation.time(), step: 0.0 }
    }

    /// Whether it reads probes between frames.
    pub(super) fn is_between_frames(&self) -> bool {
        let is_read = self.table.is_some() || self.is_logged;
        self.table.as_ref().is_some_and(Table::is_between_frames)
            || (is_read && self.averages.longest() > 0.0)
    }

    /// Reads the probes after a step where the table or the log want values, or will before their means' time is over; what
    /// they are. `state` reads the simulation back.
    pub(super) fn read<'a>(
        &mut self,
        scene: &Scene,
        simulation: &Simulation,
        ends_frame: bool,
        state: impl FnOnce() -> Result<&'a State, Failure>,
    ) -> Result<Vec<f64>, Failure> {
        let (begin, time) = (self.time, simulation.time());
        // The last step of a frame is as short as it has to be; the next one is at most twice as long as the one before.
        let longest = 2.0 * self.step.max(time - begin);
        (self.time, self.step) = (time, time - begin);
        let frame = f64::from(simulation.control().frame + u32::from(!ends_frame)) / scene.time.fps;
        let of_table = self.table.as_ref().map(|table| table.due(frame));
        let due = of_table
            .into_iter()
            .chain(self.is_logged.then_some(frame))
            .fold(f64::INFINITY, f64::min);
        if scene.probes.is_empty() || time < due - self.averages.longest() - longest {
            return Ok(Vec::new());
        }
        let values = self.averages.add(begin, time, values(scene, simulation.setup(), state()?));
        if let Some(table) = &mut self.table {
            table.step(begin, time, ends_frame, &values)?;
        }
        Ok(values)
    }
}

/// Values for a line of the log, by name; those of places without fluid are left out.
pub(super) fn named(scene: &Scene, simulation: &Simulation, values: &[f64]) -> Vec<(String, f64)> {
    let names = columns(scene, simulation.setup().chosen.family());
    let all = names.into_iter().map(|column| column.name).zip(values.iter().copied());
    all.filter(|(_, value)| value.is_finite()).collect()
}
