//! Measurements of a running scene.

use std::collections::BTreeMap;

use serde_json::Value;
use web_time::Instant;

/// Number of passes whose times are shown.
const SLOWEST: usize = 12;
/// Averaging time of the rates, in s.
const RATE_WINDOW: f64 = 0.5;

/// Measurements that change all the time.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) since: Instant,
    pub(crate) steps: u32,
    pub(crate) simulated: f64,
    /// Steps and simulated seconds per second.
    pub(crate) rates: [f64; 2],
    /// Longest submission of steps and slowest picture in ms, now and in the last window.
    pub(crate) longest: [f64; 2],
    pub(crate) last_longest: [f64; 2],
    pub(crate) reported: Option<Instant>,
    /// The step of the last report, and its numbers.
    pub(crate) reported_step: u32,
    pub(crate) report: Value,
    /// Seconds in each pass, since the first step that was timed.
    pub(crate) passes: BTreeMap<String, f64>,
    pub(crate) timed_steps: u32,
}

impl Measured {
    pub(crate) fn new() -> Self {
        Self {
            since: Instant::now(),
            steps: 0,
            simulated: 0.0,
            rates: [0.0; 2],
            longest: [0.0; 2],
            last_longest: [0.0; 2],
            reported: None,
            reported_step: 0,
            report: Value::Null,
            passes: BTreeMap::new(),
            timed_steps: 0,
        }
    }

    /// The slowest passes, with their microseconds per step.
    pub(crate) fn slowest(&self) -> Vec<(&str, f64)> {
        let steps = f64::from(self.timed_steps.max(1));
        let passes = self.passes.iter();
        let mut passes: Vec<_> = passes.map(|(name, s)| (&**name, 1e6 * s / steps)).collect();
        passes.sort_by(|a, b| b.1.total_cmp(&a.1));
        passes.truncate(SLOWEST);
        passes
    }

    pub(crate) fn roll(&mut self) {
        let elapsed = self.since.elapsed().as_secs_f64();
        if elapsed > RATE_WINDOW {
            self.rates = [f64::from(self.steps) / elapsed, self.simulated / elapsed];
            self.last_longest = std::mem::take(&mut self.longest);
            (self.since, self.steps, self.simulated) = (Instant::now(), 0, 0.0);
        }
    }
}
