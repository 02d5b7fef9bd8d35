// Step of conjugate gradients: p = u + β p, s = w + β s, x += α p, r −= α s, u = D⁻¹ r (Chronopoulos, Gear 1989).
//!include common/control

//!read viscosity_w viscosity_block viscosity_scalars
//!write viscosity_p viscosity_s viscosity_x viscosity_r
//!publish viscosity_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let alpha = viscosity_scalars[0].x;
    let beta = viscosity_scalars[0].y;
    let old = viscosity_r[i];
    // Boundary particles may come among the slots of fluid.
    if (old.w == 0.0) { return; }
    let block = viscosity_block[i];
    // What p and s held before the first iteration does not matter, even if it is not a number.
    let p = viscosity_u[i].xyz + select(vec3<f32>(0.0), beta * viscosity_p[i].xyz, beta > 0.0);
    let s = viscosity_w[i].xyz + select(vec3<f32>(0.0), beta * viscosity_s[i].xyz, beta > 0.0);
    let r = old.xyz - alpha * s;
    let off = block[1].xyz;
    let u = block[0].xyz * r + off.zzy * r.yxx + off.yxx * r.zzy;
    viscosity_p[i] = vec4<f32>(p, 0.0);
    viscosity_s[i] = vec4<f32>(s, 0.0);
    let x = viscosity_x[i];
    viscosity_x[i] = vec4<f32>(x.xyz + alpha * p, x.w);
    viscosity_r[i] = vec4<f32>(r, 1.0);
    publish_viscosity_u(i, vec4<f32>(u, x.w));
}
