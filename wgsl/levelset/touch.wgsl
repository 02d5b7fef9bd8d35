// Sets 1 for each cell that has a particle of the surface or of a splash in it or in one of the 26 cells around.
//!include common/control
//!include common/levelset
//!include common/free_surface

//!read cell_start tension_class
//!write levelset_flag

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let cell = cell_at(i);
    var touched = 0u;
    for (var k = 0; k < 27; k++) {
        let other = image_of(cell + vec3<i32>(k % 3, k / 3 % 3, k / 9) - 1);
        if (!in_box(other)) { continue; }
        let number = cell_number(other);
        for (var j = cell_start[number]; j < cell_start[number + 1u]; j++) {
            if (tension_class[j] >= CLASS_SURFACE) { touched = 1u; }
        }
    }
    levelset_flag[i] = touched;
}
