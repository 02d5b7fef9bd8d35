// Mean of the right-hand side, to be subtracted where nothing bounds the liquid but solids: pressure is then determined up
// to a constant, and the sum of all equations is 0 = 0, which has a solution only if the right-hand side's mean is 0.
//!include common/control
//!include common/all_dots

//!write poisson_scalars poisson_singular

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!is_active()) { return; }
    let world = group.x;
    let sums = dots_in(world, local);
    if (local != 0u) { return; }
    let each = select(1.0 / max(sums.y, 1.0), 0.0, sums.z > 0.0);
    poisson_scalars[world] = vec4<f32>(sums.x * each, 0.0, 0.0, 0.0);
    poisson_singular[world] = each;
}
