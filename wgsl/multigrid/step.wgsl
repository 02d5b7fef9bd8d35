// Step of conjugate gradients: p = u + β p, s = w + β s, P += α p, r −= α s (Chronopoulos, Gear 1989), with the u that the
// levels made.
//!include common/control
//!include common/busy

//!read coefficient poisson_u poisson_w poisson_scalars
//!write solution remainder

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    if (coefficient[c].w == 0.0) { return; }
    let alpha = poisson_scalars[0].x;
    let beta = poisson_scalars[0].y;
    let last = solution[c];
    let rest = remainder[c];
    let p = poisson_u[c] + beta * last.y;
    let s = poisson_w[c] + beta * rest.y;
    solution[c] = vec2<f32>(last.x + alpha * p, p);
    remainder[c] = vec2<f32>(rest.x - alpha * s - poisson_scalars[0].w, s);
}
