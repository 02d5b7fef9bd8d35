// Isolated particles, which have no well-defined surface, drawn as drops.
//!include render/splat_light
//!include render/still
//!include render/sphere

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> velocity: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> identity: array<vec2<u32>>;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) ray: vec3<f32>,
    @location(2) @interpolate(flat) center: vec3<f32>,
    @location(3) @interpolate(flat) speed: f32,
    @location(4) @interpolate(flat) number: u32,
}

// Radius of a sphere with the particle's volume: 4/3 π r³ = spacing³.
fn drop_radius() -> f32 {
    return 0.62 * frame.spacing;
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u;
    let corner = disc_corner(index % 3u);
    let nothing = Corner(NOWHERE, corner, vec3<f32>(0.0), vec3<f32>(0.0), 0.0, 0u);
    if (i >= control.particle_count || kind_of(identity[i]) != KIND_FLUID || !is_one_of(identity[i], frame.liquids)) {
        return nothing;
    }
    if (position[i].w >= 0.4 * material_of(identity[i]).rest_density) {
        return nothing;
    }
    let center = position[i].xyz;
    let board = billboard(center, drop_radius(), corner);
    return Corner(board.clip, corner, board.ray, center, length(velocity[i].xyz), (identity[i].y >> 8u) & 15u);
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
    let hit = hit_sphere(in.center, drop_radius(), in.ray, in.place);
    let color = splat_light(hit.position, hit.normal, in.speed, still_color(in.number));
    return Out(vec4<f32>(color, 1.0), clamp(frame.near / hit.depth, 0.0, 1.0), mask);
}
