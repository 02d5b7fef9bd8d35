// Sets 1 for each cell that has a particle of the surface or of a splash in it.
//!include common/control
//!include common/free_surface

//!read cell_start tension_class
//!write levelset_mark

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    var marked = 0u;
    for (var j = cell_start[i]; j < cell_start[i + 1u]; j++) {
        if (tension_class[j] >= CLASS_SURFACE) { marked = 1u; }
    }
    levelset_mark[i] = marked;
}
