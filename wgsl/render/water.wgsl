// Shading of water at a point of its surface: the reflected environment by Fresnel's share, and for
// the rest the refracted light from behind, reduced by absorption (Beer, Lambert), plus scattering.
//!include render/water_light

// The scene without water: light and depth.
@group(2) @binding(2) var behind: texture_2d<f32>;
@group(2) @binding(3) var behind_depth: texture_depth_2d;
// Thickness of water along the view in m, and the number of unpaired faces: each stands for the
// eye's distance to the domain's centre.
@group(2) @binding(4) var thickness_map: texture_2d<f32>;

// Number of the liquid that is drawn.
var<private> liquid: u32;

fn thickness_at(pixel: vec2<f32>) -> f32 {
    let uv = pixel / vec2<f32>(frame.width, frame.height);
    let sum = textureSampleLevel(thickness_map, smooth_sampler, uv, 0.0).rg;
    return max(sum.r + sum.g * frame.middle, 0.0);
}

// Light that the water scatters back, from sun and sky.
fn water_glow(p: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let sun = sunlight(p, 0.30 * frame.size) * (0.42 + 0.58 * max(dot(n, frame.sun), 0.0));
    let open = 0.5 + 0.5 * dot(n, frame.up);
    return frame.glow[liquid].rgb * (0.85 * frame.sun_light * sun + 0.85 * frame.sky_light * open);
}

// Path length in m of light through water from p: the thickness measured along the view or, where
// the surface faces the sky, the depth of water under p, which the refracted ray meets. (The shadow
// map stores it along the sunlight.)
fn path_through(p: vec3<f32>, n: vec3<f32>, bent: vec3<f32>, straight: f32) -> f32 {
    let fall = -dot(bent, frame.up);
    let column = textureSampleLevel(shadow_map, smooth_sampler, shadow_place(p).xy, 0.0).r * dot(frame.sun, frame.up);
    let open = smoothstep(0.25, 0.8, dot(n, frame.up)) * smoothstep(0.2, 0.5, fall);
    let path = mix(straight, max(straight, column / max(fall, 0.2)), open);
    // The path ends at the floor.
    let height = max(dot(p, frame.up) - frame.ground, 0.0);
    return select(path, min(path, height / max(fall, 1e-3)), frame.has_ground == 1u && fall > 0.0);
}

// Whether what the picture without water shows at a pixel, at a depth, is an object, above the floor.
fn stands_at(pixel: vec2<f32>, depth: f32) -> bool {
    if (frame.in_pass != IN_PICTURE) { return frame.in_pass == IN_FRONT && depth < 100.0 * frame.size; }
    let height = dot(frame.eye + ray_through(pixel) * depth, frame.up) - frame.ground;
    return depth < 100.0 * frame.size && height > 0.004 * frame.size;
}

// `n` points out of the water towards the eye; `thickness` is along the view's axis.
fn water(p: vec3<f32>, n: vec3<f32>, pixel: vec2<f32>, thickness: f32) -> vec3<f32> {
    let size = vec2<f32>(frame.width, frame.height);
    let view = p - frame.eye;
    let distance = length(view);
    let direction = view / distance;
    let w = dot(view, frame.forward);
    let bent = refract(direction, n, 1.0 / frame.glow[liquid].w);
    let path = path_through(p, n, bent, thickness * distance / w);
    let cosine = -dot(n, direction);
    // Where water stands on the floor there is no air below its rounded edge to mirror.
    let stood = dot(p, frame.up) - frame.ground;
    let in_air = select(1.0, smoothstep(0.3, 2.0, stood / frame.spacing), frame.has_ground == 1u);
    let share = fresnel_of(frame.glow[liquid].w, cosine) * in_air;
    let mirrored = environment(p, reflect(direction, n)).rgb + sun_glint(n, -direction) * sunlight(p, 0.1 * frame.size);

    // The refracted ray leaves the water after this path. A slab would straighten it; drops refract
    // it again.
    let thin = exp(-path / (0.05 * frame.size));
    let exit = p + path * bent;
    let outwards = normalize(mix(direction, bent, 0.5 + 1.3 * thin));
    // Take the refracted colour from the picture without water where it shows an object; sky and
    // floor are known in all directions. Where something in front of the water or the picture's edge hides what the
    // ray meets, look less far aside: at the pixel itself everything is behind the water.
    // What stands right behind the pixel is met before the ray has gone all that way.
    let behind_w = frame.near / max(textureLoad(behind_depth, vec2<i32>(pixel), 0), 1e-9);
    let straight_way = max(behind_w - w, 0.0) * distance / w;
    let stands_behind = stands_at(pixel, behind_w);
    let meets = select(exit, p + min(path, straight_way) * bent, stands_behind);
    let aside = pixel_of(meets) - pixel;
    var seen_at = pixel;
    var seen_w = 0.0;
    for (var k = 0; k < 5; k++) {
        let try_at = pixel + aside * select(exp2(-f32(k)), 0.0, k == 4);
        let inside = all(try_at == clamp(try_at, vec2<f32>(0.5), size - 0.5));
        seen_at = clamp(try_at, vec2<f32>(0.5), size - 0.5);
        seen_w = frame.near / max(textureLoad(behind_depth, vec2<i32>(seen_at), 0), 1e-9);
        if (inside && seen_w >= w) {
            break;
        }
    }
    // The ray goes past, deeper, if there is an object less than half as deep only aside.
    let half_w = w + 0.5 * path * dot(bent, frame.forward);
    let stands = stands_at(seen_at, seen_w) && (stands_behind || seen_w > half_w);
    var seen = environment(exit, outwards).rgb;
    if (stands || frame.in_pass == IN_FRONT) {
        // Not filtered: a neighbouring pixel may show what hides the rest.
        seen = textureLoad(behind, vec2<i32>(seen_at), 0).rgb;
    }
    var way = path;
    if ((frame.has_foam == 1u || stands) && seen_w > w) {
        // Bubbles and objects are nearer than the bottom.
        way = min(path, (seen_w - w) * length(ray_through(seen_at)) / max(dot(direction, bent), 0.5));
    }
    // Rays meet thin water several times: far walls and surfaces reflect light internally.
    let optical = way * (1.0 + 0.8 * exp(-way / (0.10 * frame.size)));
    let left = exp(-frame.absorption[liquid].rgb * optical);
    let glow = water_glow(p, n) * (1.0 - exp(-frame.absorption[liquid].w * optical));
    return mix(seen * left + glow, mirrored, share);
}
