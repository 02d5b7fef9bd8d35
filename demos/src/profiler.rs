//! What each pass costs, over the last few seconds.

use std::collections::VecDeque;

use meniscus::PassTime;

use crate::gpu_timer::Drawing;

/// Points of the history plot.
const HISTORY: usize = 240;
/// Pass times that are kept for the Chrome trace.
const TRACE: usize = 100_000;

/// A submission of steps: µs per step of each pass.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// By the number of the label in [`Profiler::labels`].
    pub(crate) us: Vec<f64>,
}

/// A pass in the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) label: usize,
    /// Medians and 95th percentiles over the history, in µs a step.
    pub(crate) median: f64,
    pub(crate) p95: f64,
    pub(crate) share: f64,
}

/// What the window itself costs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Overhead {
    /// Milliseconds of a picture, smoothed: the interface and the recording of commands.
    pub(crate) cpu_ms: f64,
    /// Milliseconds on the device of a picture with the water, where it can tell.
    pub(crate) water_ms: Option<f64>,
    /// Milliseconds on the device of a picture in which only the interface changed.
    pub(crate) interface_ms: Option<f64>,
    /// Milliseconds from one picture to the next.
    pub(crate) frame_ms: f64,
    /// Milliseconds of waiting for the screen's next texture.
    pub(crate) wait_ms: f64,
}

/// The history.
#[derive(Debug, Default)]
pub(crate) struct Profiler {
    labels: Vec<String>,
    samples: VecDeque<Sample>,
    trace: VecDeque<PassTime>,
    pictures: VecDeque<Drawing>,
    pub(crate) overhead: Overhead,
}

/// Weight of the newest in a smoothed mean.
const NEWEST: f64 = 0.1;

fn smooth(mean: &mut f64, value: f64) {
    *mean = if *mean == 0.0 { value } else { *mean + NEWEST * (value - *mean) };
}

impl Profiler {
    /// Forgets everything but the window's own costs.
    pub(crate) fn clear(&mut self) {
        *self = Self { overhead: self.overhead, ..Self::default() };
    }

    /// Learns the times of passes, in the order in which they ran. `serial`: on software adapters,
    /// which run one pass after the other, but stamp the beginnings late once they also draw; a
    /// pass then begins where the one before it ended.
    pub(crate) fn learn(&mut self, mut times: Vec<PassTime>, serial: bool) {
        for k in (1..times.len()).filter(|_| serial) {
            if times[k].submission == times[k - 1].submission {
                times[k].start = times[k - 1].end.min(times[k].end);
            }
        }
        for submission in times.chunk_by(|a, b| a.submission == b.submission) {
            let mut us = vec![0.0; self.labels.len()];
            let mut steps = 0_u32;
            for pass in submission {
                let label = self.label(&pass.label);
                us.resize(self.labels.len(), 0.0);
                us[label] += 1e6 * (pass.end - pass.start);
                // A list of stages begins with its first pass.
                steps += u32::from(label == 0);
            }
            let steps = f64::from(steps.max(1));
            us.iter_mut().for_each(|us| *us /= steps);
            if self.samples.len() == HISTORY {
                self.samples.pop_front();
            }
            self.samples.push_back(Sample { us });
        }
        self.trace.extend(times);
        let excess = self.trace.len().saturating_sub(TRACE);
        self.trace.drain(..excess);
    }

    /// Learns what a picture cost: ms of work, ms of waiting, ms since the one before.
    pub(crate) fn learn_picture(&mut self, cpu_ms: f64, wait_ms: f64, frame_ms: f64) {
        smooth(&mut self.overhead.cpu_ms, cpu_ms);
        smooth(&mut self.overhead.wait_ms, wait_ms);
        smooth(&mut self.overhead.frame_ms, frame_ms);
    }

    /// Learns when pictures were drawn.
    pub(crate) fn learn_drawing(&mut self, pictures: Vec<Drawing>) {
        for drawing in pictures {
            let ms = 1e3 * (drawing.end - drawing.start).max(0.0);
            let overhead = &mut self.overhead;
            let mean =
                if drawing.water { &mut overhead.water_ms } else { &mut overhead.interface_ms };
            smooth(mean.get_or_insert(0.0), ms);
            if self.pictures.len() == HISTORY {
                self.pictures.pop_front();
            }
            self.pictures.push_back(drawing);
        }
    }

    fn label(&mut self, label: &str) -> usize {
        self.labels.iter().position(|known| known == label).unwrap_or_else(|| {
            self.labels.push(label.to_owned());
            self.labels.len() - 1
        })
    }

    /// Names of the passes, in the order in which a step has them.
    pub(crate) fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The history, the oldest first.
    pub(crate) fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    /// What a Chrome trace is made of: passes, and pictures.
    pub(crate) fn trace(&self) -> (Vec<PassTime>, Vec<Drawing>) {
        (self.trace.iter().cloned().collect(), self.pictures.iter().copied().collect())
    }

    /// The passes, the dearest first.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let row = |label: usize| {
            let values = self.samples.iter().map(|s| s.us.get(label).copied().unwrap_or(0.0));
            let mut values: Vec<_> = values.collect();
            values.sort_by(f64::total_cmp);
            let at = |share: f64| {
                let rank = (share * values.len() as f64).ceil() as usize;
                values.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
            };
            Row { label, median: at(0.5), p95: at(0.95), share: 0.0 }
        };
        let mut rows: Vec<_> = (0..self.labels.len()).map(row).collect();
        let total: f64 = rows.iter().map(|row| row.median).sum();
        for row in &mut rows {
            row.share = if total > 0.0 { row.median / total } else { 0.0 };
        }
        rows.sort_by(|a, b| b.median.total_cmp(&a.median));
        rows
    }
}
