// Sky, sun and floor as seen from anywhere, for reflection and refraction. Procedural, except where
// an image is in place of the sky.
//!include render/frame

// Light from all directions: columns are longitudes, rows latitudes, from the top.
@group(0) @binding(4) var sky_image: texture_2d<f32>;
@group(0) @binding(5) var sky_sampler: sampler;

// Shadow map by points of the floor, along the sunlight: thickness of fluid in m (r), whether a
// solid is in the way (g > 0), and the greatest height above the floor of fluid and solids along the sunlight in m (a).
@group(2) @binding(0) var shadow_map: texture_2d<f32>;
@group(2) @binding(1) var smooth_sampler: sampler;

// Light of the image from a unit direction.
fn pictured(direction: vec3<f32>) -> vec3<f32> {
    let ahead = dot(direction, frame.image_ahead);
    let right = dot(direction, cross(frame.image_ahead, frame.up));
    // (Straight up and down all longitudes are one.)
    let longitude = atan2(right, ahead + 1e-7) / 6.2831853;
    let latitude = acos(clamp(dot(direction, frame.up), -1.0, 1.0)) / 3.1415927;
    return frame.sky * textureSampleLevel(sky_image, sky_sampler, vec2<f32>(0.5 + longitude, latitude), 0.0).rgb;
}

fn sky_base(direction: vec3<f32>) -> vec3<f32> {
    if (frame.backdrop == BACKDROP_COLOR) { return frame.background; }
    if (frame.backdrop == BACKDROP_IMAGE) { return pictured(direction); }
    let height = clamp(dot(direction, frame.up), -1.0, 1.0);
    let horizon = vec3<f32>(0.70, 0.78, 0.85);
    let zenith = vec3<f32>(0.07, 0.19, 0.46);
    return frame.sky * mix(horizon, zenith, pow(clamp(height, 0.0, 1.0), 0.5));
}

fn noise_corner(cell: vec2<i32>) -> f32 {
    var h = (u32(cell.x) * 0x9e3779b1u) ^ (u32(cell.y) * 0x85ebca6bu);
    h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12u)) * 0x297a2d39u;
    return f32((h ^ (h >> 15u)) >> 8u) / 16777216.0;
}

fn noise(x: vec2<f32>) -> f32 {
    let cell = vec2<i32>(floor(x));
    let f = fract(x);
    let t = f * f * (3.0 - 2.0 * f);
    let low = mix(noise_corner(cell), noise_corner(cell + vec2<i32>(1, 0)), t.x);
    let high = mix(noise_corner(cell + vec2<i32>(0, 1)), noise_corner(cell + vec2<i32>(1, 1)), t.x);
    return mix(low, high, t.y);
}

// Thin clouds, so that reflections show the water's shape.
fn clouds(direction: vec3<f32>) -> f32 {
    let height = dot(direction, frame.up);
    let plane = vec2<f32>(dot(direction, frame.tangent), dot(direction, frame.bitangent)) / (max(height, 0.0) + 0.12);
    var x = plane * 1.3 + vec2<f32>(3.7, 1.9);
    var sum = 0.0;
    var weight = 0.5;
    for (var octave = 0; octave < 4; octave++) {
        sum += weight * noise(x);
        x = vec2<f32>(1.6 * x.x + 1.2 * x.y, 1.6 * x.y - 1.2 * x.x);
        weight *= 0.5;
    }
    return smoothstep(0.46, 0.80, sum) * smoothstep(0.02, 0.22, height);
}

fn sky(direction: vec3<f32>) -> vec3<f32> {
    var color = sky_base(direction);
    if (frame.backdrop != BACKDROP_SKY) { return color; }
    color = mix(color, frame.sky * vec3<f32>(1.05, 1.04, 1.02), 0.6 * clouds(direction));
    let towards = max(dot(direction, frame.sun), 0.0);
    color += frame.sunlight * vec3<f32>(0.30, 0.26, 0.18) * pow(towards, 24.0);
    color += frame.sunlight * vec3<f32>(6.0, 5.6, 4.8) * smoothstep(0.9992, 0.9997, towards);
    return color;
}

// A point's coordinates in the shadow map (xy, 0 to 1) and its height above the floor along the
// sunlight, in m.
fn shadow_place(p: vec3<f32>) -> vec3<f32> {
    let along = (dot(p, frame.up) - frame.ground) / max(dot(frame.sun, frame.up), 0.05);
    let foot = p - along * frame.sun;
    let on_floor = vec2<f32>(dot(foot, frame.tangent), dot(foot, frame.bitangent));
    return vec3<f32>((on_floor - frame.shadow_corner) * frame.shadow_scale, along);
}

// Light that reaches the floor, per colour channel; `shade` is the share of sunlight left under
// much fluid.
fn floor_light(p: vec3<f32>) -> vec3<f32> {
    let sky_share = 0.34 * frame.sky_light;
    let sun_share = 0.30 * frame.sun_light;
    let place = shadow_place(p);
    if (any(place.xy != clamp(place.xy, vec2<f32>(0.0), vec2<f32>(1.0)))) {
        return sun_share + sky_share;
    }
    // The sun has a size: edges of shadows are some texels wide.
    let step = 2.0 / vec2<f32>(textureDimensions(shadow_map));
    var above = vec2<f32>(0.0);
    for (var y = 0; y < 4; y++) {
        for (var x = 0; x < 4; x++) {
            let at = place.xy + (vec2<f32>(vec2<i32>(x, y)) - 1.5) * step;
            above += min(textureSampleLevel(shadow_map, smooth_sampler, at, 0.0).rg, vec2<f32>(100.0 * frame.size, 1.0)) / 16.0;
        }
    }
    let edge = min(place.xy, 1.0 - place.xy);
    let fade = smoothstep(0.0, 0.05, min(edge.x, edge.y));
    let covered = fade * (1.0 - exp(-14.0 * above.x / frame.size));
    let solid = fade * smoothstep(0.0, 1.0, above.y);
    // Smoke is no lens.
    let is_smoke = params.counts.sources + params.counts.vortices > 0u;
    let focus = mix(1.0, caustic(place.xy), select(covered * (1.0 - solid), 0.0, is_smoke));
    // Objects that cast shadows also hide some of the sky.
    let sun_left = mix(vec3<f32>(1.0), frame.shade, covered) * (1.0 - 0.8 * solid);
    let sky_left = (1.0 - 0.35 * covered * (1.0 - frame.shade.g)) * (1.0 - 0.3 * solid);
    return focus * sun_share * sun_left + sky_share * sky_left;
}

// Thickness of the fluid above a point of the floor along the sunlight, in m: a mean over two spacings, since particles
// on a lattice make stripes.
fn fluid_thickness(at: vec2<f32>) -> f32 {
    let side = frame.spacing * frame.shadow_scale;
    var sum = 0.0;
    for (var k = 0; k < 4; k++) {
        let corner = select(vec2<f32>(-1.0), vec2<f32>(1.0), vec2<bool>((k & 1) == 1, (k & 2) == 2));
        sum += textureSampleLevel(shadow_map, smooth_sampler, at + corner * side, 0.0).r;
    }
    return 0.25 * sum;
}

// Factor by which the fluid's surface focuses sunlight on the floor below: its bulges are lenses, which move light
// at the depth D by D (1 − 1/n) ∇D.
fn caustic(at: vec2<f32>) -> f32 {
    let reach = 6.0 * frame.spacing;
    let dx = vec2<f32>(reach * frame.shadow_scale.x, 0.0);
    let dy = vec2<f32>(0.0, reach * frame.shadow_scale.y);
    let depth = fluid_thickness(at);
    let rise = fluid_thickness(at + dx) + fluid_thickness(at - dx) + fluid_thickness(at + dy) + fluid_thickness(at - dy) - 4.0 * depth;
    return 1.0 / clamp(1.0 + 0.25 * depth * rise / (reach * reach), 0.6, 1.4);
}

// Share of sunlight that reaches a point through the fluid above it; `soft` is the depth in m at
// which 1/e is left.
fn sunlight(p: vec3<f32>, soft: f32) -> f32 {
    if (frame.flat == 1u) {
        return 1.0;
    }
    let place = shadow_place(p);
    let step = 1.0 / vec2<f32>(textureDimensions(shadow_map));
    var light = 0.0;
    for (var y = -1; y <= 1; y += 2) {
        for (var x = -1; x <= 1; x += 2) {
            let at = place.xy + vec2<f32>(vec2<i32>(x, y)) * step;
            let above = textureSampleLevel(shadow_map, smooth_sampler, at, 0.0).a - place.z;
            light += 0.25 * exp(-max(above - frame.spacing, 0.0) / soft);
        }
    }
    return light;
}

// Coverage of a box filter of width w about x by the lines [−½, ½] + integers.
fn line_share(x: f32, w: f32, thickness: f32) -> f32 {
    let half_line = 0.5 * thickness;
    let a = x - 0.5 * w + half_line;
    let b = x + 0.5 * w + half_line;
    let filled_a = floor(a) * thickness + min(fract(a), thickness);
    let filled_b = floor(b) * thickness + min(fract(b), thickness);
    return clamp((filled_b - filled_a) / max(w, 1e-6), 0.0, 1.0);
}

// Colour of the floor at p: pale tiles with thin joints. `distance` is the length of the way to the eye, used
// to average the joints over a pixel.
fn floor_color(p: vec3<f32>, distance: f32, cosine: f32) -> vec3<f32> {
    let x = vec2<f32>(dot(p, frame.tangent), dot(p, frame.bitangent)) / frame.tile;
    let pixel = distance * 2.0 * length(frame.above) / frame.height / frame.tile;
    let w = clamp(pixel / max(cosine, 0.05), 1e-4, 8.0);
    let joints = 1.0 - (1.0 - line_share(x.x, w, 0.035)) * (1.0 - line_share(x.y, w, 0.035));
    let cell = floor(x);
    let odd = fract(0.5 * (cell.x + cell.y)) * 2.0;
    let blend = clamp(1.0 - 1.5 * w, 0.0, 1.0);
    let albedo = mix(vec3<f32>(0.51, 0.49, 0.46), vec3<f32>(0.435, 0.42, 0.395), mix(0.5, odd, blend));
    let light = floor_light(p);
    return mix(albedo, vec3<f32>(0.30, 0.29, 0.28), 0.8 * joints) * light;
}

// Light that arrives at p from a unit direction, and the distance to the floor, or -1.
fn environment(p: vec3<f32>, direction: vec3<f32>) -> vec4<f32> {
    let fall = -dot(direction, frame.up);
    var height = dot(p, frame.up) - frame.ground;
    let below = height < -0.05 * frame.size;
    // Points slightly below the floor still see it from above.
    height = max(height, 1e-3 * frame.size);
    if (frame.has_ground == 0u || fall <= 1e-5 || below) {
        var d = direction;
        if (frame.has_ground == 0u && fall > 0.0 && frame.backdrop == BACKDROP_SKY) {
            // Without a floor, the lower half is a dimmer mirror image of the upper half.
            d = normalize(d + 2.0 * fall * frame.up);
            return vec4<f32>(0.85 * sky_base(d), -1.0);
        }
        return vec4<f32>(sky(d), -1.0);
    }
    let distance = height / fall;
    let hit = p + distance * direction;
    // What a surface mirrors or bends is as blurred as its whole way to the eye is long, and more: waves are lenses.
    let way = length(p - frame.eye);
    let seen = floor_color(hit, way + select(3.0, 1.0, way == 0.0) * distance, fall);
    // Far away the floor fades into the horizon, or into the ground of the image.
    let level = normalize(direction + (fall + 0.001) * frame.up);
    let far = sky_base(select(level, direction, frame.backdrop == BACKDROP_IMAGE));
    let away = length(hit - frame.up * dot(hit, frame.up)) / frame.size;
    let fade = smoothstep(1.2, 7.0, away);
    return vec4<f32>(mix(seen, far, fade), select(distance, -1.0, fade >= 1.0));
}

// A matt surface with a soft highlight. `light` is the share of sunlight that arrives.
fn lit(albedo: vec3<f32>, n: vec3<f32>, towards_eye: vec3<f32>, light: f32) -> vec3<f32> {
    let sun = max(dot(n, frame.sun), 0.0) * light;
    let sky_share = 0.5 + 0.5 * dot(n, frame.up);
    let ambient = mix(vec3<f32>(0.30, 0.30, 0.31), frame.sky_light, sky_share);
    let half_way = normalize(towards_eye + frame.sun);
    let highlight = pow(max(dot(n, half_way), 0.0), 48.0) * light;
    return albedo * (0.36 * frame.sun_light * sun + 0.62 * ambient) + 0.10 * frame.sun_light * highlight;
}
