// Semi-implicit Euler, first half: v += Δt (a + g), on the sorted arrays; the acceleration's w lane becomes v·g before it
// (common/fall). control.max_acceleration becomes the largest |a|, for the next Δt.
//!include common/control_write
//!include common/fall
//!include common/maximum

//!read sorted_identity
//!write sorted_velocity acceleration

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (!workgroup_is_active(local)) { return; }
    let s = element(global_id);
    var magnitude = 0.0;
    if (has_particle(s)) {
        if (kind_of(sorted_identity[s]) == KIND_FLUID) {
            enter(sorted_identity[s]);
            let a = acceleration[s].xyz + gravity();
            let v = sorted_velocity[s];
            acceleration[s].w = along_gravity(v.xyz);
            sorted_velocity[s] = vec4<f32>(v.xyz + control.dt * a, v.w);
            magnitude = length(a);
        }
    }
    let largest = workgroup_maximum(magnitude, local);
    if (has_maximum(local)) { atomicMax(&control.max_acceleration_bits, largest); }
}
