//! Time, convergence and failure, as passes keep them on the GPU (`wgsl/common/control.wgsl`).

use encase::ShaderType;
use glam::UVec4;

use crate::params::MAX_LOOPS;

/// A failure flag: a position or velocity is not finite.
pub const FAILURE_NOT_FINITE: u32 = 1;
/// A failure flag: a particle is 2²⁰ cells or more from the origin.
pub const FAILURE_RUNAWAY: u32 = 2;
/// A failure flag: the time step fell below `time.min_step`.
pub const FAILURE_TIME_STEP: u32 = 4;

/// The upper end of the window of active stages while no loop is stalled.
pub const WINDOW_OPEN: u32 = u32::MAX;

/// How an iterative loop did in the frame so far, once in each step.
#[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
pub struct LoopReport {
    /// Iterations.
    pub iterations: u32,
    /// Times it ended at the most iterations without reaching its tolerance.
    pub exhausted: u32,
    /// Sum of the residuals, in percent, with which it ended.
    pub residual_sum: f32,
    /// Largest of them.
    pub residual_max: f32,
}

/// The small buffer that passes write and the host only reads. Bound as a uniform where a pass
/// reads it, as read-write storage where it writes.
///
/// Simulated time is formed in f64 on the host: [`Control::time`].
#[derive(Clone, Copy, Debug, PartialEq, ShaderType)]
pub struct Control {
    /// Number of the frame that is being computed, or was when `frame_done` is 1.
    pub frame: u32,
    /// Steps completed since the start.
    pub step: u32,
    /// Steps completed in this frame.
    pub steps_in_frame: u32,
    /// 1 when the frame has reached its time: steps are inactive, frame-end passes active.
    pub frame_done: u32,
    /// Time since the start of the frame, in s.
    pub time_in_frame: f32,
    /// Length of the present step, in s.
    pub dt: f32,
    /// Live particles: they fill the slots `0..particle_count`.
    pub particle_count: u32,
    /// The id that the next emitted particle gets.
    pub next_id: u32,
    /// 0 until the first pipeline pass, of zero length, has found densities and accelerations.
    pub primed: u32,
    /// Iterations that the running (or last) loop has made.
    pub iteration: u32,
    /// 1 when the running loop has converged: its body is inactive.
    pub converged: u32,
    /// Iterations of all loops in this frame.
    pub iterations_in_frame: u32,
    /// What the loop compares with its tolerance.
    pub residual: f32,
    /// First stage number of the window of active stages.
    pub resume_lo: u32,
    /// End (exclusive) of the window of active stages, [`WINDOW_OPEN`] when nothing is stalled.
    pub resume_hi: u32,
    /// Failure flags, 0 while all is well.
    pub failure: u32,
    /// Smallest id among the particles that failed, `u32::MAX` when none did.
    pub failure_id: u32,
    /// Largest speed at the end of the last step, in m/s, as the bits of an f32 (bits of
    /// non-negative floats order like the floats, so an integer atomic finds the maximum).
    pub max_speed_bits: u32,
    /// Largest acceleration in the last step, in m/s², as the bits of an f32.
    pub max_acceleration_bits: u32,
    /// Failure flags found in this step; its end makes them `failure`. (A pass that set `failure`
    /// itself would silence its own later workgroups.)
    pub pending_failure: u32,
    /// How the step's loops did.
    pub loops: [LoopReport; MAX_LOOPS],
    /// The most iterations of each in one step of the frame.
    pub most_iterations: UVec4,
    /// Entries that the lists of candidates for neighbours need; while there is less room, the step is
    /// stalled.
    pub neighbours: u32,
    /// The share of the step that the limits of `time` allow which is taken: less than 1 while loops do not
    /// converge.
    pub step_share: f32,
    /// The longest of the last steps in s, by a tenth less for each step since: IISPH and DFSPH undo what is
    /// compressed as slowly as in that.
    pub longest_dt: f32,
}

impl Control {
    /// The state before the first step.
    #[must_use]
    pub fn start(particle_count: u32) -> Self {
        Self {
            frame: 0,
            step: 0,
            steps_in_frame: 0,
            frame_done: 0,
            time_in_frame: 0.0,
            dt: 0.0,
            particle_count,
            next_id: particle_count,
            primed: 0,
            iteration: 0,
            converged: 0,
            iterations_in_frame: 0,
            residual: 0.0,
            resume_lo: 0,
            resume_hi: WINDOW_OPEN,
            failure: 0,
            failure_id: u32::MAX,
            max_speed_bits: 0,
            max_acceleration_bits: 0,
            pending_failure: 0,
            neighbours: 0,
            step_share: 1.0,
            longest_dt: 0.0,
            loops: [LoopReport::default(); MAX_LOOPS],
            most_iterations: UVec4::ZERO,
        }
    }

    /// Largest speed at the end of the last step, in m/s.
    #[must_use]
    pub fn max_speed(&self) -> f32 {
        f32::from_bits(self.max_speed_bits)
    }

    /// Largest acceleration in the last step, in m/s².
    #[must_use]
    pub fn max_acceleration(&self) -> f32 {
        f32::from_bits(self.max_acceleration_bits)
    }

    /// Whether a loop ran out of recorded iterations and waits for the next recording.
    #[must_use]
    pub fn stalled(&self) -> bool {
        self.resume_lo != 0 || self.resume_hi != WINDOW_OPEN
    }

    /// Simulated time in s, given the length of a frame in s.
    #[must_use]
    pub fn time(&self, frame_duration: f64) -> f64 {
        // Frame 0 is the zero-length frame that holds the initial state; frame n ends at n·Δt, to
        // the last bit of f64, while `time_in_frame` holds Δt rounded to f32.
        if self.frame == 0 || self.frame_done == 1 {
            return f64::from(self.frame) * frame_duration;
        }
        f64::from(self.frame - 1) * frame_duration + f64::from(self.time_in_frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_end_at_multiples_of_their_length_exactly() {
        let length = 1.0 / 60.0;
        let mut control = Control::start(0);
        assert_eq!(control.time(length), 0.0);
        control.frame_done = 1;
        assert_eq!(control.time(length), 0.0, "the frame of the initial state has no length");
        control.frame = 3000;
        control.time_in_frame = length as f32;
        assert_eq!(control.time(length), 3000.0 * length, "f32 would be 1e-10 s off");
        control.frame_done = 0;
        control.time_in_frame = 0.0;
        assert_eq!(
            control.time(length),
            2999.0 * length,
            "a frame starts where the last one ended"
        );
        control.time_in_frame = 0.0078125;
        assert_eq!(control.time(length), 2999.0 * length + 0.0078125);
    }
}
