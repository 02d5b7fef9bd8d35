//! The picture of the fluid: a texture that the interface shows as an image.
//!
//! It is redrawn only when the fluid, the camera or the view has changed, not whenever the mouse
//! crosses a button. Screenshots and videos contain the fluid without the interface.

pub(crate) use meniscus_render::Mode;
use meniscus_render::{FluidBuffers, Renderer, View};

use crate::screen::Screen;

/// egui samples textures as they are stored; the renderer itself encodes sRGB for formats without
/// it.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// The texture and its renderer.
#[derive(Debug)]
pub(crate) struct Picture {
    renderer: Renderer,
    texture: wgpu::Texture,
    id: egui::TextureId,
    /// Key of the texture's content.
    drawn: Option<Drawn>,
}

#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    epoch: u64,
    revision: u64,
    view: View,
}

/// Input of [`Picture::draw`].
#[derive(Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) fluid: &'a FluidBuffers,
    pub(crate) view: &'a View,
    pub(crate) epoch: u64,
    pub(crate) revision: u64,
}

impl Picture {
    pub(crate) fn new(screen: &mut Screen) -> Result<Self, meniscus_render::Error> {
        let renderer = Renderer::new(&screen.gpu, FORMAT)?;
        let texture = texture(&screen.gpu, [1, 1]);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let device = screen.gpu.device();
        let filter = wgpu::FilterMode::Linear;
        let id = screen.painter.register_native_texture(device, &view, filter);
        Ok(Self { renderer, texture, id, drawn: None })
    }

    /// Texture id for egui.
    pub(crate) fn id(&self) -> egui::TextureId {
        self.id
    }

    /// Width and height in pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    /// The texture, for reading it back.
    pub(crate) fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    /// Resizes the picture, in pixels.
    pub(crate) fn resize(&mut self, screen: &mut Screen, size: [u32; 2]) {
        let size = size.map(|n| n.clamp(1, screen.longest_side()));
        if size == self.size() {
            return;
        }
        self.texture = texture(&screen.gpu, size);
        self.drawn = None;
        let view = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let filter = wgpu::FilterMode::Linear;
        let device = screen.gpu.device();
        screen.painter.update_egui_texture_from_wgpu_texture(device, &view, filter, self.id);
    }

    /// Redraws the picture if it is out of date. Returns whether it was.
    pub(crate) fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        subject: &Subject<'_>,
    ) -> Result<bool, meniscus_render::Error> {
        let drawn =
            Drawn { epoch: subject.epoch, revision: subject.revision, view: subject.view.clone() };
        if self.drawn.as_ref() == Some(&drawn) {
            return Ok(false);
        }
        let target = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.renderer.draw(encoder, &target, self.size(), subject.fluid, subject.view)?;
        self.drawn = Some(drawn);
        Ok(true)
    }
}

fn texture(gpu: &meniscus::Gpu, [width, height]: [u32; 2]) -> wgpu::Texture {
    gpu.device().create_texture(&wgpu::TextureDescriptor {
        label: Some("picture"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}
