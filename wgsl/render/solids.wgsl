// Obstacles, shaded; containers, as glass; and both in the shadow map. Vertices belong to unit
// shapes (crates/render/src/solids.rs), which the collider scales and rotates.
//!include render/environment
//!include common/shapes

@group(1) @binding(0) var<storage, read> colliders: array<Collider>;

struct Vertex {
    // xyz: position in the unit shape; w: end of a capsule, -1 or 1.
    @location(0) position: vec4<f32>,
    @location(1) normal: vec4<f32>,
}

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) @interpolate(flat) shape: u32,
}

fn place(in: Vertex, k: u32) -> Corner {
    let collider = colliders[k];
    var scale = vec3<f32>(collider.radius);
    var normal = in.normal.xyz;
    switch collider.shape {
        case SHAPE_BOX: { scale = collider.half_extents; }
        case SHAPE_PLANE: { scale = vec3<f32>(3.0 * frame.size, 1.0, 3.0 * frame.size); }
        case SHAPE_CYLINDER: { scale.y = collider.half_extents.y; }
        case SHAPE_MESH: { scale = vec3<f32>(1.0); }
        default: {}
    }
    var local = in.position.xyz * scale;
    if (collider.shape == SHAPE_CAPSULE) {
        local.y += in.position.w * collider.half_extents.y;
    }
    let p = collider.position + rotate(collider.rotation, local);
    return Corner(frame.clip * vec4<f32>(p, 1.0), p, rotate(collider.rotation, normal), collider.shape);
}

@vertex
fn vertex(in: Vertex, @builtin(instance_index) k: u32) -> Corner {
    return place(in, k);
}

// Clamp infinite planes to the visible region.
fn is_beyond(in: Corner) -> bool {
    let beyond = any(in.position < frame.low) || any(in.position > frame.high);
    return in.shape == SHAPE_PLANE && beyond;
}

@fragment
fn solid(in: Corner) -> @location(0) vec4<f32> {
    if (is_beyond(in)) { discard; }
    let towards_eye = normalize(frame.eye - in.position);
    var n = normalize(in.normal);
    n = select(n, -n, dot(n, towards_eye) < 0.0);
    // Darker towards the floor, which hides part of the sky.
    let height = max(dot(in.position, frame.up) - frame.ground, 0.0);
    let open = mix(0.72, 1.0, smoothstep(0.0, 0.12 * frame.size, height));
    let light = 0.3 + 0.7 * sunlight(in.position, 4.0 * frame.spacing);
    let color = open * lit(vec3<f32>(0.66, 0.60, 0.52), n, towards_eye, light);
    return vec4<f32>(color, 1.0);
}

@fragment
fn glass(in: Corner) -> @location(0) vec4<f32> {
    let towards_eye = normalize(frame.eye - in.position);
    let outward = normalize(in.normal);
    let n = select(outward, -outward, dot(outward, towards_eye) < 0.0);
    // The bottom lies on the floor, and an open top has no pane.
    if (in.shape == SHAPE_BOX && abs(dot(outward, frame.up)) > 0.99) {
        discard;
    }
    let cosine = clamp(dot(n, towards_eye), 0.0, 1.0);
    let fresnel = 0.02 + 0.5 * pow(1.0 - cosine, 5.0);
    let mirrored = sky(reflect(-towards_eye, n));
    let tint = vec3<f32>(0.75, 0.90, 0.92);
    let alpha = 0.02 + 0.16 * pow(1.0 - cosine, 4.0);
    return vec4<f32>(min(mirrored, vec3<f32>(1.5)) * fresnel * 0.5 + tint * alpha * 0.6, alpha + 0.3 * fresnel);
}

// Project onto the floor, along the sunlight.
@vertex
fn shadow_vertex(in: Vertex, @builtin(instance_index) k: u32) -> Corner {
    var corner = place(in, k);
    let along = (dot(corner.position, frame.up) - frame.ground) / max(dot(frame.sun, frame.up), 0.05);
    let foot = corner.position - along * frame.sun;
    let on_floor = vec2<f32>(dot(foot, frame.tangent), dot(foot, frame.bitangent));
    let uv = (on_floor - frame.shadow_corner) * frame.shadow_scale;
    corner.clip = vec4<f32>(2.0 * uv.x - 1.0, 1.0 - 2.0 * uv.y, 0.5, 1.0);
    return corner;
}

@fragment
fn shadow(in: Corner) -> @location(0) vec4<f32> {
    if (is_beyond(in)) { discard; }
    return vec4<f32>(0.0, 1.0, 0.0, 0.0);
}
