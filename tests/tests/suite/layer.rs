//! Fluids in the render pass of a program: what hides what, and what is seen through the water.

use std::cell::RefCell;

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{parse, start},
};
use glam::{Mat4, Vec3, camera::rh::proj::directx};
use meniscus::{Gpu, Simulation, wgpu};
use meniscus_render::{Behind, FluidBuffers, Mode, Renderer, Target, View};
use wgpu::TextureFormat as F;

/// A cube of water, 0.2 m wide.
const CUBE: &str = r#"
particle_radius = 0.01
[[material]]
name = "water"
[[fluid]]
shape.box = { min = [-0.1, -0.1, -0.1], max = [0.1, 0.1, 0.1] }
"#;

const SIZE: [u32; 2] = [96, 64];
const NEAR: f32 = 0.05;
/// Opaque things of the program: distance along the view in m, columns of pixels, and colour.
type Thing = (f32, std::ops::Range<u32>, [f32; 3]);
/// Far behind the water; in front of its left half; and what is drawn after it, in and behind it.
const WALL: Thing = (3.0, 0..96, [0.10, 0.55, 0.20]);
const SHUTTER: Thing = (0.5, 0..40, [0.70, 0.15, 0.10]);
const LATER: Thing = (1.5, 0..96, [0.60, 0.10, 0.70]);

/// A program's passes.
struct Program<'a> {
    gpu: &'a Gpu,
    renderer: RefCell<Renderer>,
    format: F,
    samples: u32,
    projection: Mat4,
}

struct Textures {
    color: wgpu::TextureView,
    depth: wgpu::TextureView,
}

impl<'a> Program<'a> {
    fn new(gpu: &'a Gpu, format: F, samples: u32, projection: Mat4) -> Self {
        let renderer = Renderer::new(gpu, format).expect("a renderer").into();
        Self { gpu, renderer, format, samples, projection }
    }

    fn is_reversed(&self) -> bool {
        self.projection.w_axis.z > 0.0
    }

    fn textures(&self, samples: u32) -> Textures {
        let view = |format| {
            let texture = self.gpu.device().create_texture(&wgpu::TextureDescriptor {
                label: Some("program"),
                size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT
                    | wgpu::TextureUsages::TEXTURE_BINDING
                    | if samples == 1 {
                        wgpu::TextureUsages::COPY_SRC
                    } else {
                        wgpu::TextureUsages::empty()
                    },
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        Textures { color: view(self.format), depth: view(F::Depth32Float) }
    }

    /// Draws things, clearing first, then a layer, then more things, and resolves.
    fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        textures: &Textures,
        resolved: Option<&wgpu::TextureView>,
        before: &[Thing],
        layer: Option<&meniscus_render::Layer>,
        after: &[Thing],
    ) {
        let samples = textures.color.texture().sample_count();
        let pipelines: Vec<_> =
            before.iter().chain(after).map(|(.., color)| self.pipeline(*color, samples)).collect();
        let far = if self.is_reversed() { 0.0 } else { 1.0 };
        let store = wgpu::StoreOp::Store;
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &textures.color,
                depth_slice: None,
                resolve_target: resolved,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &textures.depth,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(far), store }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        for (number, (thing, pipeline)) in before.iter().chain(after).zip(&pipelines).enumerate() {
            if number == before.len()
                && let Some(layer) = layer
            {
                layer.draw(&mut pass);
            }
            let clip = self.projection * Vec3::new(0.0, 0.0, -thing.0).extend(1.0);
            let depth = clip.z / clip.w;
            pass.set_viewport(0.0, 0.0, SIZE[0] as f32, SIZE[1] as f32, depth, depth);
            pass.set_scissor_rect(thing.1.start, 0, thing.1.len() as u32, SIZE[1]);
            pass.set_pipeline(pipeline);
            pass.draw(0..3, 0..1);
            pass.set_viewport(0.0, 0.0, SIZE[0] as f32, SIZE[1] as f32, 0.0, 1.0);
            pass.set_scissor_rect(0, 0, SIZE[0], SIZE[1]);
        }
        if let Some(layer) = layer.filter(|_| after.is_empty()) {
            layer.draw(&mut pass);
        }
    }

    /// A triangle over all pixels, in one colour.
    fn pipeline(&self, [r, g, b]: [f32; 3], samples: u32) -> wgpu::RenderPipeline {
        let source = format!(
            "@vertex fn vertex(@builtin(vertex_index) k: u32) -> @builtin(position) vec4<f32> {{
                return vec4<f32>(f32(i32(k & 1u)) * 4.0 - 1.0, f32(i32(k >> 1u)) * 4.0 - 1.0, 0.5, 1.0);
            }}
            @fragment fn fragment() -> @location(0) vec4<f32> {{ return vec4<f32>({r}, {g}, {b}, 1.0); }}"
        );
        let device = self.gpu.device();
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let compare = if self.is_reversed() {
            wgpu::CompareFunction::Greater
        } else {
            wgpu::CompareFunction::Less
        };
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: F::Depth32Float,
                depth_write_enabled: Some(true),
                depth_compare: Some(compare),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(self.format.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// The program's picture with and without a fluid in it, as rows of pixels.
    fn pictures(
        &self,
        simulation: &Simulation,
        view: &View,
        sees_through: bool,
    ) -> [Vec<[f32; 3]>; 2] {
        let gpu = self.gpu;
        let mut renderer = self.renderer.borrow_mut();
        let fluid = FluidBuffers::of(simulation);
        [true, false].map(|has_fluid| {
            let mut encoder = gpu.device().create_command_encoder(&Default::default());
            let behind = self.textures(1);
            self.pass(&mut encoder, &behind, None, &[WALL, SHUTTER], None, &[]);
            let target = Target {
                size: SIZE,
                samples: self.samples,
                depth_format: Some(F::Depth32Float),
                view: Mat4::from_translation(Vec3::new(0.0, 0.0, -1.0)).to_cols_array_2d(),
                projection: self.projection.to_cols_array_2d(),
                behind: sees_through
                    .then_some(Behind { color: &behind.color, depth: &behind.depth }),
            };
            let layer = renderer.layer(&mut encoder, &fluid, view, &target).expect("a layer");
            let (into, result) = (self.textures(self.samples), self.textures(1));
            let resolved = (self.samples > 1).then_some(&result.color);
            let shown = if self.samples > 1 { &result } else { &into };
            let layer = has_fluid.then_some(&layer);
            self.pass(&mut encoder, &into, resolved, &[WALL, SHUTTER], layer, &[LATER]);
            read(gpu, encoder, shown.color.texture())
        })
    }
}

/// Colours of a texture's pixels, as they are stored.
fn read(gpu: &Gpu, mut encoder: wgpu::CommandEncoder, texture: &wgpu::Texture) -> Vec<[f32; 3]> {
    let bytes = texture.format().block_copy_size(None).expect("a size");
    let row = (bytes * SIZE[0]).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let rows = gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * SIZE[1]),
        usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let into = wgpu::TexelCopyBufferInfo { buffer: &rows, layout };
    encoder.copy_texture_to_buffer(texture.as_image_copy(), into, texture.size());
    gpu.queue().submit([encoder.finish()]);
    let stored = block_on(gpu, gpu.read(&[&rows])).expect("pixels").swap_remove(0);
    let half = |two: &[u8]| f32::from(half::f16::from_le_bytes([two[0], two[1]]));
    stored
        .chunks_exact(row as usize)
        .flat_map(|row| row[..(bytes * SIZE[0]) as usize].chunks_exact(bytes as usize))
        .map(|pixel| match bytes {
            4 => [0, 1, 2].map(|k| f32::from(pixel[k]) / 255.0),
            _ => [0, 1, 2].map(|k| half(&pixel[2 * k..])),
        })
        .collect()
}

fn at(picture: &[[f32; 3]], x: u32, y: u32) -> [f32; 3] {
    picture[(y * SIZE[0] + x) as usize]
}

fn differ(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// By depths of either direction and passes of one and four samples, in light and in colours: what is in front of the water hides it,
/// the water hides what is drawn behind it later, and no other pixel changes.
#[test]
fn a_layer_is_where_it_is_in_the_programs_pass() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let simulation = start(gpu, &parse(CUBE));
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let reversed = directx::perspective_infinite_reverse(0.6, aspect, NEAR);
    let usual = directx::perspective(0.6, aspect, NEAR, 20.0);
    for (format, samples, projection) in [
        (F::Rgba8UnormSrgb, 1, reversed),
        (F::Rgba8Unorm, 4, usual),
        (F::Rgba16Float, 4, reversed),
        (F::Rgba16Float, 1, usual),
    ] {
        let program = Program::new(gpu, format, samples, projection);
        for (mode, sees_through) in [
            (Mode::Particles, false),
            (Mode::ScreenSpace, true),
            (Mode::ScreenSpace, false),
            (Mode::Particles, true),
        ] {
            let view = View { mode, ..View::default() };
            let [with, without] = program.pictures(&simulation, &view, sees_through);
            let case = format!("{format:?}, {samples}, {mode:?}, seen through: {sees_through}");
            // The later thing is seen but where the shutter or the water is.
            assert!(differ(at(&without, 48, 32), at(&without, 95, 0)) == 0.0, "{case}");
            assert!(differ(at(&without, 10, 32), at(&without, 95, 0)) > 0.1, "{case}");
            let middle = at(&with, 48, 32);
            assert!(differ(middle, at(&without, 48, 32)) > 0.1, "{case}: {middle:?} in the middle");
            let changed: Vec<_> = (0..SIZE[0] * SIZE[1])
                .filter(|k| differ(with[*k as usize], without[*k as usize]) > 0.02)
                .map(|k| [k % SIZE[0], k / SIZE[0]])
                .collect();
            // The face of the cube is 0.2 m wide at 0.9 m, less what round edges and smoothing lose or add: 2 pixels.
            let half = 0.5 * 0.2 / 0.9 / (0.3f32).tan() * 0.5 * SIZE[1] as f32;
            let [left, right] = [40.0, 48.0 + half];
            let ends = changed.iter().fold([u32::MAX, 0], |[a, b], [x, _]| [a.min(*x), b.max(*x)]);
            assert!(
                (ends[0] as f32 - left).abs() <= 1.0,
                "{case}: {ends:?}, due {left} to {right}"
            );
            assert!(
                (ends[1] as f32 - right).abs() <= 2.0,
                "{case}: {ends:?}, due {left} to {right}"
            );
        }
    }
}

/// Through clear water, which absorbs nothing, the program's wall is seen as it is, but for what the water mirrors.
#[test]
fn a_layer_of_clear_water_shows_what_is_behind() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let simulation = start(gpu, &parse(CUBE));
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let projection = directx::perspective_infinite_reverse(0.6, aspect, NEAR);
    for format in [F::Rgba8UnormSrgb, F::Rgba16Float] {
        let program = Program::new(gpu, format, 1, projection);
        // Water as deep as a thousand scenes would absorb as much as this scene's.
        let mut view = View { mode: Mode::ScreenSpace, clarity: 1e3, ..View::default() };
        view.light.sky = 0.0;
        view.light.sunlight = 0.0;
        let [with, without] = program.pictures(&simulation, &view, true);
        let seen = at(&with, 48, 32);
        // It mirrors (0.333 / 2.333)² of a black sky.
        let light = WALL.2.map(|channel| channel * (1.0 - (0.333f32 / 2.333).powi(2)));
        let due = if format == F::Rgba16Float { light } else { light.map(encoded) };
        assert!(differ(seen, due) < 0.01, "{format:?}: {seen:?}, due {due:?}");
        assert!(differ(at(&without, 48, 32), due) > 0.1);
    }
}

/// Encodes light as sRGB (IEC 61966-2-1).
fn encoded(x: f32) -> f32 {
    if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

/// Errors of a program's pass are sentences.
#[test]
fn layers_for_other_passes_are_refused() {
    let Some(gpu) = gpu(Flavour::Default) else { return };
    let simulation = start(gpu, &parse(CUBE));
    let mut renderer = Renderer::new(gpu, F::Rgba8Unorm).expect("a renderer");
    let program = Program::new(gpu, F::Rgba8Unorm, 1, Mat4::IDENTITY);
    let four = program.textures(4);
    let one = program.textures(1);
    let projection = directx::perspective_infinite_reverse(0.6, 1.5, NEAR).to_cols_array_2d();
    let good = Target {
        size: SIZE,
        samples: 1,
        depth_format: Some(F::Depth32Float),
        view: Mat4::IDENTITY.to_cols_array_2d(),
        projection,
        behind: None,
    };
    for (target, due) in [
        (Target { size: [0, 4], ..good }, "each side must be"),
        (Target { projection: Mat4::IDENTITY.to_cols_array_2d(), ..good }, "perspective"),
        (
            Target { behind: Some(Behind { color: &four.color, depth: &four.depth }), ..good },
            "samples",
        ),
        (
            Target { behind: Some(Behind { color: &one.color, depth: &one.color }), ..good },
            "no depth",
        ),
    ] {
        let mut encoder = gpu.device().create_command_encoder(&Default::default());
        let error = renderer
            .layer(&mut encoder, &FluidBuffers::of(&simulation), &View::default(), &target)
            .expect_err(due)
            .to_string();
        assert!(error.contains(due), "{error}");
    }
}
