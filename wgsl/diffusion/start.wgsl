// Start of implicit diffusion from the values in `face_other` as they are: the residual is their change by an explicit step,
// c (Σ_n s_n (q_n − q) + walls), which is all of explicit diffusion; and each workgroup's largest |q| or |u|, the first change of it:
// in air at rest walls that move are all there is.
//!include common/control
//!include common/busy
//!include common/largest
//!include common/diffusion

//!gather face_other
//!write diffusion_r poisson_dots
//!publish diffusion_u

// Of a sum, relative.
const ROUNDING = 1e-5;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var size = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let own = links_of(c);
        let q = face_other_at(c);
        var change = diffusion_r[c];
        var shares = vec4<f32>(0.0);
        for (var way = 0u; way < ways(); way++) {
            let found = linked(own, way);
            if (all(found == vec4<f32>(0.0))) { continue; }
            let other = cell_number(next_cell(cell, way));
            let part = share_of(c, other, way) * found;
            shares += part;
            change += part * (face_other_at(other) - q);
        }
        let sums = sums_of(c);
        let walls = sums - shares;
        // What rounding leaves of a sum of shares alone is no wall.
        change -= select(vec4<f32>(0.0), walls, walls > ROUNDING * sums) * q;
        let r = rates() * change;
        diffusion_r[c] = r;
        let u = r / diagonal(c);
        publish_diffusion_u(c, u);
        size = max(abs(q), abs(u));
    }
    let largest = workgroup_largest(size, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) {
        poisson_dots[group] = largest;
    }
}
