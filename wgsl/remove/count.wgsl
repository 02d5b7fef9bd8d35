// Number of particles that are left.
//!include common/control_write

//!read removed_start

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.particle_count -= removed_start[stage.element_count - 1u];
}
