// Coefficients of the equation of pressure: of the lower faces between liquid cells, and the diagonal, 0 where there is no
// liquid. A cell with a particle and an open face is liquid.
//!include common/control
//!include common/poisson

//!read cell_start
//!write coefficient

fn has_fluid(c: u32) -> bool {
    return cell_start[c + 1u] > cell_start[c];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    var a = vec4<f32>(0.0);
    if (has_fluid(c)) {
        let cell = cell_at(c);
        for (var axis = 0u; axis < params.world.dimensions; axis++) {
            let below = wrap_next(cell - along(axis));
            let above = wrap_next(cell + along(axis));
            if (is_open(c, axis)) {
                let wet = has_fluid(cell_number(below));
                a[axis] = select(0.0, 1.0, wet);
                a.w += select(1.0 / surface_part(c, below), 1.0, wet);
            }
            if (is_open(cell_number(above), axis)) {
                a.w += select(1.0 / surface_part(c, above), 1.0, has_fluid(cell_number(above)));
            }
        }
    }
    coefficient[c] = a;
}
