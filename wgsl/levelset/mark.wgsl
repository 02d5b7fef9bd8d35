// Number of particles of the surface or of a splash in each cell; 0 in an element more, for their sums.
//!include common/control
//!include common/free_surface

//!read cell_start tension_class
//!write levelset_count

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    var count = 0u;
    if (i < params.grid.cell_count) {
        for (var j = cell_start[i]; j < cell_start[i + 1u]; j++) {
            if (tension_class[j] >= CLASS_SURFACE) { count += 1u; }
        }
    }
    levelset_count[i] = count;
}
