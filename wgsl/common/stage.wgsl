// The stage's own small uniform, at a dynamic offset, and the test that every pass begins with.
//!include shared/failures
//!include shared/stage_uniform

@group(0) @binding(2) var<uniform> stage: StageUniform;

// False if the simulation has failed, the frame is complete, or the stage is outside the window: its loop has ended, another one goes
// on, or the step is stalled; or if its loop begins with a later stage (`active` is a reserved word in WGSL). Between steps (phase 2) nothing is done while a step waits for
// further iterations of a loop: it needs what the sort has left.
fn is_active() -> bool {
    let is_between = stage.phase == 2u && control.resume_lo == 0u && control.resume_hi == WINDOW_OPEN;
    return control.failure == 0u
        && (control.frame_done == stage.phase || is_between)
        && stage.number >= control.resume_lo
        && stage.number < control.resume_hi
        && (stage.not_first == 0u || control.iteration > 0u);
}

// Workgroups of passes over the members of clusters.
fn cluster_group_count() -> u32 {
    return control.cluster_groups.x * control.cluster_groups.y;
}

// Whether a pass over particles handles slot i. Some handle fluid alone, which comes first in the sorted order.
fn has_particle(i: u32) -> bool {
    return i < min(control.particle_count, stage.element_count);
}

// Element of this invocation, in a dispatch that may be folded.
fn element(global_id: vec3<u32>) -> u32 {
    return global_id.x + global_id.y * stage.row;
}
