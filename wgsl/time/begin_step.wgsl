// Length of the time step (common/step_length), where there are no solids.
//!include common/step_length

@compute @workgroup_size(1)
fn main() {
    if (is_active()) { begin_step(); }
}
