// w = A u of the equation of diffusion, and each workgroup's part of r·u, u·w and max |r|, of values relative to their
// largest (Chronopoulos, Gear 1989).
//!include common/control
//!include common/dots
//!include common/diffusion

//!gather diffusion_u
//!read diffusion_r
//!write diffusion_w poisson_dots

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var dots = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let own = links_of(c);
        if (any(sums_of(c) > vec4<f32>(0.0))) {
            let u = diffusion_u_at(c);
            var sum = vec4<f32>(0.0);
            for (var way = 0u; way < ways(); way++) {
                let found = linked(own, way);
                if (all(found == vec4<f32>(0.0))) { continue; }
                let other = cell_number(next_cell(cell, way));
                sum += share_of(c, other, way) * found * diffusion_u_at(other);
            }
            let w = diagonal(c) * u - rates() * sum;
            diffusion_w[c] = w;
            let scale = diffusion_scalars[0][2];
            let r = scale * diffusion_r[c];
            let most = max(max(abs(r.x), abs(r.y)), max(abs(r.z), abs(r.w)));
            dots = vec4<f32>(dot(r, scale * u), dot(scale * u, scale * w), most, 0.0);
        }
    }
    let all = workgroup_dots(dots, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
