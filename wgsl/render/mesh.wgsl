// An extracted surface mesh as water, or as what light does not pass through.
//!include render/water
//!include shared/looks

@group(1) @binding(0) var<storage, read> surface_position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> surface_normal: array<vec4<f32>>;

// Number of the material.
@group(1) @binding(2) var<uniform> number: u32;

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

// The normal, bent back at silhouettes, where interpolated ones may point away from the eye.
fn seen_normal(in: Corner, towards_eye: vec3<f32>) -> vec3<f32> {
    let n = normalize(in.normal);
    let cosine = dot(n, towards_eye);
    return select(n, normalize(n + (0.02 - cosine) * towards_eye), cosine < 0.02);
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let n = seen_normal(in, normalize(frame.eye - in.position));
    liquid = number;
    return vec4<f32>(water(in.position, n, in.clip.xy, thickness_at(in.clip.xy)), 1.0);
}

@fragment
fn matter(in: Corner) -> @location(0) vec4<f32> {
    let towards_eye = normalize(frame.eye - in.position);
    let n = seen_normal(in, towards_eye);
    let light = 0.25 + 0.75 * sunlight(in.position, 6.0 * frame.spacing);
    let material = params.materials[number];
    let body = lit(material.color.rgb, n, towards_eye, light);
    let mirrored = environment(in.position, reflect(-towards_eye, n)).rgb;
    // Jelly is smooth and wet, snow and sand are not.
    let share = select(0.0, fresnel(dot(n, towards_eye)), material.look == LOOK_GLOSSY);
    return vec4<f32>(mix(body, mirrored, share), 1.0);
}

@fragment
fn depth_only() {}
