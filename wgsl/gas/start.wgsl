// Start of the implicit viscosity of liquid and gas from the velocities in `face_other` as they are, as stress/start.
//!include common/control
//!include common/busy
//!include common/gas_links

//!gather face_other
//!write diffusion_r poisson_dots
//!publish diffusion_u

var<workgroup> parts: array<vec4<f32>, 64>;

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
        var u = vec4<f32>(0.0);
        for (var a = 0u; a < axes(); a++) {
            if (!is_free(c, a)) { continue; }
            r[a] = rate() * (push[a] - viscous(cell, a));
            u[a] = inverse_diagonal(c, a) * r[a];
            size[a] = abs(value(c, a));
        }
        diffusion_r[c] = r;
        publish_diffusion_u(c, u);
    }
    parts[local] = size;
    for (var width = 32u; width > 0u; width /= 2u) {
        workgroupBarrier(); // the halves that the next line joins are complete
        if (local < width) { parts[local] = max(parts[local], parts[local + width]); }
    }
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) {
        poisson_dots[group] = parts[0];
    }
}
