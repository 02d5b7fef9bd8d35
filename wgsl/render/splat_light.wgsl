// Shading of water of unknown depth: a surface that lets some light through.
//!include render/water_light

fn splat_light(p: vec3<f32>, n: vec3<f32>, speed: f32, still: vec3<f32>) -> vec3<f32> {
    let direction = normalize(p - frame.eye);
    // Blended normals are unreliable at silhouettes, so limit the reflection.
    let share = min(fresnel(-dot(n, direction)), 0.35);
    let light = sunlight(p, 6.0 * frame.spacing);
    let mirrored = environment(p, reflect(direction, n)).rgb + sun_glint(n, -direction) * light;
    let wrapped = clamp(0.35 + 0.65 * dot(n, frame.sun), 0.0, 1.0) * (0.25 + 0.75 * light);
    let open = 0.5 + 0.5 * dot(n, frame.up);
    // Fast water contains air bubbles.
    let froth = 0.65 * smoothstep(0.5, 1.6, speed / frame.froth_speed);
    let albedo = mix(still, vec3<f32>(0.55, 0.70, 0.76), froth);
    let body = albedo * (0.62 * frame.sun_light * wrapped + 0.80 * frame.sky_light * open);
    return mix(body, mirrored, share);
}
