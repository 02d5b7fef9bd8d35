// Number of live particles after removals: removed ones are in the bucket after the last one.
//!include common/control_write

@group(1) @binding(0) var<storage, read> cell_start: array<u32>;

@compute @workgroup_size(1)
fn main() {
    if (!is_active()) { return; }
    control.particle_count = cell_start[2u * params.grid.cell_count];
}
