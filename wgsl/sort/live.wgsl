// Number of live particles after removals: removed ones are in the bucket after the last one.
//!include common/control_write
//!include common/buckets

//!read cell_start

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.particle_count = cell_start[removed_bucket()];
}
