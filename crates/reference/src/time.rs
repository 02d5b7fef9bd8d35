//! Frames and steps (`wgsl/time/`).

use meniscus_methods::passes::TARGETS;
use meniscus_model::Params;
use meniscus_model::control::{Control, FAILURE_TIME_STEP, FRAME_END};

use crate::World;

/// A fixed step may be this much longer: the f32 clock would otherwise leave a sliver.
const LONGER: f64 = 1.01;

/// Growth per step of steps that loops have shortened.
const LONGER_SHARE: f32 = 1.05;

/// Factor on the longest step's length after one step.
const FORGET: f32 = 0.9;

/// Factor on a signal by pressure after one step.
const HOLD: f32 = 0.95;

/// Simulated time in s at the start of the current step.
pub(crate) fn now(world: &World) -> f64 {
    let frames = f64::from(world.control.frame.saturating_sub(1));
    frames * f64::from(world.params.time.frame_duration) + f64::from(world.control.time_in_frame)
}

/// Goes on to the first target that is not reached, in a new frame if the last one is complete. Without one nothing goes on.
pub(crate) fn begin_frame(world: &mut World) {
    let control = &mut world.control;
    let now = match control.frame_done {
        1 => f32::INFINITY,
        _ => control.time_in_frame,
    };
    let place = |number: u32| world.targets[1 + (number % TARGETS) as usize];
    let numbers = control.targets_reached..world.targets[0][0];
    let ahead = |number: &u32| {
        let [frame, bits] = place(*number);
        frame > control.frame || frame == control.frame && f32::from_bits(bits) > now
    };
    let next = numbers.clone().find(ahead);
    control.targets_reached = next.unwrap_or(numbers.end);
    let Some([frame, bits]) = next.map(place) else {
        if control.frame_done == 0 {
            control.frame_done = 2;
        }
        return;
    };
    if control.frame_done == 1 {
        control.frame += 1;
        control.steps_in_frame = 0;
        control.iterations_in_frame = 0;
        control.loops = Default::default();
        control.time_in_frame = 0.0;
    }
    control.frame_done = 0;
    control.stop_time = if frame == control.frame { f32::from_bits(bits) } else { FRAME_END };
}

/// Time in s since the start of the frame at which the steps stop: its end, or where the program wants it.
fn end(params: &Params, control: &Control) -> f32 {
    params.time.frame_duration.min(control.stop_time)
}

/// Chooses Δt: 0 before the first step, else an equal part of the frame, no longer than the fixed
/// step or the rest of the frame, so that the frame's end is reached exactly. Resets both maxima.
pub(crate) fn begin_step(world: &mut World) {
    let (params, control) = (&world.params, &mut world.control);
    let (stiffness, expected) = (params.sph.stiffness, params.world.expected_speed);
    let held = match control.primed {
        0 => (0.5 * stiffness).sqrt() * expected,
        _ if stiffness > 0.0 => HOLD * control.held_signal,
        _ => 0.0,
    };
    control.held_signal = held.max(f32::from_bits(control.max_signal_bits));
    let remaining = f64::from(end(params, control)) - f64::from(control.time_in_frame);
    let fixed = f64::from(params.time.fixed_step);
    let dt = if control.primed == 0 {
        0.0
    } else if fixed > 0.0 {
        let steps = (f64::from(params.time.frame_duration) / (LONGER * fixed)).ceil();
        let step = f64::from(params.time.frame_duration) / steps;
        if remaining < step * LONGER { remaining } else { step }
    } else {
        let steps = (remaining / step_limit(params, control) * (1.0 - 1e-6)).ceil();
        remaining / steps.max(1.0)
    };
    if control.primed != 0 && dt < f64::from(params.time.min_step) && dt < remaining {
        control.failure |= FAILURE_TIME_STEP;
    }
    control.dt = dt as f32;
    control.longest_dt = control.dt.max(FORGET * control.longest_dt);
    control.max_speed_bits = 0;
    control.max_acceleration_bits = 0;
    control.max_signal_bits = 0;
}

/// Longest stable step in s (Monaghan 1992): the least of `max_step`, cfl · 0.4 h/(c + |v|max), or 0.1 h/|v|max without sound,
/// and cfl · 0.25 √(h/|a|max), reduced while loops do not converge.
fn step_limit(params: &Params, control: &Control) -> f64 {
    let length = f64::from(params.time.length);
    let cfl = f64::from(params.time.cfl);
    let speed = f64::from(control.max_speed()).max(f64::from(params.time.min_speed));
    let acceleration = f64::from(control.max_acceleration()).max(1e-20);
    let share = f64::from(params.time.step_share);
    let signal = f64::from(control.held_signal).max(f64::from(params.time.sound_speed) + speed);
    let limit = f64::from(params.time.max_step)
        .min(cfl * share * length / signal)
        .min(cfl * 0.25 * (length / acceleration).sqrt());
    f64::from(control.step_share) * limit
}

/// Adds Δt to the frame's time, in f32 like the GPU, and ends the frame when it is complete. The
/// very first step, of length 0, ends frame 0. A failure found by the step's check stops time
/// instead.
pub(crate) fn end_step(world: &mut World) {
    let (params, control) = (&world.params, &mut world.control);
    control.resume_lo = 0;
    control.loop_groups.fill(control.cluster_groups);
    if control.pending_failure != 0 {
        control.failure = control.pending_failure;
        return;
    }
    if control.primed == 0 {
        control.primed = 1;
        control.frame_done = 1;
        return;
    }
    control.step_share = (LONGER_SHARE * control.step_share).min(1.0);
    control.step += 1;
    control.steps_in_frame += 1;
    let end = end(params, control);
    if control.dt >= end - control.time_in_frame {
        control.time_in_frame = end;
        control.frame_done = if end < params.time.frame_duration { 2 } else { 1 };
    } else {
        control.time_in_frame += control.dt;
    }
}
