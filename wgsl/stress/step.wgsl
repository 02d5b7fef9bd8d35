// Step of conjugate gradients for the velocities u in `face_other`: p = z + β p, s = w + β s, u += α p, r −= α s, z = r over the
// diagonal, which is in the w lane of w (Chronopoulos, Gear 1989).
//!include common/control
//!include common/hat
//!include common/busy

//!write face_other
//!read diffusion_w diffusion_scalars
//!write diffusion_p diffusion_s diffusion_r
//!publish diffusion_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let alpha = diffusion_scalars[0][0].x;
    let beta = diffusion_scalars[0][0].y;
    let own = diffusion_w[c];
    // What p and s held before the first iteration does not matter, even if it is not a number.
    let p = diffusion_u[c] + select(vec4<f32>(0.0), beta * diffusion_p[c], beta > 0.0);
    let s = vec4<f32>(own.xyz, 0.0) + select(vec4<f32>(0.0), beta * diffusion_s[c], beta > 0.0);
    let r = diffusion_r[c] - alpha * s;
    diffusion_p[c] = p;
    diffusion_s[c] = s;
    face_other[c] += alpha * p;
    diffusion_r[c] = r;
    publish_diffusion_u(c, own.w * r);
}
