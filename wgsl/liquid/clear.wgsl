// 0 for the fields in blocks of cells that were busy in the last step and are no longer.
//!include common/control
//!include common/busy

//!read block_busy
//!write face face_other shift cover coefficient solution

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let number = element(global_id);
    let cell = busy_cell(number);
    if (!in_box(cell) || block_busy[busy_blocks[first_listed() + number / 8u]] == 1u) { return; }
    let c = cell_number(cell);
    face[c] = vec4<f32>(0.0);
    face_other[c] = vec4<f32>(0.0);
    shift[c] = vec4<f32>(0.0);
    cover[c] = 0.0;
    coefficient[c] = vec4<f32>(0.0);
    solution[c] = vec2<f32>(0.0);
}
