// The quadratic B-spline between particles and nodes at the centres of cells, by their distance s in cells: ¾ − s² up to ½,
// ½ (3/2 − |s|)² up to 3/2.
//!include common/params

fn spline(s: f32) -> f32 {
    let a = abs(s);
    let b = max(1.5 - a, 0.0);
    return select(0.5 * b * b, 0.75 - a * a, a < 0.5);
}

// Product over the axes; in 2-D of x and y.
fn spline_weight(s: vec3<f32>) -> f32 {
    return spline(s.x) * spline(s.y) * select(1.0, spline(s.z), params.world.dimensions == 3u);
}
