// Start of conjugate gradients from the pressure of the last step: r = b − A P, with what yielding bodies add to A P
// (liquid/yield) in stages of the level 1.
//!include common/control
//!include common/hat
//!include common/busy

//!read coefficient solution poisson_scalars poisson_w
//!write remainder
//!publish poisson_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = coefficient[c];
    var r = 0.0;
    if (own.w > 0.0) {
        r = remainder[c].x - poisson_scalars[own_world].x - own.w * solution[c].x;
        if (HAS_BODIES && stage.level == 1u) { r -= poisson_w[c]; }
        for (var axis = 0u; axis < axes(); axis++) {
            let below = cell_number(wrap_next(cell - along(axis)));
            let above = cell_number(wrap_next(cell + along(axis)));
            r += own[axis] * solution[below].x + coefficient[above][axis] * solution[above].x;
        }
    }
    remainder[c] = vec2<f32>(r, 0.0);
    publish_poisson_u(c, select(0.0, r / max(own.w, 1e-30), own.w > 0.0));
}
