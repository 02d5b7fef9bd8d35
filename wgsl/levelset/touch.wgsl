// Sets 1 for each cell with a particle of the surface or of a splash in it or in one of the 26 cells around it, on the torus:
// particles of other cells are farther than h from the surface, those outside of the box, too.
//!include common/control
//!include common/torus
//!include common/cells

//!read levelset_count
//!write levelset_flag

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let cell = cell_at(i);
    var around = 0u;
    for (var k = 0; k < 27; k++) {
        around += levelset_count[cell_number(wrap_next(cell + vec3<i32>(k % 3, k / 3 % 3, k / 9) - 1))];
    }
    levelset_flag[i] = select(0u, 1u, around > 0u);
}
