// An explicit step of diffusion: the values in `face_other` with their change.
//!include common/control

//!read diffusion_r
//!write face_other

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let c = element(global_id);
    if (c >= stage.element_count) { return; }
    face_other[c] += diffusion_r[c];
}
