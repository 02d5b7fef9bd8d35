//! The game's renderer: discs for particles, straight from the simulation's buffers.

use image::RgbaImage;
use meniscus::{Error, Gpu, Simulation, blocking::block_on, model::params::KIND_FLUID, wgpu};

use super::TANK;

/// Width and height in pixels.
const SIZE: u32 = 256;
/// Width and height in m, with the tank in the middle.
const WIDTH: f64 = 1.6;
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
const BACKGROUND: wgpu::Color = wgpu::Color { r: 1.0, g: 1.0, b: 1.0, a: 1.0 };

/// Triangles round discs. Particles of the tank are not drawn.
const SHADER: &str = "
struct View { middle: vec2<f32>, scale: f32, radius: f32 }
@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> position: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> identity: array<vec2<u32>>;

struct Corner { @builtin(position) clip: vec4<f32>, @location(0) place: vec2<f32>, @location(1) height: f32 }

@vertex fn vertex(@builtin(vertex_index) index: u32) -> Corner {
    let i = index / 3u;
    let turn = 2.0943951 * f32(index % 3u);
    let corner = 2.0 * vec2<f32>(cos(turn), sin(turn));
    let away = position[i].xy - view.middle;
    let is_fluid = (identity[i].y & 255u) == KIND_FLUID;
    let place = view.scale * (away + view.radius * corner);
    return Corner(vec4<f32>(select(vec2<f32>(9.0), place, is_fluid), 0.0, 1.0), corner, view.scale * away.y);
}

@fragment fn fragment(in: Corner) -> @location(0) vec4<f32> {
    if (dot(in.place, in.place) > 1.0) { discard; }
    return vec4<f32>(mix(vec3<f32>(0.0, 0.2, 0.5), vec3<f32>(0.4, 0.7, 0.9), 0.5 + 0.5 * in.height), 1.0);
}
";

pub(crate) struct Picture {
    target: wgpu::Texture,
    pipeline: wgpu::RenderPipeline,
    view: wgpu::Buffer,
}

impl Picture {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let target = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let shader = format!("const KIND_FLUID = {KIND_FLUID}u;\n{SHADER}");
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("discs"),
            source: wgpu::ShaderSource::Wgsl(shader.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("discs"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("fragment"),
                compilation_options: Default::default(),
                targets: &[Some(FORMAT.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let view = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: 16,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { target, pipeline, view }
    }

    /// Draws the water as it is after what was recorded so far.
    pub(crate) fn draw(&self, gpu: &Gpu, encoder: &mut wgpu::CommandEncoder, water: &Simulation) {
        let particles = water.particles().expect("water has particles");
        // Positions are relative to the middle of the scene's domain; discs cover each other where the water is at rest.
        let center = particles.origin;
        let middle = [0.5 * TANK[0] - center.x, 0.5 * TANK[1] - center.y];
        let radius = 1.5 * f64::from(water.setup().params.world.particle_radius);
        let view = [middle[0], middle[1], 2.0 / WIDTH, radius].map(|number| number as f32);
        let bytes: Vec<u8> = view.iter().flat_map(|number| number.to_le_bytes()).collect();
        gpu.queue().write_buffer(&self.view, 0, &bytes);
        let group = gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("discs"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.view.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: particles.positions.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: particles.identities.as_entire_binding(),
                },
            ],
        });
        let target = self.target.create_view(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(BACKGROUND),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3 * water.control().particle_count, 0..1);
    }

    pub(crate) fn read(&self, gpu: &Gpu) -> Result<RgbaImage, Error> {
        let bytes = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(4 * SIZE * SIZE),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.target.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &bytes,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(4 * SIZE),
                    rows_per_image: None,
                },
            },
            self.target.size(),
        );
        gpu.queue().submit([encoder.finish()]);
        let mut read = block_on(gpu, gpu.read(&[&bytes]))?;
        Ok(RgbaImage::from_raw(SIZE, SIZE, read.remove(0)).expect("four bytes for each pixel"))
    }

    /// Share of the pixels that show water.
    pub(crate) fn share_of_water(image: &RgbaImage) -> f64 {
        let water = image.pixels().filter(|pixel| pixel.0[0] < 255).count();
        water as f64 / f64::from(SIZE * SIZE)
    }

    /// Area of the picture in m².
    pub(crate) const fn area() -> f64 {
        WIDTH * WIDTH
    }
}
