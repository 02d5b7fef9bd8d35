// The fastest velocity of faces, and a velocity by which explicit diffusion limits Δt, for the next Δt ≤ Δx/v; velocities, smoke and temperatures that are not finite fail.
// Cells of air get 1 in the w lane of their velocities: probes are means of them alone.
//!include common/control_write
//!include common/maximum

//!read smoke coefficient
//!write face

// Test the bits: compilers may assume that NaN does not occur in arithmetic.
fn is_finite(v: vec4<f32>) -> bool {
    return all((bitcast<vec4<u32>>(v) & vec4<u32>(0x7f800000u)) != vec4<u32>(0x7f800000u));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let c = element(global_id);
    var speed = 0.0;
    if (c < stage.element_count) {
        let u = face[c];
        speed = max(length(u.xyz), params.methods.stable_fluids.spread);
        face[c].w = select(0.0, 1.0, coefficient[c].w > 0.0);
        if (!is_finite(u) || !is_finite(smoke[c])) {
            atomicOr(&control.pending_failure, FAILURE_NOT_FINITE);
            atomicMin(&control.failure_id, c);
        }
    }
    let largest = workgroup_maximum(speed, local);
    if (has_maximum(local)) { atomicMax(&control.max_signal_bits, largest); }
}
