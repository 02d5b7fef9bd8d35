// The stage's own small uniform, at a dynamic offset, and the test that every pass begins with.
//!include shared/failures
//!include shared/stage_uniform

@group(0) @binding(2) var<uniform> stage: StageUniform;

// Between steps (phase 2) nothing is done while a step waits for further iterations of a loop: it needs what the sort has left.
fn stage_is_active(failure: u32, frame_done: u32, resume_lo: u32, resume_hi: u32, converged: u32) -> bool {
    let is_between = stage.phase == 2u && resume_lo == 0u && resume_hi == WINDOW_OPEN;
    return failure == 0u
        && (frame_done == stage.phase || is_between)
        && stage.number >= resume_lo
        && stage.number < resume_hi
        && (stage.loop_body & converged) == 0u;
}

// Element of this invocation, in a dispatch that may be folded.
fn element(global_id: vec3<u32>) -> u32 {
    return global_id.x + global_id.y * stage.row;
}
