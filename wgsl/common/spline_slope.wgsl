// Gradient of the weight of common/spline by the offset s in cells.
//!include common/spline

// The spline's derivative: −2 s up to ½, −(3/2 − |s|) sgn s up to 3/2.
fn slope_of(s: f32) -> f32 {
    let outer = -max(1.5 - abs(s), 0.0) * sign(s);
    return select(outer, -2.0 * s, abs(s) < 0.5);
}

fn spline_slope(s: vec3<f32>) -> vec3<f32> {
    let flat = params.world.dimensions == 2u;
    let w = vec3<f32>(spline(s.x), spline(s.y), select(spline(s.z), 1.0, flat));
    let d = vec3<f32>(slope_of(s.x), slope_of(s.y), select(slope_of(s.z), 0.0, flat));
    return d * w.yxx * w.zzy;
}
