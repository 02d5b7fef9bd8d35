// Uniform of every drawing shader, equal field by field to crates/render/src/frame.rs. Positions
// are relative to the domain's centre; depth is `near / w` with w the distance along the view: 1 at
// the near plane, 0 at infinity.
//!include common/control

struct Frame {
    clip: mat4x4<f32>,
    eye: vec3<f32>,
    near: f32,
    // The view's axes; right and above are scaled so that forward + x·right + y·above is the ray
    // through (x, y) in clip space.
    right: vec3<f32>,
    width: f32,
    above: vec3<f32>,
    height: f32,
    forward: vec3<f32>,
    // Distance along the view to the domain's centre; half floats store differences from it.
    middle: f32,
    // Unit vector towards the sun.
    sun: vec3<f32>,
    exposure: f32,
    up: vec3<f32>,
    // Height of the floor along `up`, in m.
    ground: f32,
    // The floor's axes, and the width of its tiles in m.
    tangent: vec3<f32>,
    tile: f32,
    bitangent: vec3<f32>,
    // Characteristic length of the scene in m.
    size: f32,
    // Corner of the shadow map on the floor, and 1 / its extent.
    shadow_corner: vec2<f32>,
    shadow_scale: vec2<f32>,
    // Values at the ends of the colour map.
    range: vec2<f32>,
    // Form of the quantity that colours the particles, a FORM_ of render/particles.
    form: u32,
    // Samples per pixel in the main pass.
    samples: u32,
    radius: f32,
    spacing: f32,
    // One in this many particles casts a shadow.
    shadow_stride: u32,
    has_ground: u32,
    // 1 if the target does not encode sRGB by itself.
    encode: u32,
    flat: u32,
    // Pixels of the picture per pixel of the thickness map, along each axis.
    thickness_scale: f32,
    // |n| in 1/m above which a particle belongs to the surface (M 23).
    splat_threshold: f32,
    // Speed in m/s at which water begins to foam.
    froth_speed: f32,
    // Scalars of an element of the quantity's array, the first that counts, and their number.
    stride: u32,
    lane: u32,
    lanes: u32,
    // Share of sunlight left in the fluid's shadow.
    shade: vec3<f32>,
    // Axis across a slice, 0 to 2.
    slice_axis: u32,
    // Corners between which planes are drawn.
    low: vec3<f32>,
    // Place of the slice on its axis in m.
    slice_at: f32,
    high: vec3<f32>,
    // Extinction of light by dense smoke in 1/m.
    extinction: f32,
    // Share of light that smoke scatters.
    smoke_color: vec3<f32>,
    // A bit for each material that is drawn as spheres.
    spheres: u32,
    // A bit for each material that is a liquid.
    liquids: u32,
    // Time in s in which what flies is drawn out.
    blur: f32,
    // 1 if there is foam, with bubbles behind the water.
    has_foam: u32,
    // Light of the sun, and of the sky.
    sun_light: vec3<f32>,
    // What is behind everything, a BACKDROP_.
    backdrop: u32,
    sky_light: vec3<f32>,
    // Factors on the light of sky and sun.
    sky: f32,
    background: vec3<f32>,
    sunlight: f32,
    // Horizontal direction in which the middle of the sky's image is.
    image_ahead: vec3<f32>,
    // What is drawn, an IN_.
    in_pass: u32,
    // Depth in a program's pass is x + y / w.
    depth_ends: vec2<f32>,
    // 1 if a program's pass holds linear light, without tone mapping.
    is_hdr: u32,
    // World that is drawn, of a scene with several.
    world: u32,
    // Of each material, as a liquid: absorption in 1/m of each colour channel, and scattering in 1/m.
    absorption: array<vec4<f32>, MAX_MATERIALS>,
    // Share of light that it scatters back; its index of refraction in w.
    glow: array<vec4<f32>, MAX_MATERIALS>,
    palette: array<vec4<f32>, 33>,
}

@group(0) @binding(3) var<uniform> frame: Frame;

const BACKDROP_SKY = 0u;
const BACKDROP_COLOR = 1u;
const BACKDROP_IMAGE = 2u;

// A picture; a layer of a program's pass; one with the program's picture behind it.
const IN_PICTURE = 0u;
const IN_PASS = 1u;
const IN_FRONT = 2u;

// Whether a particle of the fluid is in the world that is drawn.
fn is_here(identity: vec2<u32>) -> bool {
    return params.counts.worlds == 1u || (identity.y >> 16u) == frame.world;
}

// Whether a particle in the world that is drawn is of one of the materials that have a bit each.
fn is_one_of(identity: vec2<u32>, materials: u32) -> bool {
    return is_here(identity) && ((materials >> ((identity.y >> 8u) & 31u)) & 1u) == 1u;
}

// Clip-space position behind the far plane, which discards a triangle.
const NOWHERE = vec4<f32>(0.0, 0.0, -1.0, 1.0);

// Distance along the view in m.
fn depth_along(p: vec3<f32>) -> f32 {
    return dot(p - frame.eye, frame.forward);
}

// Ray through a pixel, with a length of 1 along the view.
fn ray_through(pixel: vec2<f32>) -> vec3<f32> {
    let x = 2.0 * pixel.x / frame.width - 1.0;
    let y = 1.0 - 2.0 * pixel.y / frame.height;
    return frame.forward + x * frame.right + y * frame.above;
}

// Pixel at which a point is seen.
fn pixel_of(p: vec3<f32>) -> vec2<f32> {
    let clip = frame.clip * vec4<f32>(p, 1.0);
    let ndc = clip.xy / clip.w;
    return vec2<f32>(0.5 + 0.5 * ndc.x, 0.5 - 0.5 * ndc.y) * vec2<f32>(frame.width, frame.height);
}

// Corner k of a triangle that covers the picture.
fn screen_corner(k: u32) -> vec4<f32> {
    return vec4<f32>(f32(i32(k & 1u)) * 4.0 - 1.0, f32(i32(k >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

// Corner k of a triangle around the unit circle.
fn disc_corner(k: u32) -> vec2<f32> {
    return vec2<f32>(f32(i32(k) - 1) * 1.7320508, select(-1.0, 2.0, k == 1u));
}
