// Volume in cells of liquid by the level set, and what solids leave free: each workgroup's sums. A cell's share of liquid is ½ − φ
// between 0 and 1.
//!include common/control
//!include common/hat
//!include common/dots

//!read level_set solid_share
//!write poisson_dots

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let at = element(global_id);
    let cell = busy_cell(at);
    var sums = vec4<f32>(0.0);
    if (in_box(cell) && is_inner(cell)) {
        let c = cell_number(cell);
        // The distance of the wall, of which the hat's share is ½ (1 + d)² inside the solid (grid/solid), and a cell's share by it.
        let share = solid_share[c];
        let wall = select(sqrt(2.0 * share) - 1.0, 1.0 - sqrt(2.0 * max(1.0 - share, 0.0)), share > 0.5);
        let free = clamp(0.5 + wall, 0.0, 1.0);
        sums = vec4<f32>(free * clamp(0.5 - level_set[c], 0.0, 1.0), free, 0.0, 0.0);
    }
    let all = workgroup_dots(sums, local);
    let group = at / 64u;
    if (local == 0u && group < min(arrayLength(&poisson_dots), busy_groups())) { poisson_dots[group] = all; }
}
