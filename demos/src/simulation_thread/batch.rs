//! Number of steps per submission, chosen so that drawing does not have to wait.

use std::{collections::VecDeque, time::Duration};

/// Target duration of a submission in s. Drawing waits for at most one submission.
const TARGET: f64 = 0.008;
/// Most steps per submission: a driver may take a longer submission for a hang.
const MOST: u32 = 64;
/// Number of submissions remembered. The fastest one counts, since the others waited for drawing.
const MEMORY: usize = 12;

/// Estimates the time per step from past submissions.
#[derive(Debug, Default)]
pub(super) struct Batch {
    seconds_per_step: VecDeque<f64>,
}

impl Batch {
    /// Number of steps for the next submission.
    pub(super) fn steps(&self) -> u32 {
        let fastest = self.seconds_per_step.iter().copied().fold(f64::INFINITY, f64::min);
        // Start with one step, and at most double each time while there are few measurements.
        let most = 1 << self.seconds_per_step.len().min(6);
        ((TARGET / fastest) as u32).clamp(1, MOST.min(most))
    }

    /// Records that `steps` steps took `elapsed`.
    pub(super) fn learn(&mut self, steps: u32, elapsed: Duration) {
        if steps == 0 {
            return;
        }
        if self.seconds_per_step.len() == MEMORY {
            self.seconds_per_step.pop_front();
        }
        self.seconds_per_step.push_back(elapsed.as_secs_f64() / f64::from(steps));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_are_as_long_as_they_may_be() {
        let mut batch = Batch::default();
        assert_eq!(batch.steps(), 1);
        for _ in 0..10 {
            let steps = batch.steps();
            batch.learn(steps, Duration::from_micros(400) * steps);
        }
        assert!((19..=20).contains(&batch.steps()), "{}", batch.steps());
        batch.learn(1, Duration::from_millis(30));
        assert!(batch.steps() > 10, "a submission that waited for drawing does not count");
        for _ in 0..MEMORY {
            batch.learn(1, Duration::from_millis(30));
        }
        assert_eq!(batch.steps(), 1);
    }
}
