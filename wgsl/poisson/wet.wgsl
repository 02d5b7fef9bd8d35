// Active cells of the pressure's solver, by blocks of 8: 1 if a cell of the block has an equation of pressure.
//!include common/control
//!include common/cell_blocks

//!read coefficient
//!write block_busy

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= stage.element_count) { return; }
    var wet = false;
    for (var r = 0u; r < 8u; r++) {
        let cell = cell_in_block(k, r);
        if (in_box(cell)) { wet = wet || coefficient[cell_number(cell)].w > 0.0; }
    }
    block_busy[k] = select(0u, 1u, wet);
}
