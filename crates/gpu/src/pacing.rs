//! Size of submissions: as many steps as fit a given time.
//!
//! A driver may mistake a long submission for a hang (Windows after 2 s, some drivers earlier), and
//! drawing on the same device has to wait for it. So the duration of submissions is measured, and
//! the next one is sized accordingly. Results do not depend on it.

use std::{collections::VecDeque, time::Duration};

/// Target duration of a submission without drawing: far below any driver's limit, long compared with the read-back at its end,
/// and short enough that the iterations to record are known from steps just before it. On an H200, steps of FLIP take 12 to
/// 21 % less time than with five times as much and a quarter more iterations.
pub const SUBMISSION_TIME: Duration = Duration::from_millis(20);

/// Most steps in a submission: recording more has no benefit.
const MOST_STEPS: u32 = 64;
/// A step that takes longer than this, in s, is split inside its loops, except on software devices: they have no watchdog,
/// and the stages that a split step goes through again cost them as much as before.
const LONGEST_STEP: f64 = 0.5;
/// Number of submissions remembered. Only the fastest counts, since others waited for drawing or
/// other programs.
const MEMORY: usize = 12;

/// Controller of the submission size.
#[derive(Clone, Debug)]
pub(crate) struct Pacing {
    /// Target duration of a submission in s.
    target: f64,
    /// Fixed number of steps per submission, regardless of time.
    fixed: Option<u32>,
    /// Whether long steps are split.
    splits: bool,
    /// Measured duration of a step in s, in the last submissions.
    step_times: VecDeque<f64>,
}

impl Default for Pacing {
    fn default() -> Self {
        let target = SUBMISSION_TIME.as_secs_f64();
        Self { target, fixed: None, splits: true, step_times: VecDeque::new() }
    }
}

impl Pacing {
    /// Controller of a device, which may be software.
    pub(crate) fn of(device: wgpu::DeviceType) -> Self {
        Self { splits: device != wgpu::DeviceType::Cpu, ..Self::default() }
    }

    /// Controller with a target duration.
    pub(crate) fn set_target(&mut self, target: Duration) {
        self.target = target.as_secs_f64();
    }

    /// Controller with a fixed number of steps.
    pub(crate) fn fix(&mut self, steps: u32) {
        self.fixed = Some(steps.max(1));
    }

    /// Number of steps for the next submission.
    pub(crate) fn steps(&self) -> u32 {
        let paced = ((self.target / self.step_time()) as u32).clamp(1, self.most_steps());
        self.fixed.unwrap_or(paced)
    }

    /// Most steps of the next submission: one at the start, and at most double each time while there are few measurements.
    pub(crate) fn most_steps(&self) -> u32 {
        1 << self.step_times.len().min(MOST_STEPS.ilog2() as usize)
    }

    /// Share of a step's expected loop iterations to record; the rest continues in the next
    /// submission.
    pub(crate) fn share(&self) -> f64 {
        if self.fixed.is_some() || !self.splits {
            1.0
        } else {
            (LONGEST_STEP / self.step_time()).min(1.0)
        }
    }

    /// Records that `steps` steps with the current [`Pacing::share`] of their iterations took
    /// `elapsed`.
    pub(crate) fn learn(&mut self, steps: u32, elapsed: Duration) {
        let work = f64::from(steps.max(1)) * self.share();
        if self.step_times.len() == MEMORY {
            self.step_times.pop_front();
        }
        self.step_times.push_back(elapsed.as_secs_f64() / work);
    }

    /// Duration of a whole step in s; 0 if unknown.
    pub(crate) fn step_time(&self) -> f64 {
        self.step_times.iter().copied().reduce(f64::min).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Durations of submissions on a device that takes `step` s per step.
    fn run(pacing: &mut Pacing, step: f64, submissions: usize) -> Vec<f64> {
        let submit = |_| {
            let steps = pacing.steps();
            let elapsed = f64::from(steps) * step * pacing.share();
            pacing.learn(steps, Duration::from_secs_f64(elapsed));
            elapsed
        };
        (0..submissions).map(submit).collect()
    }

    #[test]
    fn submissions_grow_to_the_wanted_time_and_no_further() {
        let mut pacing = Pacing::default();
        pacing.set_target(Duration::from_millis(8));
        assert_eq!(pacing.steps(), 1, "nothing is known");
        let times = run(&mut pacing, 0.0004, 20);
        assert!(times.iter().all(|time| *time < 0.0081), "{times:?}");
        assert!((19..=20).contains(&pacing.steps()), "{}", pacing.steps());
        pacing.learn(1, Duration::from_millis(30));
        assert!(pacing.steps() > 10, "one that waited for drawing does not count");
        run(&mut pacing, 0.03, MEMORY);
        assert_eq!(pacing.steps(), 1);
    }

    #[test]
    fn a_slow_device_never_gets_a_submission_as_long_as_the_watchdog_waits() {
        for step in [1e-6, 0.001, 0.03, 0.2, 1.5, 20.0] {
            let times = run(&mut Pacing::default(), step, 40);
            // The very first submission holds one step, regardless of its duration.
            let longest = times[1..].iter().copied().fold(0.0, f64::max);
            assert!(longest <= 0.51, "{longest} s where a step takes {step} s");
        }
        let mut software = Pacing::of(wgpu::DeviceType::Cpu);
        run(&mut software, 20.0, 3);
        assert!(software.share() >= 1.0, "it has no watchdog");
        assert_eq!(Pacing { fixed: Some(7), ..Pacing::default() }.steps(), 7);
    }
}
