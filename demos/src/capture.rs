//! Asynchronous read-back of pictures.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
};

use image::RgbaImage;
use meniscus::Gpu;

const PENDING: u8 = 0;
const READY: u8 = 1;
const FAILED: u8 = 2;

/// Pictures being read back, each with its purpose.
#[derive(Debug)]
pub(crate) struct Captures<T> {
    waiting: VecDeque<Waiting<T>>,
}

#[derive(Debug)]
struct Waiting<T> {
    buffer: wgpu::Buffer,
    size: [u32; 2],
    state: Arc<AtomicU8>,
    purpose: T,
}

impl<T> Default for Captures<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new() }
    }
}

/// Bytes per row in the buffer, which must be a multiple of wgpu's alignment.
fn stride(width: u32) -> u32 {
    (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT)
}

impl<T> Captures<T> {
    /// Records a copy of `texture`. Call [`Captures::submitted`] after submitting the encoder.
    pub(crate) fn copy(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        texture: &wgpu::Texture,
        purpose: T,
    ) {
        let size = [texture.width(), texture.height()];
        let stride = stride(size[0]);
        let buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("captured picture"),
            size: u64::from(stride) * u64::from(size[1]),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(stride),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            texture.size(),
        );
        let state = Arc::new(AtomicU8::new(u8::MAX));
        self.waiting.push_back(Waiting { buffer, size, state, purpose });
    }

    /// Maps the buffers of recorded copies.
    pub(crate) fn submitted(&mut self) {
        for waiting in &self.waiting {
            if waiting.state.swap(PENDING, Ordering::AcqRel) == u8::MAX {
                let state = Arc::clone(&waiting.state);
                waiting.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
                    state.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
                });
            }
        }
    }

    /// Number of pictures being read back.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The next picture in order, if it has arrived; without the image if the read-back failed.
    pub(crate) fn take(&mut self) -> Option<(T, Option<RgbaImage>)> {
        let state = self.waiting.front()?.state.load(Ordering::Acquire);
        if state != READY && state != FAILED {
            return None;
        }
        let waiting = self.waiting.pop_front()?;
        let image = (state == READY).then(|| image(&waiting)).flatten();
        Some((waiting.purpose, image))
    }
}

fn image<T>(waiting: &Waiting<T>) -> Option<RgbaImage> {
    let [width, height] = waiting.size;
    let view = waiting.buffer.get_mapped_range(..).ok()?;
    let rows = view.chunks_exact(stride(width) as usize);
    let mut bytes: Vec<u8> =
        rows.flat_map(|row| row[..4 * width as usize].iter().copied()).collect();
    for pixel in bytes.chunks_exact_mut(4) {
        pixel[3] = 255;
    }
    RgbaImage::from_raw(width, height, bytes)
}
