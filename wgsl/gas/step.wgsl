// Step of conjugate gradients for the velocities u of liquid and gas in `face_other`, as stress/step, with a diagonal for each face: a
// cell at the surface has faces of both.
//!include common/control
//!include common/gas_links

//!write face_other
//!read diffusion_w
//!write diffusion_p diffusion_s diffusion_r
//!publish diffusion_u

fn value(c: u32, axis: u32) -> f32 {
    return face_other[c][axis];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
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
    var u = vec4<f32>(0.0);
    for (var a = 0u; a < axes(); a++) {
        if (is_free(c, a)) { u[a] = inverse_diagonal(c, a) * r[a]; }
    }
    publish_diffusion_u(c, u);
}
