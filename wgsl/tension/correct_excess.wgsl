// The compression that IISPH and DFSPH correct, with the full share of the kernel.
//!include common/control
//!include common/corrected_excess

//!read tension_fill
//!write factor

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    factor[i].y = corrected_excess(factor[i].y, tension_fill[i].x);
}
