// w = A u of the equation of viscosity of liquid and gas, and each workgroup's part of r·u, u·w and max |r/m|, of velocities relative to
// their largest, as stress/apply.
//!include common/control
//!include common/dots
//!include common/gas_links

//!gather diffusion_u
//!read diffusion_r
//!write diffusion_w poisson_dots

fn value(c: u32, axis: u32) -> f32 {
    return diffusion_u_at(c)[axis];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var dots = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let scales = diffusion_scalars[0][2].xyz;
        let scale = min(min(scales.x, scales.y), scales.z);
        let r = scale * diffusion_r[c].xyz;
        var u = vec3<f32>(0.0);
        var w = vec3<f32>(0.0);
        for (var a = 0u; a < axes(); a++) {
            if (!is_free(c, a)) { continue; }
            u[a] = value(c, a);
            w[a] = mass_of(c, a) * u[a] + rate() * viscous(cell, a);
            dots.z = max(dots.z, abs(r[a]) / mass_of(c, a));
        }
        diffusion_w[c] = vec4<f32>(w, 0.0);
        dots.x = dot(r, scale * u);
        dots.y = dot(scale * u, scale * w);
    }
    let all = workgroup_dots(dots, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
