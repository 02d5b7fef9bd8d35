// Part of a cube that a plane leaves free.

// 1/(2 √3).
const GAUSS = 0.28867513;

// Share of a cube with an edge of 1 that a plane at the distance d from its middle leaves free: lengths along the axis nearest to
// its normal, at Gauss's two points of the others.
fn free_part(normal: vec3<f32>, d: f32) -> f32 {
    let n = abs(normal);
    let most = max(n.x, max(n.y, n.z));
    let least = min(n.x, min(n.y, n.z));
    let a = GAUSS * (n.x + n.y + n.z - most - least);
    let b = GAUSS * least;
    let lengths = 0.5 + (vec4<f32>(d) + vec4<f32>(a + b, a - b, b - a, -a - b)) / most;
    return 0.25 * dot(clamp(lengths, vec4<f32>(0.0), vec4<f32>(1.0)), vec4<f32>(1.0));
}
