// Positions and velocities of boundary particles: x = R q + r_g, v = v_g + ω × (R q) (T 16 and 15),
// with their positions q in the solid's own axes. Those that a triangle of a mesh carries move along curves there, at the
// times of body/begin; their volumes follow the triangle's area.
//!include common/control
//!include common/bodies
//!include common/curve
//!include common/torus
//!include shared/scene

//!read bodies identity wall_ways
//!write position velocity model_position

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global_id: vec3<u32>) {
    if (!is_active()) { return; }
    let i = element(global_id);
    if (!has_particle(i)) { return; }
    let who = identity[i];
    if (kind_of(who) != KIND_BOUNDARY) { return; }
    let body = bodies[who.y >> 16u];
    let k = who.x - params.counts.first_wall;
    var model = model_position[k];
    var own = vec3<f32>(0.0);
    var volume = position[i].w;
    if (HAS_DEFORMING && model.w > 0.0) {
        let way = wall_ways[min(u32(model.w), arrayLength(&wall_ways)) - 1u];
        let s = (control.time_in_frame + params.time.first_drift * control.dt) / params.time.frame_duration;
        let u = (control.time_in_frame + 0.5 * control.dt) / params.time.frame_duration;
        model = vec4<f32>(way[0].xyz + way_of(way[1].xyz, way[2].xyz, way[3].xyz, s), model.w);
        model_position[k] = model;
        own = rotate(body.rotation, speed_of(way[1].xyz, way[2].xyz, way[3].xyz, u));
        volume = way[0].w;
    }
    let arm = rotate(body.rotation, model.xyz);
    position[i] = vec4<f32>(wrap_position(body.position.xyz + arm), volume);
    velocity[i] = vec4<f32>(velocity_at(body, arm) + own, velocity[i].w);
}
