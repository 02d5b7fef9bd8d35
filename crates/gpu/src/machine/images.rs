//! Copies of arrays in textures, from which passes gather (`//!gather` in shaders). A copy is made
//! before the first pass that reads it after the array may have changed.

use std::collections::{BTreeMap, BTreeSet};

use super::{BoundStage, bind::Shader, memory::Buffers};
use crate::{Error, Gpu, shaders::IMAGE_WIDTH};

/// Textures by the names of their arrays.
#[derive(Debug, Default)]
pub(super) struct Images(BTreeMap<String, wgpu::Texture>);

/// Names of the arrays whose copies are up to date, in one recording.
pub(super) type Fresh = BTreeSet<String>;

/// Allocates the textures that the passes read.
pub(super) fn allocate(gpu: &Gpu, shaders: &[Shader], buffers: &Buffers) -> Result<Images, Error> {
    let mut images = BTreeMap::new();
    for (row, format) in shaders.iter().flat_map(|shader| &shader.images) {
        let rows = elements(&buffers[row.name], *format).div_ceil(IMAGE_WIDTH);
        let most = gpu.device().limits().max_texture_dimension_2d;
        if rows > most {
            let (name, adapter) = (row.name, &gpu.info().name);
            return Err(Error::TooLarge(format!(
                "the texture for `{name}` needs {rows} rows, but adapter {adapter} allows {most}; it is not \
                 needed with --subgroups off"
            )));
        }
        let texture = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some(row.name),
            size: wgpu::Extent3d { width: IMAGE_WIDTH, height: rows, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: *format,
            usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        images.insert(row.name.to_owned(), texture);
    }
    Ok(Images(images))
}

fn element_size(format: wgpu::TextureFormat) -> u32 {
    format.block_copy_size(None).unwrap_or(4)
}

fn elements(buffer: &wgpu::Buffer, format: wgpu::TextureFormat) -> u32 {
    (buffer.size() / u64::from(element_size(format))) as u32
}

impl Images {
    /// View of an array's texture.
    pub(super) fn view(&self, array: &str) -> wgpu::TextureView {
        self.0[array].create_view(&wgpu::TextureViewDescriptor::default())
    }

    /// Names of the arrays that a stage gathers or publishes and whose copies are out of date.
    pub(super) fn stale<'a>(stage: &'a BoundStage, fresh: &Fresh) -> Vec<&'a str> {
        let images = stage.bindings.iter().filter(|bound| bound.binding.image.is_some());
        let names = images.map(|bound| bound.name.as_str());
        names.filter(|name| !fresh.contains(*name)).collect()
    }

    /// Copies an array to its texture.
    pub(super) fn copy(&self, array: &str, buffers: &Buffers, encoder: &mut wgpu::CommandEncoder) {
        copy(&buffers[array], &self.0[array], encoder);
    }
}

impl BoundStage {
    /// Notes which arrays' copies are up to date after the stage.
    pub(super) fn age(&self, fresh: &mut Fresh) {
        let images = || self.bindings.iter().filter(|bound| bound.binding.image.is_some());
        let changed = self.bindings.iter().filter(|bound| !bound.binding.read_only);
        for bound in changed.filter(|bound| images().all(|image| image.name != bound.name)) {
            fresh.remove(&bound.name);
        }
        fresh.extend(images().map(|bound| bound.name.clone()));
    }
}

/// Copies a buffer's whole rows, then the rest.
fn copy(buffer: &wgpu::Buffer, texture: &wgpu::Texture, encoder: &mut wgpu::CommandEncoder) {
    let size = element_size(texture.format());
    let all = elements(buffer, texture.format());
    let (rows, rest) = (all / IMAGE_WIDTH, all % IMAGE_WIDTH);
    for (y, width, height) in [(0, IMAGE_WIDTH, rows), (rows, rest, u32::from(rest > 0))] {
        if height == 0 {
            continue;
        }
        let layout = wgpu::TexelCopyBufferLayout {
            offset: u64::from(y) * u64::from(IMAGE_WIDTH * size),
            bytes_per_row: Some(IMAGE_WIDTH * size),
            rows_per_image: None,
        };
        let target = wgpu::TexelCopyTextureInfo {
            texture,
            mip_level: 0,
            origin: wgpu::Origin3d { x: 0, y, z: 0 },
            aspect: wgpu::TextureAspect::All,
        };
        let extent = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        encoder.copy_buffer_to_texture(
            wgpu::TexelCopyBufferInfo { buffer, layout },
            target,
            extent,
        );
    }
}
