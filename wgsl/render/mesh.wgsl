// The extracted surface mesh as water.
//!include render/water

@group(1) @binding(0) var<storage, read> surface_position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> surface_normal: array<vec4<f32>>;

struct Corner {
    // Another pipeline draws the depth first and must give the same value.
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
    // At silhouettes, interpolated normals may point away from the eye: bend them back.
    let cosine = dot(n, towards_eye);
    if (cosine < 0.02) {
        n = normalize(n + (0.02 - cosine) * towards_eye);
    }
    return vec4<f32>(water(in.position, n, in.clip.xy, thickness_at(in.clip.xy)), 1.0);
}

@fragment
fn depth_only() {}
