//! Forces of the fluid on solids, for their table and the log.

use meniscus::{ForceReport, JointReport, Simulation, raw::model::probes::Column};

use super::table::{Table, between};
use crate::Failure;

/// Vectors of a solid whose lines are means: force, pressure, friction and torque.
const MEANS: usize = 4;

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

/// Means since the start of the frame, and then what acts in the last step, in the order of the columns of a solid.
fn vectors(solid: &ForceReport) -> [[f64; 3]; VECTORS.len()] {
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
}

/// The values of these columns at the end of a frame.
fn values(simulation: &Simulation) -> Vec<f64> {
    simulation.forces().iter().flat_map(|solid| vectors(solid).concat()).collect()
}

/// Means for a line of the log, by name.
pub(super) fn named(simulation: &Simulation) -> Vec<(String, f64)> {
    let all = columns(simulation).into_iter().zip(values(simulation));
    let all = all.map(|(column, value)| (column.name, value));
    let is_mean = |name: &str| name.rsplit('.').next().is_some_and(|key| key.starts_with("mean_"));
    let is_logged = |name: &str| is_mean(name) && !name.contains("torque");
    all.filter(|(name, value)| is_logged(name) && value.is_finite()).collect()
}

/// Mean forces and torques of joints and mooring lines in the frame for a line of the log, and their ways.
pub(super) fn of_joints(simulation: &Simulation) -> Vec<(String, f64)> {
    let of = |joint: JointReport| {
        let name = joint.name;
        let vector = |what, v: [f64; 3]| {
            ["x", "y", "z"]
                .into_iter()
                .zip(v)
                .map(move |(axis, value)| (format!("{what}_{axis}"), value))
        };
        let all = vector("force", joint.force).chain(vector("torque", joint.torque));
        let all: Vec<_> = all.chain([("way".to_owned(), joint.way)]).collect();
        all.into_iter().map(move |(key, value)| (format!("{name}.{key}"), value))
    };
    simulation.joints().into_iter().flat_map(of).collect()
}

/// The table of forces of a run.
#[derive(Debug)]
pub(super) struct Forces {
    table: Table,
    /// End of the last step in s, and of the frame before it.
    time: f64,
    frame: f64,
    /// Impulses of the means' columns since the start of the frame at the end of that step, in N s and N m s.
    impulse: Vec<f64>,
    /// Time of the last line in s, and these impulses then: below 0 if a frame has begun since.
    line: (f64, Vec<f64>),
}

impl Forces {
    pub(super) fn new(table: Table, simulation: &Simulation) -> Self {
        let time = simulation.time();
        let none = vec![0.0; 3 * MEANS * simulation.forces().len()];
        Self { table, time, frame: time, impulse: none.clone(), line: (time, none) }
    }

    /// Whether it has lines between frames.
    pub(super) fn is_between_frames(&self) -> bool {
        self.table.is_between_frames()
    }

    /// Adds the lines that are due after a step: means since the line before, by the impulses between them, of which a step's
    /// grows evenly from its beginning to its end; and the forces of the step.
    pub(super) fn step(
        &mut self,
        simulation: &Simulation,
        ends_frame: bool,
    ) -> Result<(), Failure> {
        let (begin, time) = (self.time, simulation.time());
        if time <= begin {
            return Ok(());
        }
        let solids: Vec<_> = simulation.forces().iter().map(vectors).collect();
        let means = solids.iter().flat_map(|solid| solid[..MEANS].concat());
        let impulse: Vec<_> = means.map(|mean| (time - self.frame) * mean).collect();
        for due in self.table.dues(time, ends_frame) {
            let (last, before) = &self.line;
            if due <= *last {
                continue;
            }
            let part = (due - begin) / (time - begin);
            let until: Vec<_> =
                self.impulse.iter().zip(&impulse).map(|(a, b)| between(*a, *b, part)).collect();
            let means: Vec<_> =
                until.iter().zip(before).map(|(a, b)| (a - b) / (due - last)).collect();
            let rows = solids.iter().zip(means.chunks(3 * MEANS));
            let line: Vec<_> = rows
                .flat_map(|(solid, means)| [means, &solid[MEANS..].concat()].concat())
                .collect();
            self.table.write(due, &line)?;
            self.line = (due, until);
        }
        self.time = time;
        self.impulse = impulse;
        if ends_frame {
            self.frame = time;
            for (sum, all) in self.line.1.iter_mut().zip(&mut self.impulse) {
                *sum -= *all;
                *all = 0.0;
            }
        }
        Ok(())
    }
}
