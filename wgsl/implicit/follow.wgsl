// Search direction at held nodes, from that of the free ones that they follow (common/held).
//!include common/held

//!read hold implicit_around
//!write implicit_u

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let cell = busy_cell(element(global_id));
    if (!in_box(cell)) { return; }
    let c = cell_number(cell);
    let nodes = hold_from(hold[c]);
    if (!is_held(nodes) || nodes.weight == 0.0) { return; }
    var u = vec3<f32>(0.0);
    let sides = open_sides(nodes);
    choose_none(first_around(sides), last_around(sides));
    chosen = implicit_around[c];
    while (any_chosen()) {
        let step = next_chosen();
        let offset = vec3<f32>(step) * params.grid.cell;
        u += answers(nodes, offset) / nodes.weight * (follows(nodes, offset) * implicit_u[cell_number(wrap_next(cell + step))].xyz);
    }
    implicit_u[c] = vec4<f32>(u, 0.0);
}
