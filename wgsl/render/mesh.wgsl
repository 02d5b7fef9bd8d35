// The extracted surface as water.
//!include render/water

@group(1) @binding(0) var<storage, read> surface_position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> surface_normal: array<vec4<f32>>;

struct Corner {
    // Depth is drawn first, by another pipeline, and must come out the same.
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> Corner {
    let p = surface_position[k].xyz;
    return Corner(frame.clip * vec4<f32>(p, 1.0), p, surface_normal[k].xyz);
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let towards_eye = normalize(frame.eye - in.position);
    var n = normalize(in.normal);
    // Interpolated normals may lean away from the eye at silhouettes: bent back until they do not.
    let cosine = dot(n, towards_eye);
    if (cosine < 0.02) {
        n = normalize(n + (0.02 - cosine) * towards_eye);
    }
    return vec4<f32>(water(in.position, n, in.clip.xy, thickness_at(in.clip.xy)), 1.0);
}

@fragment
fn depth_only() {}
