// Counting sort, part 1 (common/counted).
//!include common/control
//!include common/counted

//!read identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (has_particle(i)) { count_particle(i, identity[i]); }
}
