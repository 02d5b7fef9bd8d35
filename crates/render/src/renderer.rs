//! The passes of a picture, in order.

mod picture;

use std::sync::Arc;

use encase::{ShaderType, StorageBuffer, UniformBuffer};
use meniscus::model::methods::quantity::Form;
use meniscus::{
    Gpu,
    model::{Params, mesh::Solid},
};
use wgpu::{BufferUsages, CommandEncoder, TextureView};

use crate::{
    Error, Fluid, FoamBuffers, MeshBuffers, Mode, Quantity, SmokeBuffers, SplatBuffers, View,
    fluid::is_level,
    frame::Frame,
    layer::{Behind, Layer, Placing, Target, is_hdr},
    legend::Legend,
    pipelines::{Draw, Group, LIGHT, PassFormat, Pipelines},
    sky::Sky,
    solids::{Shapes, edges, mesh},
    targets::{Layout, Targets},
};
use picture::Picture;

/// Renderer of fluids. It draws one picture per submission, since its uniforms are written through
/// the queue when the picture is recorded.
pub struct Renderer {
    gpu: Gpu,
    format: wgpu::TextureFormat,
    pipelines: Pipelines,
    params: wgpu::Buffer,
    frame: wgpu::Buffer,
    sampler: wgpu::Sampler,
    sky: Sky,
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
    smoke: Option<BoundSmoke>,
}

/// Texture of smoke and its bind groups, with the buffers and the size in cells that they are of.
struct BoundSmoke {
    buffers: SmokeBuffers,
    quantity: wgpu::Buffer,
    size: [u32; 3],
    make: wgpu::BindGroup,
    field: wgpu::BindGroup,
    cells: wgpu::BindGroup,
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
    buffers: [wgpu::Buffer; 5],
    splat_buffers: Option<SplatBuffers>,
    foam_buffers: Option<FoamBuffers>,
    mesh_buffers: Vec<MeshBuffers>,
    common: wgpu::BindGroup,
    particles: wgpu::BindGroup,
    splats: Option<wgpu::BindGroup>,
    foam: Option<wgpu::BindGroup>,
    /// Of each surface.
    surfaces: Vec<wgpu::BindGroup>,
}

/// Textures, and the bind groups that read them.
struct BoundTargets {
    targets: Targets,
    environment: wgpu::BindGroup,
    water: Option<wgpu::BindGroup>,
    behind: Option<wgpu::BindGroup>,
    air: Option<wgpu::BindGroup>,
    distances: Option<[wgpu::BindGroup; 2]>,
    /// Smoothed distances, and materials.
    nearest: Option<wgpu::BindGroup>,
    sums: Option<wgpu::BindGroup>,
    light: wgpu::BindGroup,
    /// Light and depth, as a layer's.
    picture: Option<wgpu::BindGroup>,
    /// Depths of several samples.
    samples: Option<wgpu::BindGroup>,
}

struct BoundLegend {
    legend: Legend,
    layout: Layout,
    group: wgpu::BindGroup,
}

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
            sky: Sky::new(gpu, None),
            shapes,
            shape_vertices,
            mesh_vertices: grown("meshes", BufferUsages::VERTEX),
            meshes: Vec::new(),
            colliders: grown("colliders", BufferUsages::STORAGE),
            segments: grown("segments", BufferUsages::VERTEX),
            fluid: None,
            targets: None,
            legend: None,
            smoke: None,
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
        let mode = effective_mode(fluid, view);
        let view = &View { mode, ..view.clone() };
        let frame = self.prepare(fluid, view, size, None)?;
        let scene = self.prepare_solids(fluid, view);
        self.prepare_legend(fluid, view);
        if let Some(picture) = self.picture(fluid, view, &scene, None) {
            picture.record(encoder, mode, &frame);
            picture.tone(encoder, target);
        }
        self.gpu.check()?;
        Ok(())
    }

    /// Records a picture of a fluid, as it is after what was recorded before, for a pass of the program that [`Layer::draw`] draws it
    /// into. Of `view`, camera, floor and legend are not used. One layer per submission, as of pictures.
    ///
    /// What the program has in front of the fluid hides it by the pass's depths; with [`Target::behind`] what is behind the fluid
    /// is seen through it, and smoke and spray are drawn where nothing else is.
    ///
    /// # Errors
    /// [`Error::Size`], [`Error::Target`], [`Error::Quantity`], [`Error::Gpu`].
    pub fn layer(
        &mut self,
        encoder: &mut CommandEncoder,
        fluid: &Fluid,
        view: &View,
        target: &Target<'_>,
    ) -> Result<Layer, Error> {
        check_size(&self.gpu, target.size)?;
        let (camera, depths) = target.camera()?;
        target.check()?;
        let mode = effective_mode(fluid, view);
        let view = &View { mode, camera, ground: false, legend: false, ..view.clone() };
        let has_behind = target.behind.is_some();
        let pass = PassFormat {
            depth: target.depth_format,
            is_reversed: depths.is_reversed(),
            samples: target.samples,
        };
        self.pipelines.set_pass(pass);
        let draws: &[Draw] = match (has_behind, pass.depth) {
            (true, Some(_)) => &[Draw::LayerColor, Draw::LayerDepth],
            (false, Some(_)) => &[Draw::Layer],
            (_, None) => &[Draw::LayerColor],
        };
        let samples = samples_of(view);
        let behind = [(Draw::Behind, 1), (Draw::DepthBehind, samples), (Draw::NearestDepth, 1)];
        let own = draws.iter().map(|draw| (*draw, pass.samples));
        self.pipelines.build(&own.chain(behind).collect::<Vec<_>>())?;
        let placing = Placing { depths, has_behind, is_hdr: is_hdr(self.format) };
        let frame = self.prepare(fluid, view, target.size, Some(placing))?;
        let scene = self.prepare_solids(fluid, view);
        let behind = target.behind.map(|Behind { color, depth }| {
            let views = [color, depth].map(wgpu::BindingResource::TextureView);
            self.pipelines.bind(Group::WithDepth, &views)
        });
        let (common, picture) = match (&self.fluid, &self.targets) {
            (Some(bound), Some(BoundTargets { picture: Some(picture), .. })) => {
                (bound.common.clone(), picture.clone())
            }
            _ => unreachable!("they were prepared"),
        };
        let draws = draws.iter().map(|draw| self.pipelines.get(*draw, pass.samples).clone());
        let layer = Layer { draws: draws.collect(), common, picture };
        if let Some(picture) = self.picture(fluid, view, &scene, behind.as_ref()) {
            picture.record(encoder, mode, &frame);
            picture.find_nearest_depth(encoder);
        }
        self.gpu.check()?;
        Ok(layer)
    }

    /// Prepares pipelines, textures and uniforms.
    fn prepare(
        &mut self,
        fluid: &Fluid,
        view: &View,
        size: [u32; 2],
        placing: Option<Placing>,
    ) -> Result<Frame, Error> {
        check_size(&self.gpu, size)?;
        let mode = view.mode;
        let samples = samples_of(view);
        self.pipelines.build(&needed(mode, samples))?;
        if fluid.foam.is_some() && view.foam {
            self.pipelines.build(&[(Draw::Foam, samples), (Draw::Bubbles, samples)])?;
            self.pipelines.build(&[(Draw::Bubbles, 1)])?;
        }
        let quantity = match fluid.buffer_of(&view.color) {
            None if matches!(mode, Mode::Particles | Mode::Slice) => {
                return Err(without(fluid, &view.color));
            }
            found => found.unwrap_or(&fluid.position),
        };
        if !self.sky.shows(view.light.sky_image.as_ref()) {
            self.sky = Sky::new(&self.gpu, view.light.sky_image.clone());
            self.fluid = None;
        }
        self.prepare_fluid(fluid, quantity);
        self.prepare_smoke(fluid, quantity)?;
        self.prepare_targets(Layout { size, samples, mode, is_layer: placing.is_some() });
        let encode = !self.format.is_srgb() && !is_hdr(self.format);
        let light = self.sky.light();
        let mut frame = Frame::new(fluid, view, light, size, samples, encode, placing);
        if let Some(bound) = &self.targets {
            frame.thickness_scale = bound.targets.thickness_scale as f32;
        }
        self.write_uniforms(&fluid.params, &frame);
        Ok(frame)
    }

    fn picture<'a>(
        &'a self,
        fluid: &'a Fluid,
        view: &View,
        scene: &'a Scene,
        behind: Option<&'a wgpu::BindGroup>,
    ) -> Option<Picture<'a>> {
        Some(Picture {
            renderer: self,
            fluid,
            foam: fluid.foam.as_ref().filter(|_| view.foam),
            bound: self.fluid.as_ref()?,
            targets: self.targets.as_ref()?,
            scene,
            samples: samples_of(view),
            behind,
        })
    }

    fn write_uniforms(&self, params: &Params, frame: &Frame) {
        let mut bytes = UniformBuffer::new(Vec::new());
        bytes.write(params).expect("a Vec grows");
        self.gpu.queue().write_buffer(&self.params, 0, &bytes.into_inner());
        let mut bytes = UniformBuffer::new(Vec::new());
        bytes.write(frame).expect("a Vec grows");
        self.gpu.queue().write_buffer(&self.frame, 0, &bytes.into_inner());
    }

    fn prepare_fluid(&mut self, fluid: &Fluid, quantity: &wgpu::Buffer) {
        let buffers = [&fluid.control, &fluid.position, &fluid.velocity, &fluid.identity, quantity];
        let same = |bound: &Bound| {
            bound.buffers.iter().eq(buffers)
                && bound.splat_buffers == fluid.splats
                && bound.foam_buffers == fluid.foam
                && bound.mesh_buffers == fluid.surfaces
        };
        if self.fluid.as_ref().is_some_and(same) {
            return;
        }
        let bind = |group, buffers: &[&wgpu::Buffer]| {
            let resources: Vec<_> = buffers.iter().map(|b| b.as_entire_binding()).collect();
            self.pipelines.bind(group, &resources)
        };
        let [control, position, velocity, identity, quantity] = buffers;
        self.fluid = Some(Bound {
            buffers: buffers.map(Clone::clone),
            splat_buffers: fluid.splats.clone(),
            foam_buffers: fluid.foam.clone(),
            mesh_buffers: fluid.surfaces.clone(),
            common: self.pipelines.bind(
                Group::Common,
                &[
                    self.params.as_entire_binding(),
                    control.as_entire_binding(),
                    self.frame.as_entire_binding(),
                    wgpu::BindingResource::TextureView(self.sky.view()),
                    wgpu::BindingResource::Sampler(self.sky.sampler()),
                ],
            ),
            particles: bind(Group::Particles, &[position, velocity, identity, quantity]),
            splats: fluid.splats.as_ref().map(|s| {
                bind(Group::Splats, &[&s.splat_position, &s.splat_normal, &s.splat_material])
            }),
            foam: fluid
                .foam
                .as_ref()
                .map(|f| bind(Group::Foam, &[&f.position, &f.velocity, &f.identity, &f.state])),
            surfaces: fluid
                .surfaces
                .iter()
                .map(|m| {
                    let number = self.gpu.device().create_buffer(&wgpu::BufferDescriptor {
                        label: Some("number"),
                        size: 16,
                        usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                        mapped_at_creation: false,
                    });
                    self.gpu.queue().write_buffer(&number, 0, &m.material.to_le_bytes());
                    bind(Group::Mesh, &[&m.surface_position, &m.surface_normal, &number])
                })
                .collect(),
        });
    }

    fn prepare_smoke(&mut self, fluid: &Fluid, quantity: &wgpu::Buffer) -> Result<(), Error> {
        let Some(buffers) = &fluid.smoke else { return Ok(()) };
        let size = fluid.params.grid.size.to_array();
        let same = |bound: &BoundSmoke| {
            bound.buffers == *buffers && bound.quantity == *quantity && bound.size == size
        };
        if self.smoke.as_ref().is_some_and(same) {
            return Ok(());
        }
        self.pipelines.smoke_light()?;
        let [width, height, depth_or_array_layers] = size;
        let texture = self.gpu.device().create_texture(&wgpu::TextureDescriptor {
            label: Some("smoke"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D3,
            format: LIGHT,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::STORAGE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let picture = wgpu::BindingResource::TextureView(&view);
        let sampler = wgpu::BindingResource::Sampler(&self.sampler);
        let [smoke, share] =
            [&buffers.smoke, &buffers.solid_share].map(wgpu::Buffer::as_entire_binding);
        self.smoke = Some(BoundSmoke {
            make: self.pipelines.bind(Group::CellsToField, &[smoke, picture.clone()]),
            field: self.pipelines.bind(Group::Field, &[picture, sampler]),
            cells: self.pipelines.bind(Group::Cells, &[quantity.as_entire_binding(), share]),
            buffers: buffers.clone(),
            quantity: quantity.clone(),
            size,
        });
        Ok(())
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
            environment: bind(Group::Environment, &[view(&targets.shadow), sampler.clone()]),
            water,
            behind: targets.behind.as_ref().map(|[_, depth]| bind(Group::Behind, &[view(depth)])),
            air: targets.behind.as_ref().map(|[_, depth]| {
                bind(Group::Air, &[view(&targets.shadow), sampler.clone(), view(depth)])
            }),
            distances: targets
                .distances
                .as_ref()
                .map(|both| both.each_ref().map(|one| bind(Group::Picture, &[view(one)]))),
            nearest: targets.distances.as_ref().zip(targets.numbers.as_ref()).map(
                |([smoothed, _], numbers)| bind(Group::Pictures, &[view(smoothed), view(numbers)]),
            ),
            sums: targets.sums.as_ref().map(|sums| bind(Group::Sums, &sums.each_ref().map(view))),
            light: bind(Group::Picture, &[view(&targets.light)]),
            picture: layout.is_layer.then(|| {
                let depth = targets.nearest_depth.as_ref().unwrap_or(&targets.depth);
                bind(Group::WithDepth, &[view(&targets.light), view(depth)])
            }),
            samples: targets
                .nearest_depth
                .as_ref()
                .map(|_| bind(Group::Samples, &[view(&targets.depth)])),
            targets,
        });
    }

    /// Writes colliders and edges. Returns the colliders by how they are drawn.
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
            let floor = view.ground && is_level(collider, up);
            if collider.inside != 0 || flat {
                let solid = own.map(|(_, solid, _)| &**solid);
                segments.extend(edges(collider, flat, solid));
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
        // Colours of materials are those of things.
        let has_legend = view.legend && view.color.form != Form::Material;
        if !has_legend || !matches!(layout.mode, Mode::Particles | Mode::Slice) {
            self.legend = None;
            return;
        }
        let range = view.range.unwrap_or_else(|| fluid.default_range(&view.color));
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

/// Error of a view with a quantity that the fluid does not have.
fn without(fluid: &Fluid, quantity: &Quantity) -> Error {
    let names: Vec<_> = fluid.quantities.iter().map(|(one, _)| one.name).collect();
    let (name, names) = (quantity.name, names.join(", "));
    Error::Quantity(format!("the fluid has no quantity `{name}`; it has: {names}"))
}

/// The mode, or one that the fluid's buffers allow.
fn effective_mode(fluid: &Fluid, view: &View) -> Mode {
    let flat = fluid.params.world.dimensions == 2;
    match view.mode {
        Mode::Smoke if fluid.smoke.is_some() && !flat => Mode::Smoke,
        Mode::Slice if fluid.smoke.is_some() => Mode::Slice,
        _ if fluid.smoke.is_some() && flat => Mode::Slice,
        _ if fluid.smoke.is_some() => Mode::Smoke,
        Mode::Slice | Mode::Smoke => Mode::Particles,
        _ if fluid.params.world.dimensions == 2 => Mode::Particles,
        Mode::Splats if fluid.splats.is_none() => Mode::Particles,
        Mode::Surface if fluid.surfaces.is_empty() => Mode::ScreenSpace,
        mode => mode,
    }
}

fn samples_of(view: &View) -> u32 {
    if view.antialias { 4 } else { 1 }
}

/// Pipelines of a mode.
fn needed(mode: Mode, samples: u32) -> Vec<(Draw, u32)> {
    let always = [Draw::Backdrop, Draw::Solids, Draw::Glass, Draw::Edges];
    let single = [Draw::ParticleShadow, Draw::SolidShadow, Draw::Tone, Draw::Legend];
    let (main, helpers): (&[Draw], &[Draw]) = match mode {
        Mode::Particles => (&[Draw::Particles], &[]),
        Mode::Slice => (&[Draw::Slice], &[]),
        Mode::Smoke => (&[Draw::Smoke], &[Draw::SmokeShadow, Draw::Backdrop, Draw::Solids]),
        Mode::Splats => {
            (&[Draw::SplatSurface, Draw::Droplets], &[Draw::SplatNearest, Draw::SplatSum])
        }
        Mode::Surface => (
            &[Draw::MeshDepth, Draw::Mesh, Draw::Matter],
            &[Draw::MeshThickness, Draw::Backdrop, Draw::Solids, Draw::Matter],
        ),
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
    let mut draws: Vec<_> = always.iter().chain(main).map(|draw| (*draw, samples)).collect();
    draws.extend(single.iter().chain(helpers).map(|draw| (*draw, 1)));
    if matches!(mode, Mode::Splats | Mode::Surface | Mode::ScreenSpace) {
        draws.extend([(Draw::Particles, samples), (Draw::Particles, 1)]);
    }
    draws
}
