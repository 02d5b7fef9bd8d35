// Interaction of light with water.
//!include render/environment

// Index of refraction of water.
const WATER_INDEX = 1.333;

// Reflectance of a surface to which this index of refraction belongs, by Schlick's approximation.
fn fresnel_of(index: f32, cosine: f32) -> f32 {
    let f0 = (index - 1.0) * (index - 1.0) / ((index + 1.0) * (index + 1.0));
    return f0 + (1.0 - f0) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

fn fresnel(cosine: f32) -> f32 {
    return fresnel_of(WATER_INDEX, cosine);
}

fn sun_glint(n: vec3<f32>, towards_eye: vec3<f32>) -> vec3<f32> {
    let half_way = normalize(towards_eye + frame.sun);
    let d = max(dot(n, half_way), 0.0);
    return frame.sun_light * (2.2 * pow(d, 420.0) + 0.10 * pow(d, 40.0));
}
