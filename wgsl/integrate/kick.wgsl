// Semi-implicit Euler, first half: v += Δt (a + g), on the sorted arrays. control.max_acceleration
// becomes the largest |a|, for the next Δt.
//!include common/control_write
//!include common/maximum

//!read sorted_identity acceleration
//!write sorted_velocity

var<workgroup> go: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>, @builtin(local_invocation_index) local: u32) {
    if (local == 0u) { go = select(0u, 1u, is_active()); }
    if (workgroupUniformLoad(&go) == 0u) { return; }
    let s = element(global_id);
    var magnitude = 0.0;
    if (s < control.particle_count) {
        if (kind_of(sorted_identity[s]) == KIND_FLUID) {
            let a = acceleration[s].xyz + params.world.gravity;
            let v = sorted_velocity[s];
            sorted_velocity[s] = vec4<f32>(v.xyz + control.dt * a, v.w);
            magnitude = length(a);
        }
    }
    let largest = workgroup_maximum(magnitude, local);
    if (local == 0u) { atomicMax(&control.max_acceleration_bits, largest); }
}
