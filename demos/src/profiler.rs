//! Cost of each pass over the last few seconds.

use std::collections::VecDeque;

use meniscus::PassTime;

use crate::gpu_timer::Drawing;

/// Length of the history in submissions.
const HISTORY: usize = 240;
/// Number of pass times kept for the Chrome trace.
const TRACE: usize = 100_000;

/// Times of one submission, in µs per step for each pass.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Indexed as [`Profiler::labels`].
    pub(crate) us: Vec<f64>,
}

/// A row of the pass table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) label: usize,
    /// Median over the history, in µs per step.
    pub(crate) median: f64,
    /// 95th percentile over the history, in µs per step.
    pub(crate) p95: f64,
    /// Fraction of the sum of all medians.
    pub(crate) share: f64,
}

/// Cost of the window itself.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Overhead {
    /// CPU time of a picture in ms, smoothed: the interface and the recording of commands.
    pub(crate) cpu_ms: f64,
    /// GPU time in ms of a picture that redraws the fluid, if known.
    pub(crate) water_ms: Option<f64>,
    /// GPU time in ms of a picture that redraws only the interface, if known.
    pub(crate) interface_ms: Option<f64>,
    /// Interval between pictures in ms.
    pub(crate) frame_ms: f64,
    /// Time in ms spent waiting for the screen's next texture.
    pub(crate) wait_ms: f64,
}

/// Recent pass and picture times.
#[derive(Debug, Default)]
pub(crate) struct Profiler {
    labels: Vec<String>,
    samples: VecDeque<Sample>,
    trace: VecDeque<PassTime>,
    pictures: VecDeque<Drawing>,
    pub(crate) overhead: Overhead,
}

/// Weight of a new value in the smoothed mean.
const NEWEST: f64 = 0.1;

fn smooth(mean: &mut f64, value: f64) {
    *mean = if *mean == 0.0 { value } else { *mean + NEWEST * (value - *mean) };
}

impl Profiler {
    /// Clears everything except the window's own costs.
    pub(crate) fn clear(&mut self) {
        *self = Self { overhead: self.overhead, ..Self::default() };
    }

    /// Adds pass times, in the order in which the passes ran. `serial`: software adapters run one
    /// pass after the other but write start timestamps late while they also draw, so a pass is
    /// taken to start where the previous one ended.
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
                // A step's first pass has label 0.
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

    /// Adds the CPU time, the waiting time and the interval of a picture, in ms.
    pub(crate) fn learn_picture(&mut self, cpu_ms: f64, wait_ms: f64, frame_ms: f64) {
        smooth(&mut self.overhead.cpu_ms, cpu_ms);
        smooth(&mut self.overhead.wait_ms, wait_ms);
        smooth(&mut self.overhead.frame_ms, frame_ms);
    }

    /// Adds GPU times of pictures.
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

    /// Names of the passes, in the order of a step.
    pub(crate) fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The history, oldest first.
    pub(crate) fn samples(&self) -> &VecDeque<Sample> {
        &self.samples
    }

    /// Passes and pictures for a Chrome trace.
    pub(crate) fn trace(&self) -> (Vec<PassTime>, Vec<Drawing>) {
        (self.trace.iter().cloned().collect(), self.pictures.iter().copied().collect())
    }

    /// The passes, most expensive first.
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
