// w = A u of the equation of pressure, with what yielding bodies add (liquid/yield) in stages of the level 1, and each workgroup's part of r·u, u·w, max |r| and Σ r (Chronopoulos, Gear 1989).
//!include common/control
//!include common/hat
//!include common/dots

//!gather coefficient poisson_u
//!read remainder
//!write poisson_w poisson_dots

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var dots = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let own = coefficient_at(c);
        if (own.w > 0.0) {
            let u = poisson_u_at(c);
            var w = own.w * u;
            if (HAS_BODIES && stage.level == 1u) { w += poisson_w[c]; }
            // Coefficients between cells that have no equation are 0.
            for (var axis = 0u; axis < axes(); axis++) {
                let below = cell_number(wrap_next(cell - along(axis)));
                let above = cell_number(wrap_next(cell + along(axis)));
                w -= own[axis] * poisson_u_at(below) + coefficient_at(above)[axis] * poisson_u_at(above);
            }
            poisson_w[c] = w;
            let r = remainder[c].x;
            dots = vec4<f32>(r * u, u * w, abs(r), r);
        }
    }
    let all = workgroup_dots(dots, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
