// Motion of the level set's markers along the field of the step.
//!include common/control
//!include common/path
//!include common/torus

//!write level_markers

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (i >= stage.element_count) { return; }
    let marker = level_markers[i];
    if (marker.w == 0.0) { return; }
    level_markers[i] = vec4<f32>(wrap_position(moved(marker.xyz, control.dt)), marker.w);
}
