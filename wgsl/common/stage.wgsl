// The stage's own small uniform, at a dynamic offset, and the test that every pass begins with.

struct Stage {
    // Place in the step; repetitions of a loop's body share theirs.
    number: u32,
    // How many elements the pass handles, where the host knows it.
    element_count: u32,
    // Invocations in one row of a dispatch that was folded into two dimensions.
    row: u32,
    // 0: active within a frame; 1: when it is done; 2: at any time.
    phase: u32,
    // 1 + the loop's place in params.loops; 0 outside loops.
    loop_index: u32,
    // 1 in the body of a loop: inactive once it has converged.
    loop_body: u32,
    // Number of the first stage in the loop's body.
    loop_first: u32,
    reserved: u32,
}

@group(0) @binding(2) var<uniform> stage: Stage;

const FAILURE_NOT_FINITE = 1u;
const FAILURE_RUNAWAY = 2u;
const FAILURE_TIME_STEP = 4u;
const WINDOW_OPEN = 0xffffffffu;

fn stage_is_active(failure: u32, frame_done: u32, resume_lo: u32, resume_hi: u32, converged: u32) -> bool {
    return failure == 0u
        && (frame_done == stage.phase || stage.phase == 2u)
        && stage.number >= resume_lo
        && stage.number < resume_hi
        && (stage.loop_body & converged) == 0u;
}

// The element of this invocation, in a dispatch that may be folded.
fn element(global_id: vec3<u32>) -> u32 {
    return global_id.x + global_id.y * stage.row;
}
