//! `lab sky`: an evening sky over hills, in all directions.

use glam::{DVec2, DVec3};
use image::{RgbImage, codecs::jpeg::JpegEncoder};

/// Pixels of the image.
const SIZE: [u32; 2] = [2048, 1024];
/// Of the JPEG file.
const QUALITY: u8 = 80;
/// Longitude of the sun from the middle, to the right, and its height, in degrees.
const SUN: [f64; 2] = [-28.0, 16.0];

/// Height of a ridge and of its hills in radians, its hills per radian, and its colour.
type Ridge = (f64, f64, f64, DVec3);

const RIDGES: [Ridge; 3] = [
    (0.075, 0.07, 1.6, DVec3::new(0.34, 0.33, 0.38)),
    (0.04, 0.055, 3.1, DVec3::new(0.16, 0.17, 0.2)),
    (0.012, 0.03, 7.0, DVec3::new(0.035, 0.04, 0.035)),
];

/// The file's bytes.
pub(crate) fn file() -> anyhow::Result<Vec<u8>> {
    let [width, height] = SIZE;
    let picture = RgbImage::from_fn(width, height, |x, y| {
        let longitude = ((f64::from(x) + 0.5) / f64::from(width) - 0.5) * std::f64::consts::TAU;
        let above = (0.5 - (f64::from(y) + 0.5) / f64::from(height)) * std::f64::consts::PI;
        let encode = |light: f64| (255.0 * light.clamp(0.0, 1.0).powf(1.0 / 2.2)).round() as u8;
        image::Rgb(light(longitude, above).to_array().map(encode))
    });
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY).encode_image(&picture)?;
    Ok(bytes)
}

/// Unit direction of a longitude from the middle to the right, and an angle above the horizon.
fn direction(longitude: f64, above: f64) -> DVec3 {
    let (sin, cos) = longitude.sin_cos();
    DVec3::new(sin * above.cos(), above.sin(), -cos * above.cos())
}

/// Linear light from a direction.
fn light(longitude: f64, above: f64) -> DVec3 {
    let d = direction(longitude, above);
    let sun = direction(SUN[0].to_radians(), SUN[1].to_radians());
    let from_sun = d.dot(sun).clamp(-1.0, 1.0).acos().to_degrees();
    let warm = (-from_sun / 45.0).exp();
    let haze = DVec3::new(0.52, 0.5, 0.55).lerp(DVec3::new(1.0, 0.66, 0.38), warm);
    let ground_haze = smooth(-0.25, 0.0, above);
    if above < 0.0 {
        let patch = noise(4.0 * DVec2::new(d.x, d.z) / (0.05 - d.y), 4);
        let meadow = DVec3::new(0.1, 0.105, 0.06) * (0.5 + patch);
        return meadow.lerp(0.45 * haze, 0.6 * ground_haze * ground_haze);
    }
    let mut color = haze.lerp(DVec3::new(0.3, 0.4, 0.56), smooth(0.0, 0.4, above));
    color = color.lerp(DVec3::new(0.08, 0.16, 0.36), smooth(0.15, 1.3, above));
    color += DVec3::new(1.0, 0.72, 0.42) * (0.5 * (-from_sun / 7.0).exp() + 0.25 * warm);

    // Clouds in a layer, lit from the sun's side.
    let place = 1.3 * DVec2::new(d.x, d.z) / (d.y + 0.1);
    let warp = DVec2::new(noise(0.7 * place + 5.2, 3), noise(0.7 * place + 9.1, 3));
    let density = |at: DVec2| noise(at + 1.2 * warp, 6);
    let here = density(place);
    let toward = density(place + 0.22 * DVec2::new(sun.x, sun.z));
    let lit = (-5.0 * (toward - 0.42).max(0.0)).exp() * (0.45 + 0.75 * warm);
    let cloud = DVec3::new(0.22, 0.23, 0.29).lerp(DVec3::new(1.15, 0.9, 0.7), lit.min(1.0));
    color = color.lerp(cloud, 0.9 * smooth(0.47, 0.66, here) * smooth(0.02, 0.2, above));

    for (base, height, hills, shade) in RIDGES {
        // Along a circle, so that the ends meet.
        let around = 10.0 * height + hills * DVec2::from_angle(longitude);
        let top = base + height * (2.0 * noise(around, 7) - 0.7);
        let cover = smooth(top + 0.0015, top - 0.0015, above);
        let veil = 0.55 * smooth(0.1, 0.9, base / 0.09) + 0.15 * smooth(top, 0.0, above);
        color = color.lerp(shade.lerp(haze, veil), cover);
    }
    color
}

/// 0 below a, 1 beyond b (or the other way around), smooth between.
fn smooth(a: f64, b: f64, x: f64) -> f64 {
    let t = ((x - a) / (b - a)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Sum of octaves of value noise, 0 to 1.
fn noise(mut x: DVec2, octaves: u32) -> f64 {
    let (mut sum, mut weight, mut weights) = (0.0, 1.0, 0.0);
    for _ in 0..octaves {
        sum += weight * octave(x);
        weights += weight;
        weight *= 0.5;
        x = DVec2::new(1.6 * x.x + 1.2 * x.y, 1.6 * x.y - 1.2 * x.x) + 3.7;
    }
    sum / weights
}

fn octave(x: DVec2) -> f64 {
    let (cell, f) = (x.floor(), x - x.floor());
    let t = f * f * (3.0 - 2.0 * f);
    let corner = |dx: f64, dy: f64| {
        let mut h = ((cell.x + dx) as i32 as u32).wrapping_mul(0x9e37_79b1)
            ^ ((cell.y + dy) as i32 as u32).wrapping_mul(0x85eb_ca6b);
        h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
        h = (h ^ (h >> 12)).wrapping_mul(0x297a_2d39);
        f64::from(h ^ (h >> 15)) / f64::from(u32::MAX)
    };
    let low = corner(0.0, 0.0) * (1.0 - t.x) + corner(1.0, 0.0) * t.x;
    let high = corner(0.0, 1.0) * (1.0 - t.x) + corner(1.0, 1.0) * t.x;
    low * (1.0 - t.y) + high * t.y
}
