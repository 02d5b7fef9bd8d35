// Foam, spray and bubbles. Foam is drawn as soft white patches that face the camera and saturate where they are dense, in front of the
// surface that they lie on; spray as small bright drops, drawn out along their way in the exposure; bubbles as small balls in
// the picture behind the water, which then absorbs their light.
//!include render/environment
//!include shared/foam

@group(1) @binding(0) var<storage, read> foam_position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> foam_velocity: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> foam_identity: array<vec2<u32>>;
@group(1) @binding(3) var<storage, read> foam_state: array<u32>;

// Radii of patches, drops and bubbles in sizes.
const PATCH = 0.50;
const DROP = 0.22;
const BUBBLE = 0.14;
// Largest shares of light that they hold up.
const PATCH_OPACITY = 0.42;
const DROP_OPACITY = 0.75;
// Light of a bubble relative to foam's: most passes through.
const BUBBLE_LIGHT = 0.75;
// Distance in spacings by which patches and drops are in front of their places: the mesh of a surface is up to that much higher.
const LIFT = 1.2;
// Smallest radius in pixels.
const LEAST = 0.6;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) center: vec3<f32>,
    @location(2) @interpolate(flat) opacity: f32,
    @location(3) @interpolate(flat) softness: f32,
}

fn nothing(corner: vec2<f32>) -> Corner {
    return Corner(NOWHERE, corner, vec3<f32>(0.0), 0.0, 1.0);
}

// From 0.6 to 1.4, by the particle's number.
fn variety(id: u32) -> f32 {
    return 0.6 + 0.8 * f32((id * 2654435769u) >> 8u) / 16777216.0;
}

// From 0 to 1, by the particle's number, independent of its variety (C. Wellons, hash prospector: lowbias32).
fn chance(id: u32) -> f32 {
    var x = id;
    x = (x ^ (x >> 16u)) * 0x7feb352du;
    x = (x ^ (x >> 15u)) * 0x846ca68bu;
    return f32((x ^ (x >> 16u)) >> 8u) / 16777216.0;
}

// A disc of this radius about a point, drawn out along `way`, lifted towards the eye.
fn disc(center: vec3<f32>, radius: f32, way: vec3<f32>, lift: f32, opacity: f32, softness: f32, corner: vec2<f32>) -> Corner {
    let d = center - frame.eye;
    let w = dot(d, frame.forward);
    if (w < 2.0 * frame.near + lift) { return nothing(corner); }
    let pixel = 2.0 * w * length(frame.above) / frame.height;
    let size = max(radius, LEAST * pixel);
    let z = normalize(d);
    let across = way - dot(way, z) * z;
    let length_of_way = length(across);
    let x = select(normalize(cross(z, frame.above)), across / max(length_of_way, 1e-9), length_of_way > 1e-3 * radius);
    let y = cross(x, z);
    let long = size + 0.5 * length_of_way;
    var clip = frame.clip * vec4<f32>(center + corner.x * long * x + corner.y * size * y, 1.0);
    // Depth is near/w.
    clip.z = frame.near * clip.w / max(clip.w - lift, frame.near);
    // What covers more holds up less.
    let shown = opacity * min(radius * radius / (size * long), 1.0);
    return Corner(clip, corner, center, shown, softness);
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u;
    let corner = disc_corner(index % 3u);
    if (i >= foam_state[FOAM_COUNT]) { return nothing(corner); }
    let who = foam_identity[i];
    let place = foam_position[i];
    let size = params.methods.foam.size * variety(who.x);
    let lift = LIFT * frame.spacing;
    if (who.y == FOAM_SPRAY) {
        return disc(place.xyz, DROP * size, frame.blur * foam_velocity[i].xyz, lift, DROP_OPACITY, 0.5, corner);
    }
    if (who.y != FOAM_FOAM) { return nothing(corner); }
    // Patches grow when they are born, and fade when they end.
    let age = foam_velocity[i].w / (0.02 * params.methods.foam.lifetime);
    let left = place.w / (0.2 * params.methods.foam.lifetime);
    let opacity = PATCH_OPACITY * min(left, 1.0);
    return disc(place.xyz, PATCH * size * min(0.5 + age, 1.0), vec3<f32>(0.0), lift, opacity, 1.0, corner);
}

@vertex
fn bubble_vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u;
    let corner = disc_corner(index % 3u);
    if (i >= foam_state[FOAM_COUNT]) { return nothing(corner); }
    let who = foam_identity[i];
    if (who.y != FOAM_BUBBLE) { return nothing(corner); }
    let size = params.methods.foam.size * variety(who.x);
    let ball = disc(foam_position[i].xyz, BUBBLE * size, vec3<f32>(0.0), 0.0, 1.0, 1.0, corner);
    // Balls are drawn whole or not at all, as often as they cover of what they are drawn as. By their numbers: a choice by pixel
    // would be a pattern of the screen where they are dense.
    if (chance(who.x) >= ball.opacity) { return nothing(corner); }
    return ball;
}

// Light of a ball of foam at a place on its disc.
fn foam_light(center: vec3<f32>, place: vec2<f32>) -> vec3<f32> {
    let z = normalize(frame.eye - center);
    let x = normalize(cross(frame.above, z));
    let y = cross(z, x);
    let s = min(dot(place, place), 1.0);
    // Half of it is lit as a plane: light is scattered from patch to patch.
    let n = normalize(place.x * x + place.y * y + sqrt(1.0 - s) * z + 1.5 * frame.up);
    let light = 0.25 + 0.75 * sunlight(center, 6.0 * frame.spacing);
    return lit(vec3<f32>(0.68, 0.71, 0.73), n, z, light);
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let s = dot(in.place, in.place);
    if (s >= 1.0) { discard; }
    let share = in.opacity * pow(1.0 - s, in.softness);
    return vec4<f32>(share * foam_light(in.center, in.place), share);
}

@fragment
fn bubble(in: Corner) -> @location(0) vec4<f32> {
    let s = dot(in.place, in.place);
    if (s >= 1.0) { discard; }
    return vec4<f32>(BUBBLE_LIGHT * foam_light(in.center, in.place), 1.0);
}
