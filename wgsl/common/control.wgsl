// Control for passes that only read it: a uniform. Same layout as common/control_write.
//!include common/params
//!include common/stage

struct LoopReport {
    iterations: u32,
    exhausted: u32,
    residual_sum: f32,
    residual_max: f32,
}

struct Control {
    frame: u32,
    step: u32,
    steps_in_frame: u32,
    frame_done: u32,
    time_in_frame: f32,
    dt: f32,
    particle_count: u32,
    next_id: u32,
    primed: u32,
    iteration: u32,
    converged: u32,
    iterations_in_frame: u32,
    residual: f32,
    resume_lo: u32,
    resume_hi: u32,
    failure: u32,
    failure_id: u32,
    max_speed_bits: u32,
    max_acceleration_bits: u32,
    pending_failure: u32,
    loops: array<LoopReport, 4>,
    most_iterations: vec4<u32>,
    neighbours: u32,
    step_share: f32,
    longest_dt: f32,
}

@group(0) @binding(1) var<uniform> control: Control;

// False when the simulation failed, the frame is done, the loop has converged or the step is
// stalled (`active` is a reserved word in WGSL).
fn is_active() -> bool {
    return stage_is_active(control.failure, control.frame_done, control.resume_lo,
                           control.resume_hi, control.converged);
}
