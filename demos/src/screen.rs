//! The window's surface, its device, and egui's painter.

use std::sync::Arc;

use egui::{ClippedPrimitive, TexturesDelta};
use meniscus::{Gpu, GpuOptions};
use winit::{event_loop::OwnedDisplayHandle, window::Window};

use crate::failure::Failure;

/// Render target of the window. It is recreated when the device is lost.
pub(crate) struct Screen {
    pub(crate) gpu: Gpu,
    pub(crate) painter: egui_wgpu::Renderer,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
}

/// Result of acquiring the surface's next texture.
pub(crate) enum Acquired {
    /// Draw into it.
    Texture(wgpu::SurfaceTexture),
    /// The window is hidden.
    Nothing,
    /// The surface must be reconfigured.
    Outdated,
    /// The surface is lost.
    Lost,
}

impl std::fmt::Debug for Screen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Screen").field("gpu", &self.gpu).finish_non_exhaustive()
    }
}

impl Screen {
    /// Opens a device that can draw in the window.
    pub(crate) fn open(
        window: &Arc<Window>,
        display: OwnedDisplayHandle,
        options: &GpuOptions,
    ) -> Result<Self, Failure> {
        let descriptor =
            wgpu::InstanceDescriptor::new_with_display_handle_from_env(Box::new(display));
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(Arc::clone(window)).map_err(|error| {
            Failure::Missing(format!("no adapter can draw in a window here ({error})"))
        })?;
        let gpu = pollster::block_on(Gpu::for_surface(&instance, Some(&surface), options))?;
        let capabilities = surface.get_capabilities(gpu.adapter());
        // egui wants a format that does not encode sRGB by itself, and so does the picture under
        // it.
        let format = capabilities.formats.iter().copied().find(|format| !format.is_srgb());
        let size = window.inner_size();
        let config =
            surface.get_default_config(gpu.adapter(), size.width.max(1), size.height.max(1));
        let mut config = config.ok_or_else(|| {
            Failure::Missing(format!("adapter {} cannot draw in this window", gpu.info().name))
        })?;
        config.format = format.unwrap_or(config.format);
        config.present_mode = wgpu::PresentMode::AutoVsync;
        config.desired_maximum_frame_latency = 1;
        surface.configure(gpu.device(), &config);
        let painter = egui_wgpu::Renderer::new(
            gpu.device(),
            config.format,
            egui_wgpu::RendererOptions::default(),
        );
        gpu.check()?;
        Ok(Self { gpu, painter, surface, config })
    }

    /// Whether the adapter runs on the CPU.
    pub(crate) fn is_software(&self) -> bool {
        self.gpu.info().device_type == wgpu::DeviceType::Cpu
    }

    /// Longest side of a texture, in pixels.
    pub(crate) fn longest_side(&self) -> u32 {
        self.gpu.device().limits().max_texture_dimension_2d
    }

    /// Resizes the surface. Call this only while nobody else submits: it waits for the device to be
    /// idle, and reports the device as lost if that takes too long.
    pub(crate) fn configure(&mut self, width: u32, height: u32) {
        self.config.width = width.clamp(1, self.longest_side());
        self.config.height = height.clamp(1, self.longest_side());
        self.surface.configure(self.gpu.device(), &self.config);
    }

    /// The texture to draw the next picture into.
    pub(crate) fn acquire(&mut self) -> Acquired {
        use wgpu::CurrentSurfaceTexture as Current;
        match self.surface.get_current_texture() {
            // A suboptimal texture is replaced after the resize event that follows.
            Current::Success(texture) | Current::Suboptimal(texture) => Acquired::Texture(texture),
            Current::Outdated => Acquired::Outdated,
            Current::Timeout | Current::Occluded => Acquired::Nothing,
            Current::Lost | Current::Validation => Acquired::Lost,
        }
    }

    /// Paints the interface over the whole texture.
    pub(crate) fn paint(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::Texture,
        jobs: &[ClippedPrimitive],
        textures: &TexturesDelta,
        pixels_per_point: f32,
    ) -> Vec<wgpu::CommandBuffer> {
        let (device, queue) = (self.gpu.device(), self.gpu.queue());
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.painter.update_texture(device, queue, *id, delta);
            }
        }
        let size_in_pixels = [target.width(), target.height()];
        let screen = egui_wgpu::ScreenDescriptor { size_in_pixels, pixels_per_point };
        let before = self.painter.update_buffers(device, queue, encoder, jobs, &screen);
        let view = target.create_view(&wgpu::TextureViewDescriptor::default());
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("interface"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        self.painter.render(&mut pass.forget_lifetime(), jobs, &screen);
        before
    }

    /// Frees textures that the interface no longer uses. Call it after the submission.
    pub(crate) fn free(&mut self, textures: &TexturesDelta) {
        for id in &textures.free {
            self.painter.free_texture(id);
        }
    }
}
