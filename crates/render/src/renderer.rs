//! The passes of a picture, in order.

mod picture;
mod prepare;

use std::sync::Arc;

use encase::ShaderType;
use meniscus::{Gpu, raw::Params, scene::mesh::Solid};
use wgpu::{BufferUsages, CommandEncoder, TextureView};

use crate::{
    Error, FluidBuffers, FoamBuffers, MeshBuffers, Mode, Quantity, SmokeBuffers, SplatBuffers,
    View,
    frame::Frame,
    layer::{Behind, Layer, Placing, Target, is_hdr},
    legend::Legend,
    pipelines::{Draw, Group, PassFormat, Pipelines},
    sky::Sky,
    solids::Shapes,
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
    /// Of the program's picture so far.
    behind: Option<([TextureView; 2], wgpu::BindGroup)>,
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
            behind: None,
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
        fluid: &FluidBuffers,
        view: &View,
    ) -> Result<(), Error> {
        check_size(&self.gpu, size)?;
        let mode = effective_mode(fluid, view);
        let view = &View { mode, ..view.clone() };
        let frame = self.make_ready(fluid, view, size, None)?;
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
        fluid: &FluidBuffers,
        view: &View,
        target: &Target<'_>,
    ) -> Result<Layer, Error> {
        check_size(&self.gpu, target.size)?;
        let (camera, depths) = target.camera()?;
        target.check()?;
        let mode = effective_mode(fluid, view);
        let view = &View { mode, camera, ground: false, legend: false, ..view.clone() };
        let has_behind = target.behind.is_some();
        let draws = self.build_pass(view, target, depths.is_reversed())?;
        let placing = Placing { depths, has_behind, is_hdr: is_hdr(self.format) };
        let frame = self.make_ready(fluid, view, target.size, Some(placing))?;
        let scene = self.prepare_solids(fluid, view);
        if let Some(Behind { color, depth }) = target.behind {
            let views = [color.clone(), depth.clone()];
            if self.behind.as_ref().is_none_or(|(bound, _)| *bound != views) {
                let resources = views.each_ref().map(wgpu::BindingResource::TextureView);
                let group = self.pipelines.bind(Group::WithDepth, &resources);
                self.behind = Some((views, group));
            }
        }
        let behind = self.behind.as_ref().filter(|_| has_behind).map(|(_, group)| group);
        let (common, picture) = match (&self.fluid, &self.targets) {
            (Some(bound), Some(BoundTargets { picture: Some(picture), .. })) => {
                (bound.common.clone(), picture.clone())
            }
            _ => unreachable!("they were prepared"),
        };
        let draws = draws.iter().map(|draw| self.pipelines.get(*draw, target.samples).clone());
        let layer = Layer { draws: draws.collect(), common, picture };
        if let Some(picture) = self.picture(fluid, view, &scene, behind) {
            picture.record(encoder, mode, &frame);
            picture.find_nearest_depth(encoder);
        }
        self.gpu.check()?;
        Ok(layer)
    }

    /// Compiles what layers of these views need in such a pass, so that the first one does not take longer than those that follow. Without
    /// it they compile what they need.
    ///
    /// # Errors
    /// [`Error::Target`], [`Error::Gpu`].
    pub fn prepare(&mut self, views: &[View], target: &Target<'_>) -> Result<(), Error> {
        let (_, depths) = target.camera()?;
        for view in views {
            self.build_pass(view, target, depths.is_reversed())?;
            self.build_view(view, view.foam)?;
        }
        self.gpu.check()?;
        Ok(())
    }

    /// Builds what draws a layer into a pass, and returns it.
    fn build_pass(
        &mut self,
        view: &View,
        target: &Target<'_>,
        is_reversed: bool,
    ) -> Result<&'static [Draw], Error> {
        let (depth, samples) = (target.depth_format, target.samples);
        self.pipelines.set_pass(PassFormat { depth, is_reversed, samples });
        let draws: &[Draw] = match (target.behind.is_some(), depth) {
            (true, Some(_)) => &[Draw::LayerColor, Draw::LayerDepth],
            (false, Some(_)) => &[Draw::Layer],
            (_, None) => &[Draw::LayerColor],
        };
        let behind =
            [(Draw::Behind, 1), (Draw::DepthBehind, samples_of(view)), (Draw::NearestDepth, 1)];
        let own = draws.iter().map(|draw| (*draw, samples));
        self.pipelines.build(&own.chain(behind).collect::<Vec<_>>())?;
        Ok(draws)
    }

    /// Builds the pipelines of a view.
    fn build_view(&mut self, view: &View, foam: bool) -> Result<(), Error> {
        let samples = samples_of(view);
        self.pipelines.build(&needed(view.mode, samples))?;
        if view.mode == Mode::Smoke {
            self.pipelines.smoke_light()?;
        }
        if foam {
            self.pipelines.build(&[(Draw::Foam, samples), (Draw::Bubbles, samples)])?;
            self.pipelines.build(&[(Draw::Bubbles, 1)])?;
        }
        Ok(())
    }

    /// Makes pipelines, textures and uniforms ready.
    fn make_ready(
        &mut self,
        fluid: &FluidBuffers,
        view: &View,
        size: [u32; 2],
        placing: Option<Placing>,
    ) -> Result<Frame, Error> {
        let mode = view.mode;
        let samples = samples_of(view);
        self.build_view(view, fluid.foam.is_some() && view.foam)?;
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
        fluid: &'a FluidBuffers,
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
fn without(fluid: &FluidBuffers, quantity: &Quantity) -> Error {
    let names: Vec<_> = fluid.quantities.iter().map(|(one, _)| one.name).collect();
    let (name, names) = (quantity.name, names.join(", "));
    Error::Quantity(format!("the fluid has no quantity `{name}`; it has: {names}"))
}

/// The mode, or one that the fluid's buffers allow.
fn effective_mode(fluid: &FluidBuffers, view: &View) -> Mode {
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
