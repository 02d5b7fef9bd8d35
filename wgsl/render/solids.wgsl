// Obstacles, shaded; containers, as glass; and both in the shadow map. Vertices are those of
// crates/geometry/src/drawing.rs; the collider scales and rotates them.
//!include render/environment
//!include common/colliders

@group(1) @binding(0) var<storage, read> colliders: array<Collider>;

struct Vertex {
    // xyz: position in half extents of the collider; w: 1 where containers are open.
    @location(0) by_extent: vec4<f32>,
    // xyz: position in units; w: the unit, 0 for the collider's radius, 1 for metres, 2 for the
    // size of the scene.
    @location(1) by_unit: vec4<f32>,
    @location(2) normal: vec4<f32>,
}

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // x: whether the shape is infinite; y: whether containers are open here.
    @location(2) @interpolate(flat) has: vec2<f32>,
}

fn place(in: Vertex, k: u32) -> Corner {
    let collider = colliders[k];
    let endless = in.by_unit.w == 2.0;
    let unit = select(select(collider.radius, 1.0, in.by_unit.w == 1.0), 3.0 * frame.size, endless);
    let local = in.by_unit.xyz * unit + in.by_extent.xyz * collider.half_extents;
    let p = collider.position + rotate(collider.rotation, local);
    let has = vec2<f32>(select(0.0, 1.0, endless), in.by_extent.w);
    return Corner(frame.clip * vec4<f32>(p, 1.0), p, rotate(collider.rotation, in.normal.xyz), has);
}

@vertex
fn vertex(in: Vertex, @builtin(instance_index) k: u32) -> Corner {
    return place(in, k);
}

// Clamp infinite planes to the visible region.
fn is_beyond(in: Corner) -> bool {
    let beyond = any(in.position < frame.low) || any(in.position > frame.high);
    return in.has.x == 1.0 && beyond;
}

@fragment
fn solid(in: Corner) -> @location(0) vec4<f32> {
    // The face turns to the eye, and the normal to the face: at a silhouette an interpolated one may point away.
    let face = cross(dpdx(in.position), dpdy(in.position));
    if (is_beyond(in)) { discard; }
    let towards_eye = normalize(frame.eye - in.position);
    var n = normalize(in.normal);
    n = select(n, -n, dot(n, face) * dot(face, towards_eye) < 0.0);
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
    if (in.has.y == 1.0 && abs(dot(outward, frame.up)) > 0.99) {
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
    // What is behind it along the sunlight is in its shadow, on the floor or on another solid.
    return vec4<f32>(0.0, 1.0, 0.0, max(shadow_place(in.position).z, 0.0));
}
