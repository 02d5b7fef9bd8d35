// Driven particles have their rest volume again, as their own density needs it.
//!include common/control
//!include common/driven

//!read sorted_identity
//!write sorted_position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (!has_particle(s)) { return; }
    let who = sorted_identity[s];
    if (driven(who, sorted_position[s].xyz).w == 0.0) { return; }
    sorted_position[s].w = material_of(who).rest_volume;
}
