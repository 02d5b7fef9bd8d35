// Particles as lit spheres, coloured by a quantity.
//!include render/environment
//!include render/palette
//!include render/sphere

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> identity: array<vec2<u32>>;
// The array of the quantity, as 32-bit scalars.
@group(1) @binding(3) var<storage, read> quantity: array<u32>;

// A number, or the length of several lanes; a whole number; an excess over the rest density; a
// name; the particle's material.
const FORM_NUMBER = 0u;
const FORM_WHOLE = 1u;
const FORM_EXCESS = 2u;
const FORM_LABEL = 3u;
const FORM_MATERIAL = 4u;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) ray: vec3<f32>,
    @location(2) @interpolate(flat) center: vec3<f32>,
    @location(3) @interpolate(flat) albedo: vec3<f32>,
}

fn id_color(id: u32) -> vec3<f32> {
    // Constant lightness and hashed hue in Oklab.
    let hash = id * 2654435769u;
    let hue = 6.2831853 * f32(hash >> 8u) / 16777216.0;
    let light = 0.62 + 0.2 * f32((hash >> 3u) & 255u) / 255.0;
    let a = 0.12 * cos(hue);
    let b = 0.12 * sin(hue);
    let root = vec3<f32>(
        light + 0.3963377774 * a + 0.2158037573 * b,
        light - 0.1055613458 * a - 0.0638541728 * b,
        light - 0.0894841775 * a - 1.2914855480 * b);
    let lms = root * root * root;
    let color = vec3<f32>(
        dot(lms, vec3<f32>(4.0767416621, -3.3077115913, 0.2309699292)),
        dot(lms, vec3<f32>(-1.2684380046, 2.6097574011, -0.3413193965)),
        dot(lms, vec3<f32>(-0.0041960863, -0.7034186147, 1.7076147010)));
    return clamp(color, vec3<f32>(0.0), vec3<f32>(1.0));
}

// The number at a scalar of the array, or the length of the lanes from there on.
fn number_at(at: u32) -> f32 {
    if (frame.lanes == 1u) { return bitcast<f32>(quantity[at]); }
    let third = select(0.0, bitcast<f32>(quantity[at + 2u]), frame.lanes == 3u);
    return length(vec3<f32>(bitcast<f32>(quantity[at]), bitcast<f32>(quantity[at + 1u]), third));
}

fn particle_color(i: u32) -> vec3<f32> {
    let id = identity[i];
    if (kind_of(id) != KIND_FLUID) {
        return vec3<f32>(0.42);
    }
    let at = i * frame.stride + frame.lane;
    switch frame.form {
        case FORM_WHOLE: { return palette_color(f32(quantity[at])); }
        case FORM_LABEL: { return id_color(quantity[at]); }
        case FORM_MATERIAL: { return material_of(id).color.rgb; }
        case FORM_EXCESS: {
            let excess = bitcast<f32>(quantity[at]) / material_of(id).rest_density - 1.0;
            return palette_color(100.0 * max(excess, 0.0));
        }
        default: { return palette_color(number_at(at)); }
    }
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u;
    let corner = disc_corner(index % 3u);
    let who = identity[i];
    let is_drawn = kind_of(who) != KIND_REMOVED && kind_of(who) != KIND_BOUNDARY && is_one_of(who, frame.spheres);
    if (i >= control.particle_count || !is_drawn) {
        return Corner(NOWHERE, corner, vec3<f32>(0.0), vec3<f32>(0.0), vec3<f32>(0.0));
    }
    let center = position[i].xyz;
    let board = billboard(center, frame.radius, corner);
    return Corner(board.clip, corner, board.ray, center, particle_color(i));
}

struct Out {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
    @builtin(sample_mask) mask: u32,
}

@fragment
fn fragment(in: Corner) -> Out {
    let mask = disc_mask(in.place, dpdx(in.place), dpdy(in.place));
    if (mask == 0u) {
        discard;
    }
    let hit = hit_sphere(in.center, frame.radius, in.ray, in.place);
    let towards_eye = normalize(frame.eye - hit.position);
    // Ambient occlusion: gaps between spheres see little of the sky.
    let facing = clamp(dot(hit.normal, towards_eye), 0.0, 1.0);
    let crevice = mix(0.62, 1.0, sqrt(facing));
    let light = sunlight(hit.position, 6.0 * frame.spacing);
    let color = crevice * lit(in.albedo, hit.normal, towards_eye, 0.25 + 0.75 * light);
    return Out(vec4<f32>(color, 1.0), clamp(frame.near / hit.depth, 0.0, 1.0), mask);
}
