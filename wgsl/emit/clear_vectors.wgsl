// The vectors that a method keeps of each particle from step to step are 0 for a new one, whose slot may have been another's before.
//!include common/control
//!include shared/emitter_params

//!read emitters emitter_points emission
//!write kept_vectors: array<vec4<f32>>

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= params.counts.emitter_points) { return; }
    let e = u32(emitter_points[k].w);
    if (emission[e].x == 0u) { return; }
    kept_vectors[emission[e].y + k - emitters[e].first_point] = vec4<f32>(0.0);
}
