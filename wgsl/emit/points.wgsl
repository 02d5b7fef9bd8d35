// Places the particles planned by emit/plan, each advanced by the time since it left the mouth.
//!include common/control
//!include shared/emitter_params

//!read emitters emitter_points emitter_layers emission
//!write position velocity identity

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let k = element(global_id);
    if (k >= params.counts.emitter_points) { return; }
    let point = emitter_points[k];
    let e = u32(point.w);
    if (emission[e].x == 0u) { return; }
    let emitter = emitters[e];
    let slot = emission[e].y + k - emitter.first_point;
    let time = f32(max(control.frame, 1u) - 1u) * params.time.frame_duration + control.time_in_frame;
    let age = time - (emitter.start + f32(emitter_layers[e] - 1u) * emitter.interval);
    let who = vec2<u32>(control.next_id - control.particle_count + slot, emitter.identity);
    position[slot] = vec4<f32>(point.xyz + age * emitter.velocity, material_of(who).rest_density);
    velocity[slot] = vec4<f32>(emitter.velocity, 0.0);
    identity[slot] = who;
}
