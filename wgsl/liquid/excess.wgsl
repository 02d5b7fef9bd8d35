// Density correction: right-hand side Δx² e/Δt of the equation of a pressure whose gradient moves particles apart where there
// are too many and together where there are too few, e the cover less 1, at most ±½; a cell beside air is never too empty
// (Kugelstadt et al. 2021). Each workgroup's sums are those of poisson/divergence.
//!include common/control
//!include common/hat
//!include common/poisson
//!include common/dots

//!read coefficient solid_share
//!write remainder poisson_dots

// Largest share of a cell that one step corrects.
const MOST = 0.5;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var sums = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let own = coefficient[c];
        var r = 0.0;
        if (own.w > 0.0) {
            var air = own.w;
            for (var axis = 0u; axis < axes(); axis++) {
                air -= own[axis] + coefficient[cell_number(wrap_next(cell + along(axis)))][axis];
            }
            let is_bounded = air > BOUNDED;
            let excess = clamp(cover[c] - 1.0, select(-MOST, 0.0, is_bounded), MOST);
            let area = params.grid.cell * params.grid.cell;
            // What is left of a cell whose centre is in a solid is too little to tell.
            let counts = control.dt > 0.0 && solid_share[c] >= 0.5;
            r = select(0.0, area * excess / max(control.dt, 1e-30), counts);
            sums = vec4<f32>(r, 1.0, select(0.0, 1.0, is_bounded), 0.0);
        }
        remainder[c] = vec2<f32>(r, 0.0);
    }
    let all = workgroup_dots(sums, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
