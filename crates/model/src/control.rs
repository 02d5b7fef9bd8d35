//! Time, convergence and failure, as passes keep them on the GPU.

use glam::{UVec3, UVec4};
use meniscus_shared::{Struct, shared, shared_constants};

use crate::params::MAX_LOOPS;

shared_constants! {
    failures {
        /// Failure flag: a position or velocity is not finite.
        FAILURE_NOT_FINITE: u32 = 1;
        /// Failure flag: a particle is 2²⁰ cells or more from the origin.
        FAILURE_RUNAWAY: u32 = 2;
        /// Failure flag: the time step fell below `time.min_step`.
        FAILURE_TIME_STEP: u32 = 4;
        /// Failure flag: a cell of a grid method has more than 1,024 particles.
        FAILURE_CROWD: u32 = 16;
        /// The upper end of the window of active stages while no loop is stalled.
        WINDOW_OPEN: u32 = u32::MAX;
        /// A time in the frame that is never reached, in s: the frame's end comes first.
        FRAME_END: f32 = 1e30;
    }
}

shared! {
    /// Report of an iterative loop, which runs once in each step of the frame.
    struct LoopReport {
        /// Iterations.
        iterations: u32,
        /// Number of times it reached its maximum of iterations without converging.
        exhausted: u32,
        /// Sum of the final residuals, in percent.
        residual_sum: f32,
        /// Largest final residual, in percent.
        residual_max: f32,
    }

    /// The small buffer that passes write and the host only reads. It is bound as a uniform to
    /// passes that read it, as read-write storage to those that write it.
    ///
    /// Simulated time is formed in f64 on the host: [`Control::time`].
    struct Control {
        /// Number of the frame being computed, or last computed if `frame_done` is 1.
        frame: u32,
        /// Steps completed since the start.
        step: u32,
        /// Steps completed in this frame.
        steps_in_frame: u32,
        /// 1 when the frame is complete, 2 when a target within it is reached: steps are inactive.
        frame_done: u32,
        /// Time since the start of the frame, in s.
        time_in_frame: f32,
        /// Length of the current step, in s.
        dt: f32,
        /// Live particles: they fill the slots `0..particle_count`.
        particle_count: u32,
        /// Id of the next emitted particle.
        next_id: u32,
        /// 0 until the very first step, of length 0, has computed densities and accelerations.
        primed: u32,
        /// Iterations of the running loop; 0 between loops.
        iteration: u32,
        /// Iterations of all loops in this frame.
        iterations_in_frame: u32,
        /// Residual, which the loop compares with its tolerance.
        residual: f32,
        /// First stage of the window of active stages: of a loop that runs, or behind the last one that has ended.
        resume_lo: u32,
        /// End (exclusive) of the window of active stages; [`WINDOW_OPEN`] if nothing runs on.
        resume_hi: u32 = WINDOW_OPEN,
        /// Failure flags, 0 while all is well.
        failure: u32,
        /// Smallest id of the particles that failed; `u32::MAX` if none did.
        failure_id: u32 as atomic = u32::MAX,
        /// Largest speed at the end of the last step, in m/s, as the bits of an f32 (bits of
        /// non-negative floats order like the floats, so an integer atomic finds the maximum).
        max_speed_bits: u32 as atomic,
        /// Largest acceleration in the last step, in m/s², as the bits of an f32.
        max_acceleration_bits: u32 as atomic,
        /// Failure flags found in this step; the end of the step copies them to `failure`. (A pass
        /// that set `failure` itself would deactivate its own later workgroups.)
        pending_failure: u32 as atomic,
        /// Entries needed by the lists of neighbour candidates; the step is stalled while there is
        /// less room.
        neighbours: u32,
        /// Reports of the step's loops.
        loops: [LoopReport; MAX_LOOPS],
        /// Most iterations of each loop in one step of the submission.
        most_iterations: UVec4,
        /// Workgroups in x, y and z of passes over the members of clusters, or over the busy cells of a grid method.
        cluster_groups: UVec3,
        /// Workgroups as in `cluster_groups` of passes in a loop until it ends, then 0: of every other loop of a step, and of those
        /// between them.
        loop_groups: [UVec3; 2],
        /// Share of the largest allowed step that is used: less than 1 while loops do not converge.
        step_share: f32 = 1.0,
        /// Longest recent step in s, decaying by a tenth per step: IISPH and DFSPH correct
        /// compression no faster than with that step.
        longest_dt: f32,
        /// Fastest signal in the last step of a grid method, the speed of sound and the particle's, in m/s, as the bits of
        /// an f32.
        max_signal_bits: u32 as atomic,
        /// Signal by pressure that limits steps, in m/s: the last step's, or 0.95 of the one before it if that is more, since
        /// water that falls has no pressure until it hits the floor.
        held_signal: f32,
        /// Particles that left through open sides of a grid method's box.
        left: u32 as atomic,
        /// Time in the frame, in s, at which a step ends because the program wants to stop there.
        stop_time: f32 = FRAME_END,
        /// Targets of the program that have been reached.
        targets_reached: u32,
    }

    /// The stage's own small uniform, at a dynamic offset.
    struct StageUniform {
        /// Index in the step; iterations of a loop's body share theirs.
        number: u32,
        /// Elements that the pass handles, if the host knows the number.
        element_count: u32,
        /// Invocations in one row of a dispatch that was folded into two dimensions.
        row: u32,
        /// 0: active within a frame; 1: when it is done; 2: at any time between steps.
        phase: u32,
        /// 1 + the loop's index in `params.loops`; 0 outside loops.
        loop_index: u32,
        /// Index of the first stage in the loop's body, for the stage that tests it.
        loop_first: u32,
        /// Level of the multigrid that the pass works on.
        level: u32,
        /// Place of the loop's workgroups in `loop_groups`.
        loop_place: u32,
        /// 1 if the first iteration of the stage's loop is without it.
        not_first: u32,
    }
}

impl Control {
    /// State before the first step.
    #[must_use]
    pub fn start(particle_count: u32) -> Self {
        Self { particle_count, next_id: particle_count, ..Self::default() }
    }

    /// Offset in bytes of a field.
    ///
    /// # Errors
    /// A sentence: there is none of that name.
    pub fn offset_of(field: &str) -> Result<u64, String> {
        let Struct { fields, offsets, .. } = Self::STRUCT;
        let number = fields.iter().position(|known| known.name == field);
        number.map(|number| offsets[number]).ok_or_else(|| {
            let names: Vec<_> = fields.iter().map(|known| known.name).collect();
            format!("Control has no field {field:?}, but {}", names.join(", "))
        })
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
        // Frame 0 has length 0 and holds the initial state; frame n ends at n·Δt, exact in f64,
        // while `time_in_frame` holds Δt rounded to f32.
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
    fn fields_are_found_and_others_named() {
        assert_eq!(Control::offset_of(Control::STRUCT.fields[0].name), Ok(0));
        let error = Control::offset_of("typo").expect_err("no field");
        assert!(error.starts_with("Control has no field \"typo\", but "), "{error}");
    }

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
