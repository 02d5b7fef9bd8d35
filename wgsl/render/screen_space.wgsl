// Water from the smoothed depth texture (W. van der Laan, S. Green, M. Sainz, “Screen space fluid
// rendering with curvature flow”, 2009).
//!include render/water

@group(1) @binding(0) var depths: texture_2d<f32>;
// Material of the nearest particle.
@group(1) @binding(1) var numbers: texture_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return screen_corner(k);
}

fn depth_at(pixel: vec2<i32>) -> f32 {
    let last = vec2<i32>(textureDimensions(depths)) - 1;
    return textureLoad(depths, clamp(pixel, vec2<i32>(0), last), 0).r;
}

fn point_at(pixel: vec2<i32>, w: f32) -> vec3<f32> {
    return frame.eye + ray_through(vec2<f32>(pixel) + 0.5) * w;
}

// Difference to the neighbour that is nearer in depth, since the other may belong to another wave.
fn slope(pixel: vec2<i32>, axis: vec2<i32>, here: vec3<f32>, w: f32) -> vec3<f32> {
    let a = depth_at(pixel + axis);
    let b = depth_at(pixel - axis);
    let next = point_at(pixel + axis, a) - here;
    let last = here - point_at(pixel - axis, b);
    let far = 1e6;
    let change_a = select(far, abs(a - w), a > 0.0);
    let change_b = select(far, abs(b - w), b > 0.0);
    if (change_a >= far && change_b >= far) {
        return point_at(pixel + axis, w) - here;
    }
    // If both neighbours are on this surface, their mean is smoother.
    if (max(change_a, change_b) < 1.5 * frame.spacing) {
        return 0.5 * (next + last);
    }
    return select(last, next, change_a < change_b);
}

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fragment(@builtin(position) at: vec4<f32>) -> Out {
    let pixel = vec2<i32>(at.xy);
    let w = depth_at(pixel);
    if (w <= 0.0) {
        discard;
    }
    let p = point_at(pixel, w);
    let dx = slope(pixel, vec2<i32>(1, 0), p, w);
    let dy = slope(pixel, vec2<i32>(0, 1), p, w);
    let towards_eye = normalize(frame.eye - p);
    var n = normalize(cross(dy, dx));
    let cosine = dot(n, towards_eye);
    if (cosine < 0.05) {
        n = normalize(n + (0.05 - cosine) * towards_eye);
    }
    let thickness = thickness_at(at.xy);
    liquid = u32(textureLoad(numbers, pixel, 0).r);
    // Fade out where there is very little water.
    let covered = smoothstep(0.0, 0.15 * frame.spacing, thickness);
    let color = water(p, n, at.xy, thickness);
    return Out(vec4<f32>(color * covered, covered), clamp(frame.near / w, 0.0, 1.0));
}
