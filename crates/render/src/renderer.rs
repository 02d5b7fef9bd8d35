//! The passes of a picture, in order.

use std::sync::Arc;

use encase::{ShaderType, StorageBuffer, UniformBuffer};
use meniscus::{
    Gpu,
    model::{Params, mesh::Solid, params::SHAPE_PLANE},
};
use wgpu::{BufferUsages, CommandEncoder, LoadOp, RenderPass, TextureView};

use crate::{
    ColorBy, Error, Fluid, MeshBuffers, Mode, SplatBuffers, View,
    fluid::rotate,
    frame::Frame,
    legend::Legend,
    pipelines::{Draw, Group, Pipelines},
    solids::{Shapes, edges, mesh},
    targets::{Layout, Targets},
};

/// Renderer of fluids. It draws one picture per submission, since its uniforms are written through
/// the queue when the picture is recorded.
pub struct Renderer {
    gpu: Gpu,
    format: wgpu::TextureFormat,
    pipelines: Pipelines,
    params: wgpu::Buffer,
    frame: wgpu::Buffer,
    sampler: wgpu::Sampler,
    shapes: Shapes,
    shape_vertices: wgpu::Buffer,
    /// Meshes of a fluid's colliders, and the vertex range of each.
    mesh_vertices: Grown,
    meshes: Vec<(u32, Arc<Solid>, std::ops::Range<u32>)>,
    colliders: Grown,
    segments: Grown,
    fluid: Option<Bound>,
    targets: Option<BoundTargets>,
    legend: Option<BoundLegend>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Renderer").field("format", &self.format).finish_non_exhaustive()
    }
}

/// A buffer that grows with the data written to it.
struct Grown {
    label: &'static str,
    usage: BufferUsages,
    buffer: wgpu::Buffer,
    group: Option<wgpu::BindGroup>,
}

/// Bind groups of a fluid, with the buffers that they refer to.
struct Bound {
    buffers: [wgpu::Buffer; 4],
    splat_buffers: Option<SplatBuffers>,
    mesh_buffers: Option<MeshBuffers>,
    common: wgpu::BindGroup,
    particles: wgpu::BindGroup,
    splats: Option<wgpu::BindGroup>,
    mesh: Option<wgpu::BindGroup>,
}

/// Textures, and the bind groups that read them.
struct BoundTargets {
    targets: Targets,
    environment: wgpu::BindGroup,
    water: Option<wgpu::BindGroup>,
    behind: Option<wgpu::BindGroup>,
    distances: Option<[wgpu::BindGroup; 2]>,
    sums: Option<wgpu::BindGroup>,
    light: wgpu::BindGroup,
}

struct BoundLegend {
    legend: Legend,
    layout: Layout,
    group: wgpu::BindGroup,
}

/// Iterations of smoothing, each horizontal and vertical.
const SMOOTHINGS: usize = 2;

impl Renderer {
    /// Creates a renderer for targets of a format, `…Srgb` or not.
    ///
    /// # Errors
    /// [`Error::Gpu`] if the device rejects a shader.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Result<Self, Error> {
        let device = gpu.device();
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: usage | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let grown =
            |label, usage| Grown { label, usage, buffer: buffer(label, 16, usage), group: None };
        let shapes = Shapes::new();
        let bytes: &[u8] = bytemuck::cast_slice(&shapes.vertices);
        let shape_vertices = buffer("shapes", bytes.len() as u64, BufferUsages::VERTEX);
        gpu.queue().write_buffer(&shape_vertices, 0, bytes);
        let mut renderer = Self {
            gpu: gpu.clone(),
            format,
            pipelines: Pipelines::new(gpu, format),
            params: buffer("params", Params::min_size().get(), BufferUsages::UNIFORM),
            frame: buffer("frame", Frame::min_size().get(), BufferUsages::UNIFORM),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("smooth"),
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..Default::default()
            }),
            shapes,
            shape_vertices,
            mesh_vertices: grown("meshes", BufferUsages::VERTEX),
            meshes: Vec::new(),
            colliders: grown("colliders", BufferUsages::STORAGE),
            segments: grown("segments", BufferUsages::VERTEX),
            fluid: None,
            targets: None,
            legend: None,
        };
        renderer.pipelines.build(&needed(Mode::Particles, 1))?;
        gpu.check()?;
        Ok(renderer)
    }

    /// Records a picture of `size` pixels into `encoder`, which replaces the target's whole
    /// content. `fluid`'s buffers are read when the commands run.
    ///
    /// # Errors
    /// [`Error::Size`] for a picture without pixels or larger than the device allows;
    /// [`Error::Gpu`].
    pub fn draw(
        &mut self,
        encoder: &mut CommandEncoder,
        target: &TextureView,
        size: [u32; 2],
        fluid: &Fluid,
        view: &View,
    ) -> Result<(), Error> {
        check_size(&self.gpu, size)?;
        let mode = effective_mode(fluid, view);
        let samples = if view.antialias { 4 } else { 1 };
        self.pipelines.build(&needed(mode, samples))?;
        self.prepare_fluid(fluid);
        self.prepare_targets(Layout { size, samples, mode });
        let scene = self.prepare_solids(fluid, view);
        self.prepare_legend(fluid, view);
        let encode = !self.format.is_srgb();
        let mut frame = Frame::new(fluid, view, size, samples, encode);
        if let Some(bound) = &self.targets {
            frame.thickness_scale = bound.targets.thickness_scale as f32;
        }
        self.write_uniforms(&fluid.params, &frame);
        if let (Some(bound), Some(targets)) = (&self.fluid, &self.targets) {
            let picture = Picture { renderer: self, fluid, bound, targets, scene: &scene, samples };
            picture.record(encoder, target, mode, &frame);
        }
        self.gpu.check()?;
        Ok(())
    }

    fn write_uniforms(&self, params: &Params, frame: &Frame) {
        let mut bytes = UniformBuffer::new(Vec::new());
        bytes.write(params).expect("a Vec grows");
        self.gpu.queue().write_buffer(&self.params, 0, &bytes.into_inner());
        let mut bytes = UniformBuffer::new(Vec::new());
        bytes.write(frame).expect("a Vec grows");
        self.gpu.queue().write_buffer(&self.frame, 0, &bytes.into_inner());
    }

    fn prepare_fluid(&mut self, fluid: &Fluid) {
        let buffers = [&fluid.control, &fluid.position, &fluid.velocity, &fluid.identity];
        let same = |bound: &Bound| {
            bound.buffers.iter().eq(buffers)
                && bound.splat_buffers == fluid.splats
                && bound.mesh_buffers == fluid.mesh
        };
        if self.fluid.as_ref().is_some_and(same) {
            return;
        }
        let bind = |group, buffers: &[&wgpu::Buffer]| {
            let resources: Vec<_> = buffers.iter().map(|b| b.as_entire_binding()).collect();
            self.pipelines.bind(group, &resources)
        };
        let [control, position, velocity, identity] = buffers;
        self.fluid = Some(Bound {
            buffers: buffers.map(Clone::clone),
            splat_buffers: fluid.splats.clone(),
            mesh_buffers: fluid.mesh.clone(),
            common: bind(Group::Common, &[&self.params, control, &self.frame]),
            particles: bind(Group::Particles, &[position, velocity, identity]),
            splats: fluid
                .splats
                .as_ref()
                .map(|s| bind(Group::Splats, &[&s.splat_position, &s.splat_normal])),
            mesh: fluid
                .mesh
                .as_ref()
                .map(|m| bind(Group::Mesh, &[&m.surface_position, &m.surface_normal])),
        });
    }

    fn prepare_targets(&mut self, layout: Layout) {
        if self.targets.as_ref().is_some_and(|bound| bound.targets.layout == layout) {
            return;
        }
        let targets = Targets::new(self.gpu.device(), layout);
        let view = wgpu::BindingResource::TextureView;
        let bind =
            |group, resources: &[wgpu::BindingResource<'_>]| self.pipelines.bind(group, resources);
        let sampler = wgpu::BindingResource::Sampler(&self.sampler);
        let water = targets.behind.as_ref().zip(targets.thickness.as_ref());
        let water = water.map(|([light, depth], thickness)| {
            let resources =
                [view(&targets.shadow), sampler.clone(), view(light), view(depth), view(thickness)];
            bind(Group::Water, &resources)
        });
        self.targets = Some(BoundTargets {
            environment: bind(Group::Environment, &[view(&targets.shadow), sampler]),
            water,
            behind: targets.behind.as_ref().map(|[_, depth]| bind(Group::Behind, &[view(depth)])),
            distances: targets
                .distances
                .as_ref()
                .map(|both| both.each_ref().map(|one| bind(Group::Picture, &[view(one)]))),
            sums: targets.sums.as_ref().map(|[a, b]| bind(Group::Pictures, &[view(a), view(b)])),
            light: bind(Group::Picture, &[view(&targets.light)]),
            targets,
        });
    }

    /// Writes colliders and edges. Returns how each of them is drawn.
    fn prepare_solids(&mut self, fluid: &Fluid, view: &View) -> Scene {
        let mut scene = Scene::default();
        if !view.boundaries {
            return scene;
        }
        let flat = fluid.params.world.dimensions == 2;
        let up = fluid.up();
        let mut segments = Vec::new();
        self.prepare_meshes(fluid);
        for (number, collider) in fluid.colliders.iter().enumerate() {
            let own = self.meshes.iter().find(|(of, ..)| *of == number as u32);
            let range = match own {
                Some((.., range)) => range.clone(),
                None => self.shapes.range(collider.shape),
            };
            let draw = Drawn { collider: number as u32, vertices: range, mesh: own.is_some() };
            // The floor replaces the planes that it lies on.
            let floor = collider.shape == SHAPE_PLANE
                && view.ground
                && (rotate(collider, glam::Vec3::Y) - up).length() < 1e-3;
            if collider.inside != 0 || flat {
                segments.extend(edges(collider, flat));
            }
            match (collider.inside != 0, flat || floor) {
                (_, true) => {}
                (true, false) => scene.glass.push(draw),
                (false, false) => scene.solid.push(draw),
            }
        }
        scene.segments = segments.len() as u32;
        let pairs = segments.iter().flatten().map(|p| <[f32; 4]>::from(p.extend(1.0)));
        let pairs: Vec<_> = pairs.collect();
        self.segments.write(&self.gpu, bytemuck::cast_slice(&pairs));
        if !fluid.colliders.is_empty() {
            let mut bytes = StorageBuffer::new(Vec::new());
            bytes.write(&fluid.colliders).expect("a Vec grows");
            self.colliders.write(&self.gpu, &bytes.into_inner());
            if self.colliders.group.is_none() {
                let resource = self.colliders.buffer.as_entire_binding();
                self.colliders.group = Some(self.pipelines.bind(Group::Solids, &[resource]));
            }
        }
        scene
    }

    /// Writes the triangles of meshes if they have changed.
    fn prepare_meshes(&mut self, fluid: &Fluid) {
        let same =
            self.meshes.len() == fluid.meshes.len()
                && self.meshes.iter().zip(&fluid.meshes).all(
                    |((number, mesh, _), (other, own))| number == other && Arc::ptr_eq(mesh, own),
                );
        if same {
            return;
        }
        let mut vertices = Vec::new();
        self.meshes.clear();
        for (number, solid) in &fluid.meshes {
            let first = vertices.len() as u32;
            vertices.extend(mesh(solid));
            self.meshes.push((*number, solid.clone(), first..vertices.len() as u32));
        }
        self.mesh_vertices.write(&self.gpu, bytemuck::cast_slice(&vertices));
    }

    fn prepare_legend(&mut self, fluid: &Fluid, view: &View) {
        let Some(targets) = self.targets.as_ref().map(|bound| &bound.targets) else { return };
        let layout = targets.layout;
        let size = layout.size;
        if !view.legend || layout.mode != Mode::Particles {
            self.legend = None;
            return;
        }
        let range = view.range.unwrap_or_else(|| view.color.default_range(fluid));
        let range = if view.color == ColorBy::Id { [0.0, 1.0] } else { range };
        let legend = Legend { color: view.color, range, height: size[1] };
        if self.legend.as_ref().is_some_and(|b| b.legend == legend && b.layout == layout) {
            return;
        }
        let picture = legend.draw();
        let device = self.gpu.device();
        let extent = wgpu::Extent3d {
            width: picture.width,
            height: picture.height,
            depth_or_array_layers: 1,
        };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("legend"),
            size: extent,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        self.gpu.queue().write_texture(
            texture.as_image_copy(),
            bytemuck::cast_slice(&picture.pixels),
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * picture.width),
                rows_per_image: None,
            },
            extent,
        );
        // In the upper right corner, where most scenes show sky.
        let margin = (size[1] / 36).max(6) as f32;
        let place = [
            size[0] as f32 - margin - picture.width as f32,
            margin,
            picture.width as f32,
            picture.height as f32,
        ];
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("legend"),
            size: 16,
            usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.gpu.queue().write_buffer(&uniform, 0, bytemuck::bytes_of(&place));
        let texture = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let [picture, light] = [&texture, &targets.light].map(wgpu::BindingResource::TextureView);
        let resources = [uniform.as_entire_binding(), picture, light];
        let group = self.pipelines.bind(Group::Legend, &resources);
        self.legend = Some(BoundLegend { legend, layout, group });
    }
}

impl Grown {
    fn write(&mut self, gpu: &Gpu, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let size = bytes.len() as u64;
        if size > self.buffer.size() {
            self.group = None;
            self.buffer = gpu.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: size.next_power_of_two(),
                usage: self.usage | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
        }
        gpu.queue().write_buffer(&self.buffer, 0, bytes);
    }
}

/// Index of a collider, with its range of vertices in the buffer of shapes or of meshes.
struct Drawn {
    collider: u32,
    vertices: std::ops::Range<u32>,
    mesh: bool,
}

/// Colliders by how they are drawn.
#[derive(Default)]
struct Scene {
    solid: Vec<Drawn>,
    glass: Vec<Drawn>,
    segments: u32,
}

/// Rejects a picture without pixels or with too many.
pub(crate) fn check_size(gpu: &Gpu, size: [u32; 2]) -> Result<(), Error> {
    let most = gpu.device().limits().max_texture_dimension_2d;
    let [width, height] = size;
    if size.iter().any(|n| !(1..=most).contains(n)) {
        return Err(Error::Size(format!(
            "a picture of {width} × {height} pixels cannot be drawn: each side must be 1 to {most}"
        )));
    }
    Ok(())
}

/// The mode, or one that the fluid's buffers allow.
fn effective_mode(fluid: &Fluid, view: &View) -> Mode {
    match view.mode {
        _ if fluid.params.world.dimensions == 2 => Mode::Particles,
        Mode::Splats if fluid.splats.is_none() => Mode::Particles,
        Mode::Surface if fluid.mesh.is_none() => Mode::ScreenSpace,
        mode => mode,
    }
}

/// Pipelines of a mode.
fn needed(mode: Mode, samples: u32) -> Vec<(Draw, u32)> {
    let always = [Draw::Backdrop, Draw::Solids, Draw::Glass, Draw::Edges];
    let single = [Draw::ParticleShadow, Draw::SolidShadow, Draw::Tone, Draw::Legend];
    let (main, helpers): (&[Draw], &[Draw]) = match mode {
        Mode::Particles => (&[Draw::Particles], &[]),
        Mode::Splats => {
            (&[Draw::SplatSurface, Draw::Droplets], &[Draw::SplatNearest, Draw::SplatSum])
        }
        Mode::Surface => {
            (&[Draw::MeshDepth, Draw::Mesh], &[Draw::MeshThickness, Draw::Backdrop, Draw::Solids])
        }
        Mode::ScreenSpace => (
            &[Draw::ScreenSpace],
            &[
                Draw::SphereDepth,
                Draw::SphereThickness,
                Draw::SmoothAcross,
                Draw::SmoothAlong,
                Draw::Backdrop,
                Draw::Solids,
            ],
        ),
    };
    let sampled = always.iter().chain(main).map(|draw| (*draw, samples));
    sampled.chain(single.iter().chain(helpers).map(|draw| (*draw, 1))).collect()
}

/// A picture being recorded.
struct Picture<'a> {
    renderer: &'a Renderer,
    fluid: &'a Fluid,
    bound: &'a Bound,
    targets: &'a BoundTargets,
    scene: &'a Scene,
    samples: u32,
}

impl Picture<'_> {
    fn record(
        &self,
        encoder: &mut CommandEncoder,
        target: &TextureView,
        mode: Mode,
        frame: &Frame,
    ) {
        let targets = &self.targets.targets;
        if frame.flat == 0 {
            let mut pass = begin(encoder, "render/shadow", &[Some((&targets.shadow, None))], None);
            self.set_common(&mut pass);
            self.particles(&mut pass, Draw::ParticleShadow, 1, frame.shadow_stride);
            self.solids(&mut pass, Draw::SolidShadow, 1, &self.scene.solid);
        }
        if let Some([light, depth]) = &targets.behind {
            let mut pass =
                begin(encoder, "render/behind", &[Some((light, None))], Some((depth, true)));
            self.set_common(&mut pass);
            self.scenery(&mut pass, 1);
        }
        match mode {
            Mode::Particles => {}
            Mode::Splats => self.sum_splats(encoder),
            Mode::Surface => self.measure_mesh(encoder),
            Mode::ScreenSpace => self.smooth_depths(encoder),
        }
        {
            let (color, resolve) = match &targets.samples {
                Some(samples) => (samples, Some(&targets.light)),
                None => (&targets.light, None),
            };
            let depth = Some((&targets.depth, false));
            let mut pass = begin(encoder, "render/main", &[Some((color, resolve))], depth);
            self.set_common(&mut pass);
            self.scenery(&mut pass, self.samples);
            self.fluid(&mut pass, mode);
            self.solids(&mut pass, Draw::Glass, self.samples, &self.scene.glass);
            if self.scene.segments > 0 {
                pass.set_pipeline(self.renderer.pipelines.get(Draw::Edges, self.samples));
                pass.set_vertex_buffer(0, self.renderer.segments.buffer.slice(..));
                pass.draw(0..6, 0..self.scene.segments);
            }
        }
        let mut pass = begin(encoder, "render/tone", &[Some((target, None))], None);
        self.set_common(&mut pass);
        pass.set_pipeline(self.renderer.pipelines.get(Draw::Tone, 1));
        pass.set_bind_group(1, &self.targets.light, &[]);
        pass.draw(0..3, 0..1);
        if let Some(legend) = &self.renderer.legend {
            pass.set_pipeline(self.renderer.pipelines.get(Draw::Legend, 1));
            pass.set_bind_group(1, &legend.group, &[]);
            pass.draw(0..4, 0..1);
        }
    }

    fn set_common(&self, pass: &mut RenderPass<'_>) {
        pass.set_bind_group(0, &self.bound.common, &[]);
    }

    /// Sky, floor and obstacles.
    fn scenery(&self, pass: &mut RenderPass<'_>, samples: u32) {
        pass.set_pipeline(self.renderer.pipelines.get(Draw::Backdrop, samples));
        pass.set_bind_group(2, &self.targets.environment, &[]);
        pass.draw(0..3, 0..1);
        self.solids(pass, Draw::Solids, samples, &self.scene.solid);
    }

    fn solids(&self, pass: &mut RenderPass<'_>, draw: Draw, samples: u32, which: &[Drawn]) {
        let Some(group) = self.renderer.colliders.group.as_ref().filter(|_| !which.is_empty())
        else {
            return;
        };
        pass.set_pipeline(self.renderer.pipelines.get(draw, samples));
        pass.set_bind_group(1, group, &[]);
        if draw != Draw::SolidShadow {
            pass.set_bind_group(2, &self.targets.environment, &[]);
        }
        for Drawn { collider, vertices, mesh } in which {
            let buffer = match mesh {
                true => &self.renderer.mesh_vertices.buffer,
                false => &self.renderer.shape_vertices,
            };
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(vertices.clone(), *collider..collider + 1);
        }
    }

    /// A triangle for every `stride`th slot.
    fn particles(&self, pass: &mut RenderPass<'_>, draw: Draw, samples: u32, stride: u32) {
        let group = match draw {
            Draw::SplatNearest | Draw::SplatSum => self.bound.splats.as_ref(),
            _ => Some(&self.bound.particles),
        };
        pass.set_pipeline(self.renderer.pipelines.get(draw, samples));
        pass.set_bind_group(1, group, &[]);
        // Vertex numbers are 32 bits: 1.4 billion slots are more than a buffer can hold.
        let triangles = self.fluid.capacity.div_ceil(stride).min(u32::MAX / 3);
        pass.draw(0..3 * triangles, 0..1);
    }

    fn fluid(&self, pass: &mut RenderPass<'_>, mode: Mode) {
        let samples = self.samples;
        let pipelines = &self.renderer.pipelines;
        match mode {
            Mode::Particles => {
                pass.set_bind_group(2, &self.targets.environment, &[]);
                self.particles(pass, Draw::Particles, samples, 1);
            }
            Mode::Splats => {
                pass.set_pipeline(pipelines.get(Draw::SplatSurface, samples));
                pass.set_bind_group(1, self.targets.sums.as_ref(), &[]);
                pass.set_bind_group(2, &self.targets.environment, &[]);
                pass.draw(0..3, 0..1);
                self.particles(pass, Draw::Droplets, samples, 1);
            }
            Mode::Surface => {
                // Draw the depth first, so that only visible fragments are shaded, which costs far
                // more.
                self.mesh(pass, Draw::MeshDepth, samples, None);
                self.mesh(pass, Draw::Mesh, samples, self.targets.water.as_ref());
            }
            Mode::ScreenSpace => {
                let last = self.targets.distances.as_ref().map(|groups| &groups[0]);
                pass.set_pipeline(pipelines.get(Draw::ScreenSpace, samples));
                pass.set_bind_group(1, last, &[]);
                pass.set_bind_group(2, self.targets.water.as_ref(), &[]);
                pass.draw(0..3, 0..1);
            }
        }
    }

    fn mesh(
        &self,
        pass: &mut RenderPass<'_>,
        draw: Draw,
        samples: u32,
        textures: Option<&wgpu::BindGroup>,
    ) {
        let Some(mesh) = &self.fluid.mesh else { return };
        pass.set_pipeline(self.renderer.pipelines.get(draw, samples));
        pass.set_bind_group(1, self.bound.mesh.as_ref(), &[]);
        if textures.is_some() {
            pass.set_bind_group(2, textures, &[]);
        }
        pass.set_index_buffer(mesh.surface_index.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed_indirect(&mesh.surface_draw, 0);
    }

    fn measure_mesh(&self, encoder: &mut CommandEncoder) {
        let Some(thickness) = &self.targets.targets.thickness else { return };
        let mut pass = begin(encoder, "render/thickness", &[Some((thickness, None))], None);
        self.set_common(&mut pass);
        self.mesh(&mut pass, Draw::MeshThickness, 1, self.targets.behind.as_ref());
    }

    fn smooth_depths(&self, encoder: &mut CommandEncoder) {
        let targets = &self.targets.targets;
        let (Some(views), Some(groups)) = (&targets.distances, &self.targets.distances) else {
            return;
        };
        {
            let depth = targets.particle_depth.as_ref().map(|depth| (depth, false));
            let mut pass = begin(encoder, "render/sphere_depth", &[Some((&views[0], None))], depth);
            self.set_common(&mut pass);
            self.particles(&mut pass, Draw::SphereDepth, 1, 1);
        }
        if let Some(thickness) = &targets.thickness {
            let label = "render/sphere_thickness";
            let mut pass = begin(encoder, label, &[Some((thickness, None))], None);
            self.set_common(&mut pass);
            pass.set_bind_group(2, self.targets.behind.as_ref(), &[]);
            self.particles(&mut pass, Draw::SphereThickness, 1, 1);
        }
        for _ in 0..SMOOTHINGS {
            for (from, draw) in [(0, Draw::SmoothAcross), (1, Draw::SmoothAlong)] {
                let into = &views[1 - from];
                let mut pass = begin(encoder, "render/smooth_depth", &[Some((into, None))], None);
                self.set_common(&mut pass);
                pass.set_pipeline(self.renderer.pipelines.get(draw, 1));
                pass.set_bind_group(1, &groups[from], &[]);
                pass.draw(0..3, 0..1);
            }
        }
    }

    fn sum_splats(&self, encoder: &mut CommandEncoder) {
        let targets = &self.targets.targets;
        let (Some([normals, rest]), Some(depth)) = (&targets.sums, &targets.particle_depth) else {
            return;
        };
        {
            let mut pass = begin(encoder, "render/splats nearest", &[], Some((depth, true)));
            self.set_common(&mut pass);
            self.particles(&mut pass, Draw::SplatNearest, 1, 1);
        }
        let into = [Some((normals, None)), Some((rest, None))];
        let mut pass = begin_loading_depth(encoder, "render/splats sum", &into, depth);
        self.set_common(&mut pass);
        self.particles(&mut pass, Draw::SplatSum, 1, 1);
    }
}

type Attachment<'a> = Option<(&'a TextureView, Option<&'a TextureView>)>;

/// Begins a pass that clears its targets; `depth` says whether the depth is stored.
fn begin<'e>(
    encoder: &'e mut CommandEncoder,
    label: &str,
    colors: &[Attachment<'_>],
    depth: Option<(&TextureView, bool)>,
) -> RenderPass<'e> {
    let depth = depth.map(|(view, keep)| {
        let store = if keep { wgpu::StoreOp::Store } else { wgpu::StoreOp::Discard };
        (view, wgpu::Operations { load: LoadOp::Clear(0.0), store })
    });
    begin_with(encoder, label, colors, depth)
}

fn begin_loading_depth<'e>(
    encoder: &'e mut CommandEncoder,
    label: &str,
    colors: &[Attachment<'_>],
    depth: &TextureView,
) -> RenderPass<'e> {
    let keep = wgpu::Operations { load: LoadOp::Load, store: wgpu::StoreOp::Store };
    begin_with(encoder, label, colors, Some((depth, keep)))
}

fn begin_with<'e>(
    encoder: &'e mut CommandEncoder,
    label: &str,
    colors: &[Attachment<'_>],
    depth: Option<(&TextureView, wgpu::Operations<f32>)>,
) -> RenderPass<'e> {
    let color_attachments: Vec<_> = colors
        .iter()
        .map(|attachment| {
            attachment.map(|(view, resolve_target)| wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations {
                    load: LoadOp::Clear(wgpu::Color::TRANSPARENT),
                    store: match resolve_target {
                        Some(_) => wgpu::StoreOp::Discard,
                        None => wgpu::StoreOp::Store,
                    },
                },
            })
        })
        .collect();
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some(label),
        color_attachments: &color_attachments,
        depth_stencil_attachment: depth.map(|(view, ops)| wgpu::RenderPassDepthStencilAttachment {
            view,
            depth_ops: Some(ops),
            stencil_ops: None,
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
