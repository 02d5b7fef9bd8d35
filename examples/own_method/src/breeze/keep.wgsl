// How far each particle was blown, in the order of the sort.
//!include common/control

//!read order blown
//!write kept

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let s = element(global_id);
    if (has_particle(s)) { kept[s] = blown[order[s]]; }
}
