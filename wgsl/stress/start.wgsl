// Start of implicit viscosity from the velocities in `face_other` as they are: the residual, which is their change by an explicit
// step, and each workgroup's largest |u|.
//!include common/control
//!include common/busy
//!include common/largest
//!include common/stress_links

//!gather face_other
//!write diffusion_r poisson_dots
//!publish diffusion_u

fn value(c: u32, axis: u32) -> f32 {
    return select(0.0, face_other_at(c)[axis], is_free(c, axis));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var size = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let push = diffusion_r[c];
        var r = vec4<f32>(0.0);
        for (var a = 0u; a < axes(); a++) {
            if (!is_free(c, a)) { continue; }
            r[a] = rate() * (push[a] - viscous(cell, a));
            size[a] = abs(value(c, a));
        }
        diffusion_r[c] = r;
        publish_diffusion_u(c, inverse_diagonal(c) * r);
    }
    let largest = workgroup_largest(size, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) {
        poisson_dots[group] = largest;
    }
}
