// Control for passes that only read it: a uniform.
//!include common/params
//!include common/stage
//!include shared/control

@group(0) @binding(1) var<uniform> control: Control;

// Workgroups of passes over the members of clusters.
fn cluster_group_count() -> u32 {
    return control.cluster_groups.x * control.cluster_groups.y;
}

// False if the simulation has failed, the frame is complete, the loop has converged or the step is
// stalled (`active` is a reserved word in WGSL).
fn is_active() -> bool {
    return stage_is_active(control.failure, control.frame_done, control.resume_lo,
                           control.resume_hi, control.converged);
}

// Whether a pass over particles handles slot i. Some handle fluid alone, which comes first in the sorted order.
fn has_particle(i: u32) -> bool {
    return i < min(control.particle_count, stage.element_count);
}
