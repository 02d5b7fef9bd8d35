// Sums of what nodes give to each solid.
//!include common/solid_sums
//!include common/cells_around

//!read push

// Of a cell among those that have pushes: the sums are over cells with particles around them.
fn with_push(c: u32) -> u32 {
    return min(c, arrayLength(&push) - 1u);
}

fn solid_of(c: u32, at: u32) -> f32 {
    return push[with_push(c)][at].w;
}

fn impulse_of(c: u32, at: u32) -> vec3<f32> {
    return push[with_push(c)][at].xyz;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    sum_for_solids(element(global_id) / 64u, local, 1.0);
}
