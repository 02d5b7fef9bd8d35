// w = A u of the equation of viscosity, in the w lane the inverse of the diagonal; and each workgroup's part of r·u, u·w and max |r|,
// of velocities relative to their largest (Chronopoulos, Gear 1989).
//!include common/control
//!include common/dots
//!include common/stress_links

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
        var u = vec3<f32>(0.0);
        var w = vec3<f32>(0.0);
        for (var a = 0u; a < axes(); a++) {
            if (!is_free(c, a)) { continue; }
            u[a] = value(c, a);
            w[a] = u[a] + rate() * viscous(cell, a);
        }
        diffusion_w[c] = vec4<f32>(w, inverse_diagonal(c));
        // One scale for all, or the matrix would not be symmetric.
        let scales = diffusion_scalars[0][2].xyz;
        let scale = min(min(scales.x, scales.y), scales.z);
        let r = scale * diffusion_r[c].xyz;
        dots = vec4<f32>(dot(r, scale * u), dot(scale * u, scale * w), max(max(abs(r.x), abs(r.y)), abs(r.z)), 0.0);
    }
    let all = workgroup_dots(dots, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
