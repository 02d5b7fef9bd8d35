// Expansion of what burns, ∇·u = e r/Δt (smoke/source), in the right-hand side of the pressure and its sums.
//!include common/control
//!include common/busy
//!include common/sums

//!read coefficient smoke
//!write remainder poisson_dots

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var added = 0.0;
    if (in_box(cell)) {
        let c = cell_number(cell);
        let edge = params.grid.cell;
        if (coefficient[c].w > 0.0) { added = edge * edge * params.methods.stable_fluids.expansion * smoke[c].w; }
        remainder[c].x += added;
    }
    let sum = workgroup_sum(vec4<f32>(added, 0.0, 0.0, 0.0), local).x;
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group].x += sum; }
}
