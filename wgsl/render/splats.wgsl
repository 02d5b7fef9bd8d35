// Surface particles (M 23) as discs perpendicular to their normals (M 24): first their nearest
// depth, then a weighted sum of the discs within a spacing of it, which render/splat_surface shades
// (M. Botsch et al., “High-quality surface splatting on today's GPUs”, 2005).
//!include render/still

@group(1) @binding(0) var<storage, read> splat_position: array<vec4<f32>>;
@group(1) @binding(1) var<storage, read> splat_normal: array<vec4<f32>>;
@group(1) @binding(2) var<storage, read> splat_material: array<u32>;

struct Corner {
    @builtin(position) clip: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) normal: vec4<f32>,
    @location(2) along: f32,
    @location(3) @interpolate(flat) color: vec3<f32>,
}

fn disc(index: u32, closer: f32) -> Corner {
    let i = index / 3u;
    let corner = disc_corner(index % 3u);
    let nothing = Corner(NOWHERE, corner, vec4<f32>(0.0), 0.0, vec3<f32>(0.0));
    if (i >= control.particle_count) {
        return nothing;
    }
    let at = splat_position[i];
    let normal = splat_normal[i];
    if (at.w <= frame.splat_threshold) {
        return nothing;
    }
    let n = normal.xyz;
    let towards_eye = normalize(frame.eye - at.xyz);
    // Cull the far side, hidden by the near one, but keep a little beyond the silhouette to close
    // gaps.
    if (dot(n, towards_eye) < -0.1) {
        return nothing;
    }
    let u = normalize(cross(n, select(vec3<f32>(0.0, 1.0, 0.0), vec3<f32>(1.0, 0.0, 0.0), abs(n.y) > 0.8)));
    let v = cross(n, u);
    // At edges and corners, where n is large, a wide disc would stick out.
    let blunt = clamp(pow(1.5 / (params.kernel.support_radius * at.w), 1.4), 0.42, 1.0);
    let radius = 1.4 * frame.spacing * blunt;
    let p = at.xyz + radius * (corner.x * u + corner.y * v);
    let along = depth_along(p);
    if (along < 2.0 * frame.near) {
        return nothing;
    }
    return Corner(frame.clip * vec4<f32>(p + closer * towards_eye, 1.0), corner, vec4<f32>(n, normal.w), along,
                  still_color(splat_material[i]));
}

@vertex
fn nearest_vertex(@builtin(vertex_index) index: u32) -> Corner {
    return disc(index, 0.0);
}

@fragment
fn nearest(in: Corner) {
    // Just wide enough to cover the surface: the rim must not hide what lies behind.
    if (dot(in.place, in.place) >= 0.25) {
        discard;
    }
}

@vertex
fn sum_vertex(@builtin(vertex_index) index: u32) -> Corner {
    return disc(index, 1.2 * frame.spacing);
}

struct Sum {
    @location(0) normal: vec4<f32>,
    @location(1) rest: vec4<f32>,
    @location(2) color: vec4<f32>,
}

@fragment
fn sum(in: Corner) -> Sum {
    let s = dot(in.place, in.place);
    if (s >= 1.0) {
        discard;
    }
    let weight = (1.0 - s) * (1.0 - s);
    return Sum(weight * vec4<f32>(in.normal.xyz, 1.0),
               weight * vec4<f32>(in.along - frame.middle, in.normal.w, 0.0, 0.0),
               weight * vec4<f32>(in.color, 1.0));
}
