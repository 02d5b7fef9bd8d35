// Shadow map: thickness of fluid along the sunlight, and its greatest height, by points of the
// floor. Each particle draws a soft disc; if there are very many, `shadow_stride` particles share
// one.
//!include render/frame

@group(1) @binding(0) var<storage, read> position: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> identity: array<vec2<u32>>;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) @interpolate(flat) amount: vec2<f32>,
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u * frame.shadow_stride;
    let corner = disc_corner(index % 3u);
    let who = identity[min(i, params.counts.capacity - 1u)];
    if (i >= control.particle_count || kind_of(who) == KIND_REMOVED || kind_of(who) == KIND_BOUNDARY || !is_here(who)) {
        return Corner(NOWHERE, corner, vec2<f32>(0.0));
    }
    let p = position[i].xyz;
    let along = (dot(p, frame.up) - frame.ground) / max(dot(frame.sun, frame.up), 0.05);
    let foot = p - along * frame.sun;
    // A disc that stands for more particles is larger.
    let share = f32(frame.shadow_stride);
    let radius = 1.6 * frame.spacing * pow(share, 0.333333);
    let on_floor = vec2<f32>(dot(foot, frame.tangent), dot(foot, frame.bitangent)) + radius * corner;
    let uv = (on_floor - frame.shadow_corner) * frame.shadow_scale;
    // Volume per area of the disc; the profile (1 − s)² has a mean of 1/3.
    let volume = share * frame.spacing * frame.spacing * frame.spacing;
    let thickness = 3.0 * volume / (3.14159265 * radius * radius);
    let clip = vec4<f32>(2.0 * uv.x - 1.0, 1.0 - 2.0 * uv.y, 0.5, 1.0);
    return Corner(clip, corner, vec2<f32>(thickness, along));
}

@fragment
fn fragment(in: Corner) -> @location(0) vec4<f32> {
    let s = dot(in.place, in.place);
    if (s >= 1.0) {
        discard;
    }
    let thickness = in.amount.x * (1.0 - s) * (1.0 - s);
    // Use the height only where the disc is dense, so that the shadow does not grow.
    let height = select(0.0, in.amount.y, s < 0.35);
    return vec4<f32>(thickness, 0.0, 0.0, height);
}
