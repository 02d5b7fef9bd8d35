// The time at the start in which fluid comes to rest under its weight: its velocities die out, and bodies are held.

// Time in s in which a velocity falls by a factor of e.
const CALM = 0.05;

fn is_settling() -> bool {
    let now = f32(max(control.frame, 1u) - 1u) * params.time.frame_duration + control.time_in_frame;
    return now < params.time.settle;
}
