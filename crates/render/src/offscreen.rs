//! Rendering without a window.

use image::RgbaImage;
use meniscus::Gpu;

use crate::{Error, FluidBuffers, Renderer, View, renderer::check_size};

/// Renders fluids to images.
#[derive(Debug)]
pub struct Offscreen {
    gpu: Gpu,
    renderer: Renderer,
    size: [u32; 2],
    target: wgpu::Texture,
    rows: wgpu::Buffer,
}

/// Alignment in bytes of the rows of a texture that is copied to a buffer.
const ROW_ALIGNMENT: u32 = wgpu::COPY_BYTES_PER_ROW_ALIGNMENT;

impl Offscreen {
    /// Creates a renderer for images of `size` pixels.
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::Gpu`].
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self, Error> {
        check_size(gpu, size)?;
        let [width, height] = size;
        let bytes = u64::from(row_bytes(width)) * u64::from(height);
        if bytes > gpu.device().limits().max_buffer_size {
            return Err(Error::Size(format!(
                "an image of {width} × {height} pixels is too large to read back: it has {bytes} bytes"
            )));
        }
        let format = wgpu::TextureFormat::Rgba8UnormSrgb;
        let target = gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let rows = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("image rows"),
            size: bytes,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let renderer = Renderer::new(gpu, format)?;
        Ok(Self { gpu: gpu.clone(), renderer, size, target, rows })
    }

    /// Width and height in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Draws an image and reads it back.
    ///
    /// # Errors
    /// [`Error::Gpu`].
    pub async fn picture(&mut self, fluid: &FluidBuffers, view: &View) -> Result<RgbaImage, Error> {
        let [width, height] = self.size;
        let mut encoder = self.gpu.device().create_command_encoder(&Default::default());
        let target = self.target.create_view(&wgpu::TextureViewDescriptor::default());
        self.renderer.draw(&mut encoder, &target, self.size, fluid, view)?;
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.rows,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(row_bytes(width)),
                    rows_per_image: None,
                },
            },
            self.target.size(),
        );
        self.gpu.queue().submit([encoder.finish()]);
        let bytes = self.gpu.read(&[&self.rows]).await?.swap_remove(0);
        let rows = bytes.chunks_exact(row_bytes(width) as usize);
        let pixels: Vec<u8> = rows.flat_map(|row| &row[..4 * width as usize]).copied().collect();
        RgbaImage::from_raw(width, height, pixels)
            .ok_or_else(|| Error::Size("the image read back has an unexpected size".into()))
    }
}

fn row_bytes(width: u32) -> u32 {
    (4 * width).next_multiple_of(ROW_ALIGNMENT)
}
