//! The image in place of the sky.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use half::f16;
use meniscus::{
    Gpu,
    scene::{Panorama, Texels, to_linear},
};
use wgpu::TextureUsages;

use crate::{
    frame::{SKY_LIGHT, unmapped},
    pipelines::LIGHT,
};

/// Light on a level face under a sky of light 1 in all directions, relative to which the own sky's is [`SKY_LIGHT`].
const UNIFORM: f32 = 1.5;
/// Most light of a texel, below the largest half float.
const BRIGHTEST: f32 = 60_000.0;

/// Texture of an image, of one black texel where there is none.
pub(crate) struct Sky {
    image: Option<Arc<Panorama>>,
    view: wgpu::TextureView,
    sampler: wgpu::Sampler,
    light: Vec3,
}

impl Sky {
    pub(crate) fn new(gpu: &Gpu, image: Option<Arc<Panorama>>) -> Self {
        let device = gpu.device();
        let (size, texels) = match &image {
            Some(panorama) => (panorama.size, lights(&panorama.texels)),
            None => ([1; 2], vec![Vec3::ZERO]),
        };
        let extent = wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("sky"),
            size: extent,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: LIGHT,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let halves: Vec<[u16; 4]> = texels
            .iter()
            .map(|light| {
                light.extend(1.0).to_array().map(|channel| f16::from_f32(channel).to_bits())
            })
            .collect();
        gpu.queue().write_texture(
            texture.as_image_copy(),
            bytemuck::cast_slice(&halves),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(8 * size[0]),
                rows_per_image: None,
            },
            extent,
        );
        let light = match &image {
            Some(_) => UNIFORM * mean(size, &texels),
            None => SKY_LIGHT,
        };
        Self {
            image,
            view: texture.create_view(&wgpu::TextureViewDescriptor::default()),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("sky"),
                // Around the horizon, not over the poles.
                address_mode_u: wgpu::AddressMode::Repeat,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            light,
        }
    }

    /// Whether it is of this image.
    pub(crate) fn shows(&self, image: Option<&Arc<Panorama>>) -> bool {
        match (&self.image, image) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }

    pub(crate) fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    pub(crate) fn sampler(&self) -> &wgpu::Sampler {
        &self.sampler
    }

    /// Light from all of the sky on a level face.
    pub(crate) fn light(&self) -> Vec3 {
        self.light
    }
}

/// Linear light of texels; colours of a screen become what tone mapping turns into them.
fn lights(texels: &Texels) -> Vec<Vec3> {
    match texels {
        Texels::Screen(colors) => {
            let linear: [f32; 256] =
                std::array::from_fn(|code| to_linear(code as f64 / 255.0) as f32);
            let light = |color: &[u8; 3]| unmapped(color.map(|code| linear[code as usize]).into());
            colors.iter().map(light).collect()
        }
        Texels::Light(lights) => {
            lights.iter().map(|light| Vec3::from(*light).min(Vec3::splat(BRIGHTEST))).collect()
        }
    }
}

/// Mean light of the upper half, by the cosine to the vertical.
fn mean(size: [u32; 2], texels: &[Vec3]) -> Vec3 {
    let [width, height] = size.map(|side| side as usize);
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for (number, row) in texels.chunks_exact(width).enumerate() {
        let angle = (number as f64 + 0.5) / height as f64 * std::f64::consts::PI;
        // The area of a row's texels is as its sine.
        let weight = angle.sin() * angle.cos().max(0.0);
        sum += weight / width as f64 * row.iter().map(|light| light.as_dvec3()).sum::<DVec3>();
        weights += weight;
    }
    (sum / weights.max(f64::MIN_POSITIVE)).as_vec3()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_light_of_an_image_is_that_of_its_upper_half() {
        // From bright 1 above to dark below; the ground does not count.
        let rows = |light: fn(f64) -> f32| -> Vec<Vec3> {
            let angle = |row: u32| (f64::from(row) + 0.5) / 64.0 * std::f64::consts::PI;
            (0..64).flat_map(|row| [Vec3::splat(light(angle(row))); 4]).collect()
        };
        let uniform = rows(|angle| if angle < 1.57 { 3.0 } else { 99.0 });
        assert!((mean([4, 64], &uniform) - 3.0).abs().max_element() < 1e-5);
        // ∫ cos² dΩ / ∫ cos dΩ = 2/3.
        let cosine = rows(|angle| angle.cos().max(0.0) as f32);
        assert!((mean([4, 64], &cosine) - 2.0 / 3.0).abs().max_element() < 1e-3);
        // One row has no upper half's middle.
        assert!(mean([1, 1], &[Vec3::ONE]).is_finite());
    }

    #[test]
    fn colors_of_a_screen_are_what_tone_mapping_makes_of_their_light() {
        let grey = lights(&Texels::Screen(vec![[128; 3]]))[0];
        assert!((grey - (to_linear(128.0 / 255.0) as f32 + 0.04)).abs().max_element() < 1e-6);
        assert_eq!(lights(&Texels::Light(vec![[1e9, 0.5, 0.0]]))[0], Vec3::new(6e4, 0.5, 0.0));
    }
}
