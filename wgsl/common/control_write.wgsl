// Control for passes that write it: storage. Members that several invocations may write at once are
// atomic, with operations whose order does not matter.
//!include common/params
//!include common/stage
//!include shared/control_write

@group(0) @binding(1) var<storage, read_write> control: Control;

fn is_active() -> bool {
    return stage_is_active(control.failure, control.frame_done, control.resume_lo,
                           control.resume_hi, control.converged);
}

// Whether a pass over particles handles slot i. Some handle fluid alone, which comes first in the sorted order.
fn has_particle(i: u32) -> bool {
    return i < min(control.particle_count, stage.element_count);
}
