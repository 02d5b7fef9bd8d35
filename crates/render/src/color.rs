//! Perceptually uniform colour maps: those of the crate colorous, and one along a line in Oklab,
//! which takes eight lines of arithmetic and so does without the crate palette.

use glam::Vec3;
use meniscus::methods::quantity::ColorMap;
pub(crate) use meniscus::scene::to_linear;

/// Number of colours per map; shaders interpolate between them.
pub(crate) const STOPS: usize = 33;

/// Lightness, chroma and hue (in degrees) of Ocean's stops in Oklab (B. Ottosson, 2020).
const OCEAN: [[f64; 3]; 4] =
    [[0.33, 0.135, 264.0], [0.53, 0.140, 252.0], [0.75, 0.110, 225.0], [0.96, 0.030, 195.0]];

fn oklab_to_linear([l, a, b]: [f64; 3]) -> [f64; 3] {
    let cube = |x: f64| x * x * x;
    let l_ = cube(l + 0.396_337_777_4 * a + 0.215_803_757_3 * b);
    let m_ = cube(l - 0.105_561_345_8 * a - 0.063_854_172_8 * b);
    let s_ = cube(l - 0.089_484_177_5 * a - 1.291_485_548 * b);
    [
        4.076_741_662_1 * l_ - 3.307_711_591_3 * m_ + 0.230_969_929_2 * s_,
        -1.268_438_004_6 * l_ + 2.609_757_401_1 * m_ - 0.341_319_396_5 * s_,
        -0.004_196_086_3 * l_ - 0.703_418_614_7 * m_ + 1.707_614_701_0 * s_,
    ]
}

pub(crate) fn to_srgb(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

/// Colour of a gradient of the crate colorous, in linear RGB.
fn listed(gradient: colorous::Gradient, x: f64) -> [f64; 3] {
    gradient.eval_continuous(x).into_array().map(|c| to_linear(f64::from(c) / 255.0))
}

/// Colour at `x` in [0, 1], in linear RGB.
pub(crate) fn linear(map: ColorMap, x: f64) -> Vec3 {
    let x = x.clamp(0.0, 1.0);
    let color = match map {
        ColorMap::Viridis => listed(colorous::VIRIDIS, 0.12 + 0.88 * x),
        ColorMap::Turbo => listed(colorous::TURBO, 0.08 + 0.87 * x),
        ColorMap::Ocean => {
            let at = x * (OCEAN.len() - 1) as f64;
            let k = (at as usize).min(OCEAN.len() - 2);
            let mix = |c: usize| OCEAN[k][c] + (at - k as f64) * (OCEAN[k + 1][c] - OCEAN[k][c]);
            let (sin, cos) = mix(2).to_radians().sin_cos();
            oklab_to_linear([mix(0), mix(1) * cos, mix(1) * sin])
        }
    };
    Vec3::from(color.map(|c| c.clamp(0.0, 1.0) as f32))
}

/// Colour at `x` in [0, 1], in 8-bit sRGB, for the legend.
#[must_use]
pub fn map_color(map: ColorMap, x: f64) -> [u8; 3] {
    linear(map, x).to_array().map(|c| (255.0 * to_srgb(f64::from(c)) + 0.5) as u8)
}

/// Colour of an id, equal to that of `wgsl/render/particles.wgsl`: constant lightness, hashed hue.
pub(crate) fn id_color(id: u32) -> [u8; 3] {
    let hash = id.wrapping_mul(2_654_435_769);
    let hue = std::f64::consts::TAU * f64::from(hash >> 8) / f64::from(1 << 24);
    let light = 0.62 + 0.2 * f64::from((hash >> 3) & 255) / 255.0;
    let color = oklab_to_linear([light, 0.12 * hue.cos(), 0.12 * hue.sin()]);
    color.map(|c| (255.0 * to_srgb(c) + 0.5) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CIE lightness.
    fn lightness(map: ColorMap, x: f64) -> f64 {
        let y = linear(map, x).as_dvec3().dot(glam::DVec3::new(0.2126, 0.7152, 0.0722));
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    #[test]
    fn lightness_rises_evenly_where_it_should() {
        for map in [ColorMap::Ocean, ColorMap::Viridis] {
            let steps: Vec<_> = (0..16)
                .map(|k| {
                    lightness(map, f64::from(k + 1) / 16.0) - lightness(map, f64::from(k) / 16.0)
                })
                .collect();
            let mean = steps.iter().sum::<f64>() / 16.0;
            for step in &steps {
                assert!(
                    (0.5..1.6).contains(&(step / mean)),
                    "{map:?}: {step} of {mean}: {steps:?}"
                );
            }
        }
    }

    #[test]
    fn the_maps_end_where_their_authors_say() {
        // Turbo's polynomial is within 24 steps of its table.
        let near = |a: [u8; 3], b: [u8; 3]| a.iter().zip(&b).all(|(a, b)| a.abs_diff(*b) <= 24);
        // Entries 31 and 128 of viridis' 256.
        assert!(near(map_color(ColorMap::Viridis, 0.0), [70, 47, 124]));
        assert!(near(map_color(ColorMap::Viridis, 0.432), [33, 145, 140]));
        assert!(near(map_color(ColorMap::Viridis, 1.0), [253, 231, 37]));
        // Entries 20, 128 and 242 of turbo's 256.
        assert!(near(map_color(ColorMap::Turbo, 0.0), [64, 81, 189]));
        assert!(near(map_color(ColorMap::Turbo, 0.483), [164, 252, 60]));
        assert!(near(map_color(ColorMap::Turbo, 1.0), [158, 16, 1]));
    }
}
