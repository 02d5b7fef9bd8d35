//! Intermediate textures of a picture.

use wgpu::{TextureFormat, TextureUsages, TextureView};

use crate::{
    Mode,
    frame::SHADOW_SIZE,
    pipelines::{DEPTH, DISTANCE, LIGHT, THICKNESS},
};

/// Key of the textures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) size: [u32; 2],
    pub(crate) samples: u32,
    pub(crate) mode: Mode,
    /// Whether the picture goes into a program's pass.
    pub(crate) is_layer: bool,
}

/// Textures of one layout.
pub(crate) struct Targets {
    pub(crate) layout: Layout,
    pub(crate) shadow: TextureView,
    /// Multisampled target of the main pass, if it has several samples.
    pub(crate) samples: Option<TextureView>,
    pub(crate) light: TextureView,
    pub(crate) depth: TextureView,
    /// The nearest of several depths, of a layer.
    pub(crate) nearest_depth: Option<TextureView>,
    /// The scene without water, and its depth.
    pub(crate) behind: Option<[TextureView; 2]>,
    pub(crate) thickness: Option<TextureView>,
    /// Pixels of the picture per pixel of thickness, along each axis.
    pub(crate) thickness_scale: u32,
    /// Distances to spheres, the same during smoothing, and their depth.
    pub(crate) distances: Option<[TextureView; 2]>,
    /// Materials of the nearest spheres.
    pub(crate) numbers: Option<TextureView>,
    /// Weighted sums of splats.
    pub(crate) sums: Option<[TextureView; 3]>,
    /// Depth of the particles alone.
    pub(crate) particle_depth: Option<TextureView>,
}

impl Targets {
    pub(crate) fn new(device: &wgpu::Device, layout: Layout) -> Self {
        let texture = |label, size: [u32; 2], samples, format: TextureFormat| {
            let usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::TEXTURE_BINDING;
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d {
                    width: size[0].max(1),
                    height: size[1].max(1),
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let Layout { size, samples, mode, is_layer } = layout;
        let water = matches!(mode, Mode::Surface | Mode::ScreenSpace);
        let behind = water || mode == Mode::Smoke;
        let thickness_scale = if mode == Mode::ScreenSpace { 2 } else { 1 };
        let coarse = size.map(|n| n.div_ceil(thickness_scale));
        let splats = mode == Mode::Splats;
        let screen = mode == Mode::ScreenSpace;
        Self {
            layout,
            shadow: texture("shadow map", [SHADOW_SIZE; 2], 1, LIGHT),
            samples: (samples > 1).then(|| texture("samples", size, samples, LIGHT)),
            light: texture("light", size, 1, LIGHT),
            depth: texture("depth", size, samples, DEPTH),
            nearest_depth: (is_layer && samples > 1)
                .then(|| texture("nearest depth", size, 1, DEPTH)),
            behind: behind.then(|| {
                [texture("behind", size, 1, LIGHT), texture("depth behind", size, 1, DEPTH)]
            }),
            thickness: water.then(|| texture("thickness", coarse, 1, THICKNESS)),
            thickness_scale,
            distances: screen.then(|| {
                [texture("distances", size, 1, DISTANCE), texture("smoothed", size, 1, DISTANCE)]
            }),
            numbers: screen.then(|| texture("numbers", size, 1, LIGHT)),
            sums: splats.then(|| {
                ["normals", "splat depths", "splat colors"]
                    .map(|name| texture(name, size, 1, LIGHT))
            }),
            particle_depth: (splats || screen).then(|| texture("particle depth", size, 1, DEPTH)),
        }
    }
}
