// Thickness of water along the view: back faces count positive and front faces negative, up to the
// nearest solid. The second channel counts faces, to handle an eye inside the water.
//!include render/frame

@group(1) @binding(0) var<storage, read> surface_position: array<vec4<f32>>;
@group(2) @binding(0) var behind_depth: texture_depth_2d;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) position: vec3<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) k: u32) -> Corner {
    let p = surface_position[k].xyz;
    return Corner(frame.clip * vec4<f32>(p, 1.0), p);
}

@fragment
fn fragment(in: Corner, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let solid = frame.near / max(textureLoad(behind_depth, vec2<i32>(in.clip.xy), 0), 1e-9);
    let side = select(1.0, -1.0, front);
    return vec4<f32>(side * (min(depth_along(in.position), solid) - frame.middle), side, 0.0, 0.0);
}
