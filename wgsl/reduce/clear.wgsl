// Sets all values to 0.
//!include common/control

//!write values: array<u32>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    values[i] = 0u;
}
