// Cubic Hermite curves over a frame.

fn way_of(v_0: vec3<f32>, way: vec3<f32>, v_1: vec3<f32>, s: f32) -> vec3<f32> {
    let there = s * s * (3.0 - 2.0 * s) * way;
    return there + params.time.frame_duration * s * (1.0 - s) * ((1.0 - s) * v_0 - s * v_1);
}

fn speed_of(v_0: vec3<f32>, way: vec3<f32>, v_1: vec3<f32>, s: f32) -> vec3<f32> {
    let mean = way / params.time.frame_duration;
    return (1.0 - s) * (1.0 - 3.0 * s) * v_0 + 6.0 * s * (1.0 - s) * mean + s * (3.0 * s - 2.0) * v_1;
}
