// Cells of liquid beside bodies, by blocks of 8: 1 if a cell of the block has a lever (liquid/levers).
//!include common/control
//!include common/cell_blocks

//!read coefficient levers
//!write block_busy

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= stage.element_count) { return; }
    var beside = false;
    for (var r = 0u; r < 8u; r++) {
        let cell = cell_in_block(k, r);
        if (!in_box(cell)) { continue; }
        let c = cell_number(cell);
        beside = beside || (coefficient[c].w > 0.0 && levers[c][0].w > 0.0);
    }
    block_busy[k] = select(0u, 1u, beside);
}
