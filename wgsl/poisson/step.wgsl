// Step of conjugate gradients: p = u + β p, s = w + β s, P += α p, r −= α s, u = r over the diagonal
// (Chronopoulos, Gear 1989).
//!include common/control
//!include common/busy

//!read coefficient poisson_w poisson_scalars
//!write solution remainder
//!publish poisson_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let diagonal = coefficient[c].w;
    if (diagonal == 0.0) { return; }
    let alpha = poisson_scalars[own_world].x;
    let beta = poisson_scalars[own_world].y;
    let last = solution[c];
    let rest = remainder[c];
    let p = rest.x / diagonal + beta * last.y;
    let s = poisson_w[c] + beta * rest.y;
    let r = rest.x - alpha * s - poisson_scalars[own_world].w;
    solution[c] = vec2<f32>(last.x + alpha * p, p);
    remainder[c] = vec2<f32>(r, s);
    publish_poisson_u(c, r / diagonal);
}
