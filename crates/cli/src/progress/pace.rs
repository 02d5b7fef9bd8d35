//! How long the frames to come take, by those that are done.

use std::time::Instant;

/// Share of the frames done that the mean forgets: frames become dearer as a tank fills, and single ones are dear as when
/// pipelines are made, so neither all of them nor the last one tells.
const MEMORY: f64 = 0.25;
/// Frames that are remembered at least.
const SHORTEST: f64 = 6.0;
/// Longest time to go in s that is said.
const LONGEST: f64 = 1e9;

/// A mean of the time of a frame that forgets slowly.
#[derive(Debug)]
pub(super) struct Pace {
    last: Instant,
    frames: u32,
    /// Mean of the last frames in s.
    mean: f64,
}

impl Pace {
    pub(super) fn new(begin: Instant) -> Self {
        Self { last: begin, frames: 0, mean: 0.0 }
    }

    /// A frame ended.
    pub(super) fn frame(&mut self, now: Instant) {
        let took = now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.frames = self.frames.saturating_add(1);
        let done = f64::from(self.frames);
        self.mean += (took - self.mean) / done.min((MEMORY * done).max(SHORTEST));
    }

    /// Time in s until this many frames have been done. `None` before the first one.
    pub(super) fn to_go(&self, frames: u64, now: Instant) -> Option<f64> {
        let since = now.saturating_duration_since(self.last).as_secs_f64();
        // A frame that takes longer than the mean makes the rest wait.
        let this = (self.mean - since).max(0.0);
        let others = self.mean * frames.saturating_sub(1) as f64;
        (self.frames > 0).then(|| if frames == 0 { 0.0 } else { (this + others).min(LONGEST) })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Times to go after each of these frames, in s.
    fn told(times: impl IntoIterator<Item = f64>, total: u64) -> Vec<f64> {
        let begin = Instant::now();
        let (mut pace, mut now) = (Pace::new(begin), begin);
        assert_eq!(pace.to_go(total, now), None);
        let told = times.into_iter().zip(1..).map(|(seconds, done)| {
            now += Duration::from_secs_f64(seconds);
            pace.frame(now);
            pace.to_go(total - done, now).expect("a frame is done")
        });
        told.collect()
    }

    #[test]
    fn frames_of_one_length_are_told_exactly() {
        for (told, left) in told([2.0; 10], 10).into_iter().zip((0..10).rev()) {
            assert!((told - 2.0 * f64::from(left)).abs() < 1e-9, "{told} for {left} frames");
        }
    }

    #[test]
    fn single_dear_frames_do_not_shake_it() {
        // Every fifth frame takes three times as long; the first makes the pipelines.
        let times = |k: usize| if k.is_multiple_of(5) { 3.0 } else { 1.0 };
        let told = told((0..100).map(times), 100);
        for (done, told) in told.iter().enumerate().take(95).skip(30) {
            let due: f64 = (done + 1..100).map(times).sum();
            assert!((told / due - 1.0).abs() < 0.2, "{told} s of {due} s after {}", done + 1);
        }
    }

    #[test]
    fn frames_that_become_dearer_are_followed() {
        // The mean of all of them would tell half.
        let told = told((0..200).map(|k| if k < 100 { 1.0 } else { 4.0 }), 200);
        assert!((told[149] / (4.0 * 50.0) - 1.0).abs() < 0.2, "{} s after 150 frames", told[149]);
    }
}
