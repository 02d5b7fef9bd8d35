// Matrix of the pressure Poisson equation in air: open shares of the lower faces between cells, times the lightness of the air, and
// the diagonal, 0 in solids.
// Outside of the domain is P = 0, half a cell beyond the centres of its last cells. All cells are full: the cover is 1.
//!include common/control
//!include common/open_faces
//!include common/lightness

//!write coefficient cover

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    let cell = cell_at(c);
    var a = vec4<f32>(0.0);
    if (is_inner(cell)) {
        for (var axis = 0u; axis < params.world.dimensions; axis++) {
            let below = wrap_next(cell - along(axis));
            let above = wrap_next(cell + along(axis));
            let of_lower = open_share(c, axis) * lightness(c, cell_number(below));
            let of_upper = open_share(cell_number(above), axis) * lightness(c, cell_number(above));
            a[axis] = select(0.0, of_lower, is_inner(below));
            a.w += of_lower * select(2.0, 1.0, is_inner(below)) + of_upper * select(2.0, 1.0, is_inner(above));
        }
    }
    coefficient[c] = a;
    cover[c] = 1.0;
}
