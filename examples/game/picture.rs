//! The game's renderer: a room with a pillar in front of the tank, and the water as a layer in its own pass.

use image::RgbaImage;
use meniscus::{
    Error, Gpu, Simulation,
    blocking::block_on,
    glam::{Mat4, Vec3},
    wgpu,
};
use meniscus_render::{Behind, FluidBuffers, Mode, Renderer, Target, View};
use wgpu::TextureFormat as F;

use super::TANK;

/// Width and height in pixels.
const SIZE: [u32; 2] = [320, 240];
const COLOR: F = F::Rgba8UnormSrgb;
const DEPTH: F = F::Depth32Float;
/// Colour of the pillar, as the texture has it.
const PILLAR: [u8; 3] = [203, 99, 0];
/// Distance of the near plane in m.
const NEAR: f32 = 0.1;

/// Rays that meet a tiled floor, a wall or the pillar.
const ROOM: &str = "
struct View { clip: mat4x4<f32>, from_clip: mat4x4<f32>, eye: vec4<f32>, size: vec4<f32> }
@group(0) @binding(0) var<uniform> view: View;

@vertex fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(i32(k & 1u)) * 4.0 - 1.0, f32(i32(k >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

struct Out { @location(0) color: vec4<f32>, @builtin(frag_depth) depth: f32 }

@fragment fn fragment(@builtin(position) at: vec4<f32>) -> Out {
    let ndc = 2.0 * at.xy / view.size.xy - 1.0;
    let point = view.from_clip * vec4<f32>(ndc.x, -ndc.y, 1.0, 1.0);
    let ray = point.xyz / point.w - view.eye.xyz;
    // The wall at z = -0.4, the floor at y = 0, and the pillar from 0.2 to 0.3 at z = 0.9.
    var t = (-0.4 - view.eye.z) / ray.z;
    var color = vec3<f32>(0.35, 0.42, 0.48);
    let down = -view.eye.y / ray.y;
    if (down > 0.0 && down < t) {
        t = down;
        let tile = floor((view.eye.xyz + t * ray) / 0.25);
        color = mix(vec3<f32>(0.20), vec3<f32>(0.45), abs(tile.x + tile.z) % 2.0);
    }
    let front = (0.9 - view.eye.z) / ray.z;
    let x = view.eye.x + front * ray.x;
    if (front < t && x > 0.2 && x < 0.3) {
        t = front;
        color = vec3<f32>(0.6, 0.125, 0.0);
    }
    let clip = view.clip * vec4<f32>(view.eye.xyz + t * ray, 1.0);
    return Out(vec4<f32>(color, 1.0), clip.z / clip.w);
}
";

pub(crate) struct Picture {
    /// The frame, and the room before water is drawn.
    frame: [wgpu::Texture; 2],
    behind: [wgpu::TextureView; 2],
    pipeline: wgpu::RenderPipeline,
    group: wgpu::BindGroup,
    water: Renderer,
}

/// The camera's view and projection, with depth 1 at the near plane and 0 at infinity.
fn camera() -> [Mat4; 2] {
    let tilt = Mat4::from_rotation_x(0.32);
    let eye = Vec3::new(0.5 * TANK[0] as f32, 1.35, 3.1);
    let cot = 2.2;
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let projection = Mat4::from_cols_array_2d(&[
        [cot / aspect, 0.0, 0.0, 0.0],
        [0.0, cot, 0.0, 0.0],
        [0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, NEAR, 0.0],
    ]);
    [tilt * Mat4::from_translation(-eye), projection]
}

/// The pass that the water is drawn into.
fn target(behind: Behind<'_>) -> Target<'_> {
    let [view, projection] = camera().map(|matrix| matrix.to_cols_array_2d());
    let depth_format = Some(DEPTH);
    Target { size: SIZE, samples: 1, depth_format, view, projection, behind: Some(behind) }
}

fn look() -> View {
    View { mode: Mode::ScreenSpace, boundaries: false, foam: false, ..View::default() }
}

impl Picture {
    pub(crate) fn new(gpu: &Gpu) -> Result<Self, meniscus_render::Error> {
        let device = gpu.device();
        let texture = |format| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("picture"),
                size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        };
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("room"),
            source: wgpu::ShaderSource::Wgsl(ROOM.into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("room"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Greater),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(COLOR.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let [view, projection] = camera();
        let clip = projection * view;
        let eye = view.inverse().w_axis;
        let size = [SIZE[0] as f32, SIZE[1] as f32, 0.0, 0.0];
        let numbers = [clip.to_cols_array(), clip.inverse().to_cols_array()].concat();
        let numbers = numbers.into_iter().chain(eye.to_array()).chain(size);
        let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("room"),
            size: bytes.len() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        gpu.queue().write_buffer(&uniform, 0, &bytes);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("room"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() }],
        });
        let both = || [texture(COLOR), texture(DEPTH)];
        let mut water = Renderer::new(gpu, COLOR)?;
        let behind = both().map(|one| one.create_view(&Default::default()));
        // Compiling takes longer than a frame.
        water.prepare(&[look()], &target(Behind { color: &behind[0], depth: &behind[1] }))?;
        Ok(Self { frame: both(), behind, pipeline, group, water })
    }

    /// Draws the room, and the water as it is after what was recorded so far.
    pub(crate) fn draw(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        water: Option<&Simulation>,
    ) -> Result<(), meniscus_render::Error> {
        let [color, depth] = self.frame.each_ref().map(|one| one.create_view(&Default::default()));
        let [color_behind, depth_behind] = self.behind.clone();
        let layer = match water {
            None => None,
            Some(water) => {
                self.room(encoder, &color_behind, &depth_behind, None);
                let behind = Behind { color: &color_behind, depth: &depth_behind };
                Some(self.water.layer(
                    encoder,
                    &FluidBuffers::of(water),
                    &look(),
                    &target(behind),
                )?)
            }
        };
        self.room(encoder, &color, &depth, layer.as_ref());
        Ok(())
    }

    fn room(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        color: &wgpu::TextureView,
        depth: &wgpu::TextureView,
        layer: Option<&meniscus_render::Layer>,
    ) {
        let store = wgpu::StoreOp::Store;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("room"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: color,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.draw(0..3, 0..1);
        if let Some(layer) = layer {
            layer.draw(&mut pass);
        }
    }

    pub(crate) fn read(&self, gpu: &Gpu) -> Result<RgbaImage, Error> {
        let [width, height] = SIZE;
        let bytes = gpu.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(4 * width * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.frame[0].as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &bytes,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(4 * width),
                    rows_per_image: None,
                },
            },
            self.frame[0].size(),
        );
        gpu.queue().submit([encoder.finish()]);
        let mut read = block_on(gpu, gpu.read(&[&bytes]))?;
        Ok(RgbaImage::from_raw(width, height, read.remove(0)).expect("four bytes for each pixel"))
    }
}

/// What a picture shows, beside one of the room without water.
pub(crate) struct Seen {
    /// Share of the pixels that show water.
    pub(crate) water: f64,
    /// Pixels of the pillar, and those of them that are not as without water.
    pub(crate) pillar: usize,
    pub(crate) changed: usize,
    /// Rows with water on either side of the pillar.
    pub(crate) rows: usize,
}

impl Seen {
    pub(crate) fn of(image: &RgbaImage, room: &RgbaImage) -> Self {
        let is_pillar = |x, y| room.get_pixel(x, y).0[..3] == PILLAR;
        let is_changed = |x, y| image.get_pixel(x, y) != room.get_pixel(x, y);
        let count = |which: &dyn Fn(u32, u32) -> bool| {
            let pixels = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)));
            pixels.filter(|(x, y)| which(*x, *y)).count()
        };
        let rows = (0..SIZE[1]).filter(|y| {
            let ends = (1..SIZE[0] - 1).filter(|x| is_pillar(*x, *y));
            let [low, high] = ends.fold([u32::MAX, 0], |[a, b], x| [a.min(x), b.max(x)]);
            low < high && is_changed(low - 1, *y) && is_changed(high + 1, *y)
        });
        Self {
            water: count(&|x, y| is_changed(x, y)) as f64 / f64::from(SIZE[0] * SIZE[1]),
            pillar: count(&is_pillar),
            changed: count(&|x, y| is_pillar(x, y) && is_changed(x, y)),
            rows: rows.count(),
        }
    }
}
