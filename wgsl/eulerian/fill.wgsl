// What liquid expands, Δx² times the rate, in the equation of pressure, and in each workgroup's sum of its right-hand side: gas makes
// room everywhere (poisson/mean), or leaves.
//!include common/control
//!include common/box
//!include common/dots

//!read coefficient level_rate level_set
//!write remainder poisson_dots

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var sums = vec4<f32>(0.0);
    if (in_box(cell)) {
        let c = cell_number(cell);
        let is_liquid = params.methods.gas.lightness == 0.0 || level_set[c] < 0.0;
        if (coefficient[c].w > 0.0 && is_liquid) { sums.x = params.grid.cell * params.grid.cell * level_rate[0]; }
        remainder[c].x += sums.x;
    }
    let all = workgroup_dots(sums, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group].x += all.x; }
}
