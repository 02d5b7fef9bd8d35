//! Pacing of simulated time against the clock.

use std::time::Duration;

use web_time::Instant;

/// Keeps simulated time in step with the clock and never catches up: a simulation that is too slow
/// runs as fast as it can, and continues at the normal pace once it is fast enough.
#[derive(Debug)]
pub struct Pace {
    /// Simulated seconds per real second; `None` is unlimited.
    scale: Option<f64>,
    /// A point on the clock and the simulated time at it.
    anchor: Option<(Instant, f64)>,
}

/// Lag in real seconds beyond which the anchor is reset.
const MAX_LAG: f64 = 0.05;
/// Longest wait, so that commands are handled promptly.
const MAX_WAIT: Duration = Duration::from_millis(4);

impl Default for Pace {
    fn default() -> Self {
        Self { scale: Some(1.0), anchor: None }
    }
}

impl Pace {
    /// A pace of one simulated second per second.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets simulated seconds per real second; `None` is unlimited.
    pub fn set_scale(&mut self, scale: Option<f64>) {
        self.scale = scale.filter(|scale| scale.is_finite() && *scale > 0.0);
        self.anchor = None;
    }

    /// Restarts the pacing after a pause or a reset.
    pub fn restart(&mut self) {
        self.anchor = None;
    }

    /// Time to wait before more steps, given the simulated time reached; `None` to continue at
    /// once.
    pub fn wait(&mut self, now: Instant, time: f64) -> Option<Duration> {
        let scale = self.scale?;
        let (start, at_start) = *self.anchor.get_or_insert((now, time));
        let due = at_start + scale * (now - start).as_secs_f64();
        let ahead = (time - due) / scale;
        if ahead > 0.0 {
            return Some(Duration::from_secs_f64(ahead.min(1.0)).min(MAX_WAIT));
        }
        if ahead < -MAX_LAG {
            self.anchor = Some((now, time));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simulated_time_keeps_to_the_clock_and_never_catches_up() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut pace = Pace::new();
        pace.set_scale(Some(0.5));
        assert_eq!(pace.wait(at(0), 1.0), None);
        assert_eq!(pace.wait(at(10), 1.006), Some(Duration::from_millis(2)));
        assert_eq!(pace.wait(at(12), 1.006), None);
        assert_eq!(pace.wait(at(1000), 1.006), None, "far behind");
        assert!(pace.wait(at(1000), 1.016).is_some(), "it does not catch up");
        pace.set_scale(None);
        assert_eq!(pace.wait(at(1000), 9.0), None);
    }
}
