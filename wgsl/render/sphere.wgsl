// Spheres drawn as triangles around their silhouettes and intersected exactly, with perspective.
// With d = |c − eye|, the tangent cone cuts the plane through c perpendicular to c − eye in a
// circle of radius R = r d / √(d² − r²); the ray through a point at ρ R in that circle hits the
// sphere at the fraction t = (d² − d r √(1 − ρ²)) / (d² + R² ρ²) of its length. (Solving the
// quadratic directly would cancel in f32.)
//!include render/frame

struct Billboard {
    clip: vec4<f32>,
    // From the eye to the point on the plane.
    ray: vec3<f32>,
}

struct Hit {
    position: vec3<f32>,
    normal: vec3<f32>,
    depth: f32,
}

fn billboard(center: vec3<f32>, radius: f32, corner: vec2<f32>) -> Billboard {
    let d = center - frame.eye;
    let distance = length(d);
    if (distance < 1.01 * radius || dot(d, frame.forward) < frame.near) {
        return Billboard(NOWHERE, d);
    }
    let z = d / distance;
    let x = normalize(cross(z, frame.above));
    let y = cross(x, z);
    let disc = radius * distance / sqrt(distance * distance - radius * radius);
    let ray = d + disc * (corner.x * x + corner.y * y);
    return Billboard(frame.clip * vec4<f32>(frame.eye + ray, 1.0), ray);
}

// `place` is the point's position inside the unit circle.
fn hit_sphere(center: vec3<f32>, radius: f32, ray: vec3<f32>, place: vec2<f32>) -> Hit {
    let d = center - frame.eye;
    let d2 = dot(d, d);
    let distance = sqrt(d2);
    let z = d / distance;
    let x = normalize(cross(z, frame.above));
    let y = cross(x, z);
    let disc2 = radius * radius * d2 / (d2 - radius * radius);
    let s = min(dot(place, place), 1.0);
    let inside = place * inverseSqrt(max(dot(place, place), 1.0));
    let root = distance * radius * sqrt(1.0 - s);
    let t = (d2 - root) / (d2 + disc2 * s);
    let t_minus_1 = -(root + disc2 * s) / (d2 + disc2 * s);
    let across = t * sqrt(disc2) * (inside.x * x + inside.y * y);
    let outward = t_minus_1 * distance * z + across;
    let position = center + outward;
    return Hit(position, outward / radius, depth_along(position));
}

// Mask of the pixel's samples inside the unit circle, with WebGPU's standard pattern of 4, so that
// edges are as smooth as those of triangles.
fn disc_mask(place: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>) -> u32 {
    if (frame.samples == 1u) {
        return select(0u, 1u, dot(place, place) < 1.0);
    }
    let a = place - 0.125 * dx - 0.375 * dy;
    let b = place + 0.375 * dx - 0.125 * dy;
    let c = place - 0.375 * dx + 0.125 * dy;
    let d = place + 0.125 * dx + 0.375 * dy;
    return select(0u, 1u, dot(a, a) < 1.0) | select(0u, 2u, dot(b, b) < 1.0)
         | select(0u, 4u, dot(c, c) < 1.0) | select(0u, 8u, dot(d, d) < 1.0);
}
