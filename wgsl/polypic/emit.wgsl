// New particles move without terms.
//!include common/control
//!include shared/emitter_params

//!read emitters emitter_points emission
//!write poly

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= params.counts.emitter_points) { return; }
    let e = u32(emitter_points[k].w);
    if (emission[e].x == 0u) { return; }
    let none = vec4<f32>(0.0);
    poly[emission[e].y + k - emitters[e].first_point] = array<vec4<f32>, 6>(none, none, none, none, none, none);
}
