// Thickness of water along the view, summed over particles: chords of spheres that together have
// the fluid's volume, up to the nearest solid.
//!include render/sphere

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> identity: array<vec2<u32>>;
@group(2) @binding(0) var behind_depth: texture_depth_2d;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) along: f32,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u;
    let corner = disc_corner(index % 3u);
    if (i >= control.particle_count || kind_of(identity[i]) != KIND_FLUID || !is_one_of(identity[i], frame.liquids)) {
        return Corner(NOWHERE, corner, 0.0);
    }
    let center = position[i].xyz;
    // Wide and flat rather than round: a smoother sum with the same volume.
    let board = billboard(center, 1.2 * frame.spacing, corner);
    return Corner(board.clip, corner, depth_along(center));
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let s = dot(in.place, in.place);
    // This texture may be coarser than the depth texture.
    let scale = frame.thickness_scale;
    let size = vec2<i32>(textureDimensions(behind_depth)) - 1;
    let at = clamp(vec2<i32>(in.clip.xy * scale), vec2<i32>(0), size);
    let solid = frame.near / max(textureLoad(behind_depth, at, 0), 1e-9);
    if (s >= 1.0 || in.along > solid) {
        discard;
    }
    // The profile (1 − s)² has a mean of 1/3 over a disc of area π 1.2² spacing².
    let peak = 3.0 * frame.spacing / (3.14159265 * 1.44);
    return vec4<f32>(peak * (1.0 - s) * (1.0 - s), 0.0, 0.0, 0.0);
}
