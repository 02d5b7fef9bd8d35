//! Results of a run of `bench`: JSON, Markdown, and comparison with an earlier run.

use std::{fmt, fs::read_to_string, path::Path};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{SCENE, cannot_read};
use crate::{
    Failure,
    measure::{Device, Measurement, Pass, Spread, Statistics, SurfaceStatistics},
    terminal::{digits, markdown, short},
};

/// Value of the key `format` in the JSON; its number changes with the keys that [`Earlier`] reads.
const FORMAT: &str = "meniscus bench 1";

/// Program, time and device of a run.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Origin {
    format: String,
    version: String,
    /// Git commit of the program, or `unknown`.
    commit: String,
    date: String,
    #[serde(flatten)]
    device: Device,
}

/// What a case measures.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Subject {
    pub(super) solver: String,
    /// In m.
    pub(super) particle_radius: f64,
    /// Whether the fluid is thick, by implicit viscosity.
    #[serde(default)]
    pub(super) viscous: bool,
    /// Cubes per particle radius, if the case measures the extraction of the surface.
    pub(super) surface_fineness: Option<u32>,
}

/// Times of a case.
#[derive(Debug, Deserialize, Serialize)]
struct Timed {
    #[serde(flatten)]
    subject: Subject,
    /// Number of steps before the measured ones.
    warm_up: u32,
    /// Time of each measured step, or of each extraction of the surface.
    times_us: Vec<f64>,
}

#[derive(Debug, Serialize)]
pub(super) struct Case {
    #[serde(flatten)]
    timed: Timed,
    #[serde(flatten)]
    statistics: Statistics,
}

#[derive(Debug, Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    pub(super) run: Origin,
    pub(super) cases: Vec<Case>,
}

/// Report of an earlier run, as far as comparisons need it.
#[derive(Debug, Deserialize)]
pub(super) struct Earlier {
    #[serde(flatten)]
    run: Origin,
    cases: Vec<Timed>,
}

impl Origin {
    /// This program, now.
    pub(super) fn now(device: Device) -> Self {
        Self {
            format: FORMAT.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            commit: env!("MENISCUS_COMMIT").into(),
            date: jiff::Timestamp::now().strftime("%F").to_string(),
            device,
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, commit, date, device: Device { adapter, driver }, .. } = self;
        write!(f, "meniscus {version}, commit {commit}, {date}, on {adapter} ({driver})")
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.surface_fineness {
            None => f.write_str(&self.method())?,
            Some(fineness) => write!(f, "surface, {}", cube(fineness))?,
        }
        write!(f, ", particle radius {} m", self.particle_radius)
    }
}

/// Size of the surface's cubes.
fn cube(fineness: u32) -> String {
    match fineness {
        1 => "a radius".into(),
        2 => "half a radius".into(),
        n => format!("1/{n} of a radius"),
    }
}

impl Subject {
    /// The solver, and what the case adds to it.
    fn method(&self) -> String {
        format!("{}{}", self.solver, if self.viscous { ", implicit viscosity" } else { "" })
    }

    /// Whether both are the same, with radii that were printed and read.
    fn is(&self, other: &Self) -> bool {
        let apart = (self.particle_radius - other.particle_radius).abs();
        self.solver == other.solver
            && self.viscous == other.viscous
            && self.surface_fineness == other.surface_fineness
            && apart <= 1e-9 * self.particle_radius
    }
}

impl Timed {
    /// Ratio of the median times to those of an earlier run, of the steps that both have measured.
    fn ratio(&self, earlier: &Self) -> Option<f64> {
        // Extractions are all of the same step.
        let begin = |timed: &Self| match timed.subject.surface_fineness {
            None => timed.warm_up as usize,
            Some(_) => 0,
        };
        let first = begin(self).max(begin(earlier));
        let last = (begin(self) + self.times_us.len()).min(begin(earlier) + earlier.times_us.len());
        let median = |timed: &Self| {
            let begin = begin(timed);
            let times = timed.times_us.get(first.checked_sub(begin)?..last.checked_sub(begin)?)?;
            Some(Spread::of(times.iter().copied()).median).filter(|median| *median > 0.0)
        };
        Some(median(self)? / median(earlier)?)
    }
}

impl Earlier {
    /// Reads the JSON of an earlier run.
    pub(super) fn read(file: &Path) -> Result<Self, Failure> {
        let text = read_to_string(file).map_err(|error| cannot_read(file, &error))?;
        let foreign = |reason: &dyn fmt::Display| {
            let file = file.display();
            Failure::Input(format!("{file}: not a file of `meniscus bench --json`: {reason}"))
        };
        let value: Value = serde_json::from_str(&text).map_err(|error| foreign(&error))?;
        if value["format"] != FORMAT {
            return Err(foreign(&format_args!("its key `format` is not {FORMAT:?}")));
        }
        Self::deserialize(value).map_err(|error| foreign(&error))
    }

    /// Why ratios to this run are not meaningful.
    pub(super) fn note(&self, run: &Origin) -> Option<String> {
        let (old, new) = (&self.run.device, &run.device);
        (old != new).then(|| {
            format!(
                "the earlier run was on another adapter or driver: {} ({}), now {} ({})",
                old.adapter, old.driver, new.adapter, new.driver
            )
        })
    }

    fn ratio(&self, timed: &Timed) -> String {
        let same = self.cases.iter().find(|earlier| earlier.subject.is(&timed.subject));
        let ratio = same.and_then(|earlier| timed.ratio(earlier));
        ratio.map_or_else(|| "-".into(), |ratio| format!("{ratio:.2}"))
    }
}

impl Case {
    pub(super) fn of(subject: Subject, measurement: &Measurement) -> Self {
        let times = match &measurement.surface {
            None => measurement.step_times.clone(),
            Some(surface) => surface.extraction_times(),
        };
        let times_us = times.into_iter().map(|time| 1e6 * time).collect();
        let timed = Timed { subject, warm_up: measurement.warm_up, times_us };
        Self { timed, statistics: Statistics::of(measurement) }
    }

    /// Row of a solver.
    fn steps(&self) -> Vec<String> {
        let found = &self.statistics;
        let iterations = found.loops.iter().map(|found| format!("{:.1}", found.iterations_mean));
        vec![
            self.timed.subject.particle_radius.to_string(),
            found.fluid_particles.to_string(),
            self.timed.subject.method(),
            self.timed.times_us.len().to_string(),
            milliseconds(found.step_median_us),
            milliseconds(found.step_p95_us),
            iterations.collect::<Vec<_>>().join(" + "),
            short(found.particle_steps_per_second),
            milliseconds(1e6 * found.dt_mean),
            format!("{} s", digits(found.step_median_us / (1e6 * found.dt_mean))),
            costliest(&found.passes),
        ]
    }

    /// Row of an extraction of the surface.
    fn extractions(&self, surface: &SurfaceStatistics) -> Vec<String> {
        vec![
            self.timed.subject.particle_radius.to_string(),
            self.statistics.fluid_particles.to_string(),
            self.timed.subject.surface_fineness.map_or_else(String::new, cube),
            self.timed.times_us.len().to_string(),
            milliseconds(surface.median_us),
            surface.triangles.to_string(),
            costliest(&surface.passes),
        ]
    }
}

impl Report {
    /// Tables of steps and of extractions of the surface as Markdown, with ratios to an earlier run.
    pub(super) fn markdown(&self, earlier: Option<&Earlier>) -> String {
        let mut steps = vec![
            "radius / m",
            "fluid",
            "solver",
            "steps",
            "step, median",
            "p95",
            "iterations",
            "particle-steps/s",
            "Δt",
            "a simulated second",
            "costliest passes",
        ];
        let mut extractions = vec![
            "radius / m",
            "fluid",
            "cube",
            "extractions",
            "surface, median",
            "triangles",
            "costliest passes",
        ];
        let (mut right, mut right_of_surfaces) =
            (vec![0, 1, 3, 4, 5, 6, 7, 8, 9], vec![0, 1, 3, 4, 5]);
        if earlier.is_some() {
            right.push(steps.len());
            right_of_surfaces.push(extractions.len());
            steps.push("new/old");
            extractions.push("new/old");
        }
        let with_ratio = |case: &Case, mut row: Vec<String>| {
            row.extend(earlier.map(|earlier| earlier.ratio(&case.timed)));
            row
        };
        let (mut solver_rows, mut surface_rows) = (Vec::new(), Vec::new());
        for case in &self.cases {
            match &case.statistics.surface {
                None => solver_rows.push(with_ratio(case, case.steps())),
                Some(surface) => surface_rows.push(with_ratio(case, case.extractions(surface))),
            }
        }
        let mut text = format!("{}: `{SCENE}` from rest.\n\n", self.run);
        if let Some(earlier) = earlier {
            text += &format!("Old: {}.\n", earlier.run);
            text += &earlier
                .note(&self.run)
                .map_or_else(String::new, |note| format!("Note: {note}.\n"));
            text += "\n";
        }
        text += &markdown(&steps, &right, solver_rows);
        text += "\n";
        text += &markdown(&extractions, &right_of_surfaces, surface_rows);
        text
    }
}

fn milliseconds(us: f64) -> String {
    // A device without a clock for passes measures no extractions.
    if us > 0.0 { format!("{} ms", digits(us / 1e3)) } else { "-".into() }
}

/// The three passes that take most of the time, with their shares.
fn costliest(passes: &[Pass]) -> String {
    let all: f64 = passes.iter().map(|pass| pass.total_us).sum();
    let mut passes: Vec<_> = passes.iter().collect();
    passes.sort_by(|a, b| b.total_us.total_cmp(&a.total_us));
    let share = |pass: &&Pass| {
        // The terms of a fused pass would fill the cell.
        let name = pass.label.split('+').next().unwrap_or_default();
        format!("`{name}` {:.0} %", 100.0 * pass.total_us / all.max(f64::MIN_POSITIVE))
    };
    passes.iter().take(3).map(share).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(surface_fineness: Option<u32>, warm_up: u32, times_us: &[f64]) -> Timed {
        let solver = "muller".into();
        let subject = Subject { solver, particle_radius: 0.1, viscous: false, surface_fineness };
        Timed { subject, warm_up, times_us: times_us.into() }
    }

    #[test]
    fn ratios_are_of_the_steps_that_both_runs_have_measured() {
        // Steps become faster: medians of all steps would be 4 and 2.
        let old = timed(None, 1, &[8.0, 4.0, 4.0, 4.0, 1.0]);
        for (new, expected) in [
            (timed(None, 1, &[4.0, 2.0]), Some(0.5)),
            (timed(None, 2, &[2.0, 2.0, 2.0, 0.5, 0.5]), Some(0.5)),
            (timed(None, 0, &[100.0, 8.0, 8.0, 8.0, 8.0]), Some(2.0)),
            (timed(None, 6, &[2.0]), None),
            (timed(None, 0, &[2.0]), None),
            (timed(None, 0, &[]), None),
        ] {
            assert_eq!(new.ratio(&old), expected, "{new:?}");
        }
        // Extractions are not of successive steps.
        assert_eq!(timed(Some(1), 0, &[2.0]).ratio(&timed(Some(1), 5, &[4.0])), Some(0.5));
    }
}
