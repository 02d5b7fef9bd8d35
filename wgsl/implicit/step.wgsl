// Step of conjugate gradients for the velocities in `node`: p = u + β p, s = w + β s, v += α p, r −= α s, u = r over inertia and
// stiffness of the node, which is in the w lane of w (Chronopoulos, Gear 1989).
//!include common/implicit

//!read implicit_w implicit_scalars
//!write node implicit_p implicit_r implicit_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let own = inertia_of(c);
    if (!own.is_unknown) { return; }
    let alpha = implicit_scalars[0].x;
    let beta = implicit_scalars[0].y;
    let w = implicit_w[c];
    // p, and s. What they held before the first iteration does not matter, even if it is not a number.
    let last = implicit_p[c];
    let p = implicit_u[c].xyz + select(vec3<f32>(0.0), beta * last[0].xyz, beta > 0.0);
    let s = w.xyz + select(vec3<f32>(0.0), beta * last[1].xyz, beta > 0.0);
    let r = implicit_r[c].xyz - alpha * s;
    let v = node[c];
    implicit_p[c] = array<vec4<f32>, 2>(vec4<f32>(p, 0.0), vec4<f32>(s, 0.0));
    node[c] = vec4<f32>(v.xyz + alpha * p, v.w);
    implicit_r[c] = vec4<f32>(r, 0.0);
    implicit_u[c] = vec4<f32>(preconditioned(own, w.w, r), 0.0);
}
