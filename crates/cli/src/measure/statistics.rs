//! Statistics of a measurement: medians, shares, rates.

use serde::Serialize;

use meniscus::{PassTime, raw::model::control::LoopReport};

use super::measurement::{Measurement, Stage, SurfaceMeasurement};
use crate::terminal::{short, table};

/// The statistics, as written by `--json`.
#[derive(Debug, Serialize)]
pub(crate) struct Statistics {
    /// Number of particles, with those of walls.
    pub(crate) particles: u32,
    pub(crate) fluid_particles: u32,
    neighbours_per_particle: f64,
    pub(crate) particle_steps_per_second: f64,
    /// Least number of bytes that all passes of a step must move, divided by the number of particles.
    bytes_per_particle: f64,
    /// From the first pass of a step to its last.
    pub(crate) step_median_us: f64,
    pub(crate) step_p95_us: f64,
    /// Mean length of a step in s.
    pub(crate) dt_mean: f64,
    pub(crate) passes: Vec<Pass>,
    pub(crate) loops: Vec<Loop>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) surface: Option<SurfaceStatistics>,
}

/// Statistics added by `--surface`.
#[derive(Debug, Serialize)]
pub(crate) struct SurfaceStatistics {
    cells: u32,
    blocks: u32,
    nodes: u64,
    vertices: u32,
    pub(crate) triangles: u32,
    pub(crate) median_us: f64,
    pub(crate) passes: Vec<Pass>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Pass {
    pub(crate) label: String,
    calls: usize,
    median_us: f64,
    p95_us: f64,
    invocations: u64,
    bytes: u64,
    /// Sum of all calls.
    #[serde(skip)]
    pub(crate) total_us: f64,
}

/// Averages of one of the solver's loops over the steps.
#[derive(Debug, Serialize)]
pub(crate) struct Loop {
    name: &'static str,
    pub(crate) iterations_mean: f64,
    /// Residual in percent.
    residual_mean: f64,
    /// Steps.
    not_converged: u32,
}

/// Median and 95th percentile of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    p95: f64,
}

impl Statistics {
    pub(crate) fn of(measurement: &Measurement) -> Self {
        let step_us = Spread::of(measurement.step_times.iter().map(|time| 1e6 * time));
        let rate = 1e6 * f64::from(measurement.particles) / step_us.median;
        let passes = passes(&measurement.stages, &measurement.times);
        let bytes: f64 = passes.iter().map(|pass| pass.bytes as f64 * pass.calls as f64).sum();
        let particle_steps = f64::from(measurement.particles) * f64::from(measurement.step_count);
        Self {
            particles: measurement.particles,
            fluid_particles: measurement.fluid,
            neighbours_per_particle: measurement.neighbours_per_particle,
            particle_steps_per_second: if rate.is_finite() { rate } else { 0.0 },
            bytes_per_particle: bytes / particle_steps.max(1.0),
            step_median_us: step_us.median,
            step_p95_us: step_us.p95,
            dt_mean: measurement.simulated / f64::from(measurement.step_count),
            passes,
            loops: measurement.loops.iter().map(|found| Loop::of(found, measurement)).collect(),
            surface: measurement.surface.as_ref().map(SurfaceStatistics::of),
        }
    }

    pub(crate) fn table(&self, measurement: &Measurement) -> String {
        let mut text = format!(
            "{}\n{} particles on {}; {} steps in {} submission(s), after {} warm-up steps\n\n",
            measurement.title,
            self.particles,
            measurement.device.adapter,
            measurement.step_count,
            measurement.submissions,
            measurement.warm_up,
        );
        text += &table_of(&self.passes);
        let step = if measurement.timed {
            let (median, p95) = (self.step_median_us / 1e3, self.step_p95_us / 1e3);
            format!("{median:.3} ms (median; p95 {p95:.3} ms); ")
        } else {
            String::new()
        };
        let wall = 1e3 * measurement.wall.as_secs_f64() / f64::from(measurement.step_count);
        text += &format!("step                     {step}{wall:.3} ms wall time\n");
        text += &format!("particle-steps/s         {}\n", short(self.particle_steps_per_second));
        if self.bytes_per_particle > 0.0 {
            text += &format!("bytes per particle       {:.0} (minimum)\n", self.bytes_per_particle);
        }
        text += &format!("neighbours per particle  {:.1}\n", self.neighbours_per_particle);
        for found in &self.loops {
            let Loop { name, iterations_mean, residual_mean, not_converged } = found;
            text += &format!(
                "{:<24} {iterations_mean:.1} iterations per step, residual {residual_mean:.4} %; not \
                 converged in {not_converged} of {} steps\n",
                format!("{name} solver"),
                measurement.step_count,
            );
        }
        if let Some(surface) = &self.surface {
            let SurfaceStatistics { cells, blocks, nodes, vertices, triangles, median_us, .. } =
                surface;
            text += "\nSurface at the end\n\n";
            text += &table_of(&surface.passes);
            text += &format!("surface                  {:.3} ms (median)\n", median_us / 1e3);
            text += &format!("cells touched            {blocks} of {cells}: {nodes} nodes\n");
            text +=
                &format!("mesh                     {vertices} vertices, {triangles} triangles\n");
        }
        text
    }
}

impl Loop {
    fn of((name, found): &(&'static str, LoopReport), measurement: &Measurement) -> Self {
        let steps = f64::from(measurement.step_count);
        Self {
            name,
            iterations_mean: f64::from(found.iterations) / steps,
            residual_mean: f64::from(found.residual_sum) / steps,
            not_converged: found.exhausted,
        }
    }
}

impl SurfaceStatistics {
    fn of(measured: &SurfaceMeasurement) -> Self {
        let times = measured.extraction_times().into_iter().map(|time| 1e6 * time);
        Self {
            cells: measured.cells,
            blocks: measured.found.block_count,
            nodes: u64::from(measured.found.block_count)
                * 64
                * u64::from(measured.found.fineness.pow(3)),
            vertices: measured.found.vertex_count,
            triangles: measured.found.index_count / 3,
            median_us: Spread::of(times).median,
            passes: passes(&measured.stages, &measured.times.concat()),
        }
    }
}

/// Times of each stage, if there are any.
fn passes(stages: &[Stage], times: &[PassTime]) -> Vec<Pass> {
    let pass = |stage: &Stage| {
        let times = times.iter().filter(|time| time.label == stage.label);
        let times: Vec<_> = times.map(|time| 1e6 * (time.end - time.start)).collect();
        let spread = Spread::of(times.iter().copied());
        Pass {
            label: stage.label.clone(),
            calls: times.len(),
            median_us: spread.median,
            p95_us: spread.p95,
            invocations: stage.invocations,
            bytes: stage.bytes,
            total_us: times.iter().sum(),
        }
    };
    // Stages with the same label share a row.
    let first = |(i, stage): &(usize, &Stage)| {
        stages[..*i].iter().all(|earlier| earlier.label != stage.label)
    };
    let stages = stages.iter().enumerate().filter(first).map(|(_, stage)| stage);
    stages.map(pass).filter(|pass| pass.calls > 0).collect()
}

fn table_of(passes: &[Pass]) -> String {
    if passes.is_empty() {
        return String::new();
    }
    let all: f64 = passes.iter().map(|pass| pass.total_us).sum();
    let row = |pass: &Pass| {
        [
            pass.label.clone(),
            pass.calls.to_string(),
            format!("{:.1}", pass.median_us),
            format!("{:.1}", pass.p95_us),
            format!("{:.1}", 100.0 * pass.total_us / all.max(f64::MIN_POSITIVE)),
            format!("{:.3}", pass.bytes as f64 / 1e6),
            // A pass too short for the clock has no rate.
            match pass.bytes as f64 / (1e3 * pass.median_us) {
                rate if rate.is_finite() => format!("{rate:.2}"),
                _ => "-".into(),
            },
        ]
    };
    let head = ["pass", "calls", "median µs", "p95 µs", "share %", "MB", "GB/s"];
    table(head, &[1, 2, 3, 4, 5, 6], passes.iter().map(row)) + "\n"
}

impl Spread {
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<_> = values.collect();
        values.sort_by(f64::total_cmp);
        // Nearest rank.
        let at = |share: f64| {
            let rank = (share * values.len() as f64).ceil() as usize;
            values.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
        };
        Self { median: at(0.5), p95: at(0.95) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_of_the_sample() {
        let spread = |values: &[f64]| Spread::of(values.iter().copied());
        assert_eq!(spread(&[]), Spread { median: 0.0, p95: 0.0 });
        assert_eq!(spread(&[3.0]), Spread { median: 3.0, p95: 3.0 });
        assert_eq!(spread(&[3.0, 1.0, 2.0]), Spread { median: 2.0, p95: 3.0 });
        let hundred: Vec<_> = (1..=100).rev().map(f64::from).collect();
        assert_eq!(spread(&hundred), Spread { median: 50.0, p95: 95.0 });
    }
}
