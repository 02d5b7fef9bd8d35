// Opens an iterative loop.
//!include common/control_write

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.iteration = 0u;
    control.converged = 0u;
    control.loop_groups = control.cluster_groups;
}
