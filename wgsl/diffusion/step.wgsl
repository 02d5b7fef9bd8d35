// Step of conjugate gradients for the diffusion of the values q in `face_other`: p = u + β p, s = w + β s, q += α p,
// r −= α s, u = r over the diagonal (Chronopoulos, Gear 1989).
//!include common/control
//!include common/diffusion

//!write face_other
//!read diffusion_w
//!write diffusion_p diffusion_s diffusion_r
//!publish diffusion_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    // All cells are busy, in any order; the last block may end beyond them.
    let c = element(global_id);
    if (c >= params.grid.cell_count) { return; }
    if (all(sums_of(c) == vec4<f32>(0.0))) { return; }
    let alpha = diffusion_scalars[0][0].x;
    let beta = diffusion_scalars[0][0].y;
    // What p and s held before the first iteration does not matter, even if it is not a number.
    let p = diffusion_u[c] + select(vec4<f32>(0.0), beta * diffusion_p[c], beta > 0.0);
    let s = diffusion_w[c] + select(vec4<f32>(0.0), beta * diffusion_s[c], beta > 0.0);
    let r = diffusion_r[c] - alpha * s;
    diffusion_p[c] = p;
    diffusion_s[c] = s;
    face_other[c] += alpha * p;
    diffusion_r[c] = r;
    publish_diffusion_u(c, r / diagonal(c));
}
