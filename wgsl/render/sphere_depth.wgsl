// Distance along the view of the nearest particle, and its material, drawn as a sphere somewhat larger than its
// volume so that neighbours overlap.
//!include render/sphere

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> identity: array<vec2<u32>>;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) ray: vec3<f32>,
    @location(2) @interpolate(flat) center: vec3<f32>,
    @location(3) @interpolate(flat) number: u32,
}

struct Out {
    @location(0) along: f32,
    @location(1) number: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

fn sphere_radius() -> f32 {
    return 0.72 * frame.spacing;
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u;
    let corner = disc_corner(index % 3u);
    if (i >= control.particle_count || kind_of(identity[i]) != KIND_FLUID || !is_one_of(identity[i], frame.liquids)) {
        return Corner(NOWHERE, corner, vec3<f32>(0.0), vec3<f32>(0.0), 0u);
    }
    let center = position[i].xyz;
    let board = billboard(center, sphere_radius(), corner);
    return Corner(board.clip, corner, board.ray, center, (identity[i].y >> 8u) & 15u);
}

@fragment
fn fragment(in: Corner) -> Out {
    if (dot(in.place, in.place) >= 1.0) {
        discard;
    }
    let hit = hit_sphere(in.center, sphere_radius(), in.ray, in.place);
    return Out(hit.depth, vec4<f32>(f32(in.number)), clamp(frame.near / hit.depth, 0.0, 1.0));
}
