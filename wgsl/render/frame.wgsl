// What every drawing shader knows of the picture: crates/render/src/frame.rs, field by field.
// Positions are relative to the domain's centre; depth is `near / w`, w being the distance along
// the view: 1 at the near plane, 0 at infinity.
//!include common/control

struct Frame {
    clip: mat4x4<f32>,
    eye: vec3<f32>,
    near: f32,
    // The view's axes; right and above are scaled so that forward + x·right + y·above is the ray
    // through (x, y) of clip space.
    right: vec3<f32>,
    width: f32,
    above: vec3<f32>,
    height: f32,
    forward: vec3<f32>,
    // Distance along the view to the domain's centre: half floats keep differences from it.
    middle: f32,
    // Towards the sun.
    sun: vec3<f32>,
    exposure: f32,
    up: vec3<f32>,
    // Height of the floor along up.
    ground: f32,
    // The floor's axes; tiles are this wide.
    tangent: vec3<f32>,
    tile: f32,
    bitangent: vec3<f32>,
    // Length in m that the scene is about.
    size: f32,
    // The shadow map's corner on the floor, and 1 / its extent.
    shadow_corner: vec2<f32>,
    shadow_scale: vec2<f32>,
    // Values at the ends of the colour map.
    range: vec2<f32>,
    color_by: u32,
    // Samples of a pixel in the main pass.
    samples: u32,
    // Per metre of water, by colour; and how much light it scatters.
    absorption: vec3<f32>,
    scattering: f32,
    radius: f32,
    spacing: f32,
    // Every how manieth particle casts a shadow.
    shadow_stride: u32,
    has_ground: u32,
    // 1: the target does not encode sRGB by itself.
    encode: u32,
    flat: u32,
    // Pixels of the picture for one of the thickness map's.
    thickness_scale: f32,
    // |n| in 1/m above which a particle is of the surface (M 23).
    splat_threshold: f32,
    // Speed in m/s at which water begins to froth.
    froth_speed: f32,
    reserved_1: u32,
    reserved_2: u32,
    reserved_3: u32,
    // What is left of sunlight in the fluid's shadow.
    shade: vec3<f32>,
    reserved_4: u32,
    // Planes are drawn between these corners.
    low: vec3<f32>,
    reserved_5: u32,
    high: vec3<f32>,
    reserved_6: u32,
    palette: array<vec4<f32>, 33>,
}

@group(0) @binding(3) var<uniform> frame: Frame;

// Clip-space position behind the far plane: such a triangle is not drawn.
const NOWHERE = vec4<f32>(0.0, 0.0, -1.0, 1.0);

// Distance along the view.
fn depth_along(p: vec3<f32>) -> f32 {
    return dot(p - frame.eye, frame.forward);
}

// The ray through a pixel, of length 1 along the view.
fn ray_through(pixel: vec2<f32>) -> vec3<f32> {
    let x = 2.0 * pixel.x / frame.width - 1.0;
    let y = 1.0 - 2.0 * pixel.y / frame.height;
    return frame.forward + x * frame.right + y * frame.above;
}

// The pixel at which a point is seen.
fn pixel_of(p: vec3<f32>) -> vec2<f32> {
    let clip = frame.clip * vec4<f32>(p, 1.0);
    let ndc = clip.xy / clip.w;
    return vec2<f32>(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y) * vec2<f32>(frame.width, frame.height);
}

// A triangle that covers the picture, corner k of 3.
fn screen_corner(k: u32) -> vec4<f32> {
    return vec4<f32>(f32(i32(k & 1u)) * 4.0 - 1.0, f32(i32(k >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

// A triangle about the unit circle, corner k of 3.
fn disc_corner(k: u32) -> vec2<f32> {
    return vec2<f32>(f32(i32(k) - 1) * 1.7320508, select(-1.0, 2.0, k == 1u));
}
