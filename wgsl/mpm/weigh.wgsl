// Weight of the free nodes around each held node, in w of the last row; a node that nothing holds any more has held ones around
// it perhaps.
//!include common/held
//!include common/gathered

//!read node
//!write hold

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let nodes = hold_from(hold[c]);
    if (!is_held(nodes)) { return; }
    var sum = 0.0;
    choose_free(nodes);
    while (any_chosen()) {
        let step = next_chosen();
        let next = wrap_next(cell + step);
        if (!is_busy(next)) { continue; }
        let d = cell_number(next);
        let counts = node[d].w > least_mass() && !any(hold[d][3].xyz > vec3<f32>(0.0));
        if (counts) { sum += answers(nodes, vec3<f32>(step) * params.grid.cell); }
    }
    hold[c][3].w = sum;
}
