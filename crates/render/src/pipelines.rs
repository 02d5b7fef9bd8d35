//! Shaders, layouts and pipelines: one row per kind of drawing, built on first use.

mod groups;

use std::collections::HashMap;

use meniscus::{Gpu, Shaders};
use wgpu::{BlendComponent, BlendFactor, BlendOperation, CompareFunction, TextureFormat};

pub(crate) use self::groups::Group;
use crate::{Error, solids::Vertex};

/// Format of linear light.
pub(crate) const LIGHT: TextureFormat = TextureFormat::Rgba16Float;
/// Format of depth: 1 at the near plane, 0 at infinity.
pub(crate) const DEPTH: TextureFormat = TextureFormat::Depth32Float;
/// Format of distances along the view, for which half floats are too coarse.
pub(crate) const DISTANCE: TextureFormat = TextureFormat::R32Float;
/// Format of thickness: metres, and the number of faces.
pub(crate) const THICKNESS: TextureFormat = TextureFormat::Rg16Float;

/// A kind of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Draw {
    Backdrop,
    Particles,
    ParticleShadow,
    Solids,
    SolidShadow,
    Glass,
    Edges,
    MeshThickness,
    MeshDepth,
    Mesh,
    Matter,
    SphereDepth,
    SphereThickness,
    SmoothAcross,
    SmoothAlong,
    ScreenSpace,
    SplatNearest,
    SplatSum,
    SplatSurface,
    Droplets,
    Foam,
    Bubbles,
    Slice,
    Smoke,
    SmokeShadow,
    Tone,
    Legend,
    /// A program's picture so far, and its depths alone.
    Behind,
    DepthBehind,
    NearestDepth,
    /// Into a program's pass: colours alone, depths alone, both.
    LayerColor,
    LayerDepth,
    Layer,
}

/// Vertex buffers of a drawing.
#[derive(Clone, Copy, PartialEq)]
enum Vertices {
    Pulled,
    Shapes,
    Segments,
}

/// Depth test of a drawing.
#[derive(Clone, Copy, PartialEq)]
enum Depth {
    None,
    Write,
    Test,
    /// The pass has depths, of which the drawing makes no use.
    Any,
    /// As [`PassFormat`] says, tested and written.
    OfPass,
    /// As [`PassFormat`] says, unused.
    AnyOfPass,
}

/// Depths and samples of a program's pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PassFormat {
    pub(crate) depth: Option<TextureFormat>,
    pub(crate) is_reversed: bool,
    pub(crate) samples: u32,
}

struct Row {
    shader: &'static str,
    /// Entry points of the vertex and the fragment stage.
    entries: [&'static str; 2],
    groups: [Option<Group>; 3],
    vertices: Vertices,
    /// Formats and blending; `None` stands for the target's format.
    targets: Vec<(Option<TextureFormat>, Option<wgpu::BlendState>)>,
    depth: Depth,
}

/// new + old
const ADD: BlendComponent = BlendComponent {
    src_factor: BlendFactor::One,
    dst_factor: BlendFactor::One,
    operation: BlendOperation::Add,
};
/// max(new, old)
const MAX: BlendComponent = BlendComponent { operation: BlendOperation::Max, ..ADD };

impl Draw {
    fn is_of_layer(self) -> bool {
        matches!(self, Self::LayerColor | Self::LayerDepth | Self::Layer)
    }

    /// Description of this drawing.
    fn row(self) -> Row {
        let sum = Some(wgpu::BlendState { color: ADD, alpha: ADD });
        let over = Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING);
        let shadow = Some(wgpu::BlendState { color: ADD, alpha: MAX });
        let common = Some(Group::Common);
        let plain = |shader, entries, one, two, blend, depth| Row {
            shader,
            entries,
            groups: [common, one, two],
            vertices: Vertices::Pulled,
            targets: vec![(Some(LIGHT), blend)],
            depth,
        };
        let to = |format, row: Row| Row { targets: vec![(Some(format), row.targets[0].1)], ..row };
        let main = ["vertex", "fragment"];
        let (particles, solids) = (Some(Group::Particles), Some(Group::Solids));
        let (environment, water) = (Some(Group::Environment), Some(Group::Water));
        let behind = Some(Group::Behind);
        match self {
            Self::Backdrop => plain("backdrop", main, None, environment, None, Depth::Write),
            Self::Particles => plain("particles", main, particles, environment, None, Depth::Write),
            Self::ParticleShadow => plain("shadow", main, particles, None, shadow, Depth::None),
            Self::Solids => Row {
                vertices: Vertices::Shapes,
                ..plain("solids", ["vertex", "solid"], solids, environment, None, Depth::Write)
            },
            Self::SolidShadow => Row {
                vertices: Vertices::Shapes,
                ..plain("solids", ["shadow_vertex", "shadow"], solids, None, shadow, Depth::None)
            },
            Self::Glass => Row {
                vertices: Vertices::Shapes,
                ..plain("solids", ["vertex", "glass"], solids, environment, over, Depth::Test)
            },
            Self::Edges => Row {
                vertices: Vertices::Segments,
                ..plain("lines", main, None, None, over, Depth::Test)
            },
            Self::MeshThickness => {
                let mesh = Some(Group::Mesh);
                to(THICKNESS, plain("mesh_thickness", main, mesh, behind, sum, Depth::None))
            }
            Self::MeshDepth => {
                let entries = ["vertex", "depth_only"];
                plain("mesh", entries, Some(Group::Mesh), None, None, Depth::Write)
            }
            Self::Mesh => plain("mesh", main, Some(Group::Mesh), water, None, Depth::Write),
            Self::Matter => {
                let entries = ["vertex", "matter"];
                plain("mesh", entries, Some(Group::Mesh), environment, None, Depth::Write)
            }
            Self::SphereDepth => Row {
                targets: vec![(Some(DISTANCE), None), (Some(LIGHT), None)],
                ..plain("sphere_depth", main, particles, None, None, Depth::Write)
            },
            Self::SphereThickness => {
                let row = plain("sphere_thickness", main, particles, behind, sum, Depth::None);
                to(THICKNESS, row)
            }
            Self::SmoothAcross | Self::SmoothAlong => {
                let entry = if self == Self::SmoothAcross { "across" } else { "along" };
                let picture = Some(Group::Picture);
                let entries = ["vertex", entry];
                to(DISTANCE, plain("smooth_depth", entries, picture, None, None, Depth::None))
            }
            Self::ScreenSpace => {
                plain("screen_space", main, Some(Group::Pictures), water, over, Depth::Write)
            }
            Self::SplatNearest => Row {
                targets: Vec::new(),
                ..plain(
                    "splats",
                    ["nearest_vertex", "nearest"],
                    Some(Group::Splats),
                    None,
                    None,
                    Depth::Write,
                )
            },
            Self::SplatSum => Row {
                targets: vec![(Some(LIGHT), sum); 3],
                ..plain(
                    "splats",
                    ["sum_vertex", "sum"],
                    Some(Group::Splats),
                    None,
                    None,
                    Depth::Test,
                )
            },
            Self::SplatSurface => {
                plain("splat_surface", main, Some(Group::Sums), environment, over, Depth::Write)
            }
            Self::Droplets => plain("droplets", main, particles, environment, None, Depth::Write),
            Self::Foam => plain("foam", main, Some(Group::Foam), environment, over, Depth::Test),
            Self::Bubbles => {
                let entries = ["bubble_vertex", "bubble"];
                plain("foam", entries, Some(Group::Foam), environment, None, Depth::Write)
            }
            Self::Slice => plain("slice", main, Some(Group::Cells), None, None, Depth::Write),
            Self::Smoke => {
                let (field, air) = (Some(Group::Field), Some(Group::Air));
                plain("smoke", main, field, air, over, Depth::Any)
            }
            Self::SmokeShadow => {
                plain("smoke_shadow", main, Some(Group::Field), None, shadow, Depth::None)
            }
            Self::Tone => Row {
                targets: vec![(None, None)],
                ..plain("tone", main, Some(Group::Picture), None, None, Depth::None)
            },
            Self::Legend => Row {
                targets: vec![(None, None)],
                ..plain("legend", main, Some(Group::Legend), None, None, Depth::None)
            },
            Self::Behind => plain("behind", main, Some(Group::WithDepth), None, None, Depth::Write),
            Self::DepthBehind => {
                let entries = ["vertex", "depth_only"];
                plain("behind", entries, Some(Group::WithDepth), None, None, Depth::Write)
            }
            Self::NearestDepth => Row {
                targets: Vec::new(),
                ..plain("nearest_depth", main, Some(Group::Samples), None, None, Depth::Write)
            },
            Self::LayerColor | Self::LayerDepth | Self::Layer => {
                let (entry, depth) = match self {
                    Self::LayerColor => ("color", Depth::AnyOfPass),
                    Self::LayerDepth => ("depth", Depth::OfPass),
                    _ => ("both", Depth::OfPass),
                };
                let row =
                    plain("layer", ["vertex", entry], Some(Group::WithDepth), None, None, depth);
                Row { targets: vec![(None, over)], ..row }
            }
        }
    }
}

/// The parts of a renderer that depend on neither sizes nor fluids.
pub(crate) struct Pipelines {
    gpu: Gpu,
    format: TextureFormat,
    layouts: HashMap<Group, wgpu::BindGroupLayout>,
    modules: HashMap<&'static str, wgpu::ShaderModule>,
    built: HashMap<(Draw, u32), wgpu::RenderPipeline>,
    pass: Option<PassFormat>,
    /// The compute pass of smoke's light.
    light: Option<wgpu::ComputePipeline>,
}

impl Pipelines {
    pub(crate) fn new(gpu: &Gpu, format: TextureFormat) -> Self {
        let layout = |group: &Group| {
            let layout = gpu.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
                label: Some(&format!("{group:?}")),
                entries: &group.entries(),
            });
            (*group, layout)
        };
        Self {
            gpu: gpu.clone(),
            format,
            layouts: Group::ALL.iter().map(layout).collect(),
            modules: HashMap::new(),
            built: HashMap::new(),
            pass: None,
            light: None,
        }
    }

    /// Creates a bind group; resources are in the order of the group's entries.
    pub(crate) fn bind(
        &self,
        group: Group,
        resources: &[wgpu::BindingResource<'_>],
    ) -> wgpu::BindGroup {
        let numbers = group.entries();
        let entries = numbers.iter().zip(resources);
        let entries: Vec<_> = entries
            .map(|(entry, resource)| wgpu::BindGroupEntry {
                binding: entry.binding,
                resource: resource.clone(),
            })
            .collect();
        self.gpu.device().create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(&format!("{group:?}")),
            layout: &self.layouts[&group],
            entries: &entries,
        })
    }

    /// Sets the pass of a program into which layers are drawn.
    pub(crate) fn set_pass(&mut self, pass: PassFormat) {
        if self.pass.replace(pass) != Some(pass) {
            self.built.retain(|(draw, _), _| !draw.is_of_layer());
        }
    }

    /// Builds those of the pipelines that do not exist yet.
    pub(crate) fn build(&mut self, draws: &[(Draw, u32)]) -> Result<(), Error> {
        for (draw, samples) in draws {
            if !self.built.contains_key(&(*draw, *samples)) {
                let pipeline = self.pipeline(*draw, *samples)?;
                self.built.insert((*draw, *samples), pipeline);
            }
        }
        Ok(())
    }

    /// A pipeline that was built by [`Pipelines::build`].
    pub(crate) fn get(&self, draw: Draw, samples: u32) -> &wgpu::RenderPipeline {
        &self.built[&(draw, samples)]
    }

    /// The compute pass that makes smoke's texture.
    pub(crate) fn smoke_light(&mut self) -> Result<&wgpu::ComputePipeline, Error> {
        const NAME: &str = "smoke_light";
        self.compile(NAME)?;
        let device = self.gpu.device();
        let groups = [Group::Common, Group::CellsToField].map(|group| Some(&self.layouts[&group]));
        let module = &self.modules[NAME];
        let make = || {
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(NAME),
                bind_group_layouts: &groups,
                immediate_size: 0,
            });
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some("render/smoke_light"),
                layout: Some(&layout),
                module,
                entry_point: Some("main"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        };
        Ok(self.light.get_or_insert_with(make))
    }

    /// Pipeline that computes the light in smoke, if it was made.
    pub(crate) fn light(&self) -> Option<&wgpu::ComputePipeline> {
        self.light.as_ref()
    }

    /// Compiles a shader, once.
    fn compile(&mut self, shader: &'static str) -> Result<(), Error> {
        if !self.modules.contains_key(shader) {
            let name = format!("render/{shader}");
            let composed = Shaders::standard().compose(&name, false)?;
            composed.parse()?;
            let module = self.gpu.device().create_shader_module(wgpu::ShaderModuleDescriptor {
                label: Some(&name),
                source: wgpu::ShaderSource::Wgsl(composed.wgsl.into()),
            });
            self.modules.insert(shader, module);
        }
        Ok(())
    }

    fn pipeline(&mut self, draw: Draw, samples: u32) -> Result<wgpu::RenderPipeline, Error> {
        let row = draw.row();
        self.compile(row.shader)?;
        let device = self.gpu.device();
        let module = &self.modules[row.shader];
        let last = row.groups.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let groups: Vec<_> =
            row.groups[..last].iter().map(|g| g.as_ref().map(|g| &self.layouts[g])).collect();
        let label = format!("render/{} ({draw:?})", row.shader);
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(&label),
            bind_group_layouts: &groups,
            immediate_size: 0,
        });
        let attribute = |shader_location| wgpu::VertexAttribute {
            format: wgpu::VertexFormat::Float32x4,
            offset: 16 * u64::from(shader_location),
            shader_location,
        };
        let attributes = [attribute(0), attribute(1), attribute(2)];
        let buffer = |step_mode, count: usize| {
            Some(wgpu::VertexBufferLayout {
                array_stride: 16 * count as u64,
                step_mode,
                attributes: &attributes[..count],
            })
        };
        let buffers = match row.vertices {
            Vertices::Pulled => Vec::new(),
            Vertices::Shapes => {
                vec![buffer(wgpu::VertexStepMode::Vertex, size_of::<Vertex>() / 16)]
            }
            Vertices::Segments => vec![buffer(wgpu::VertexStepMode::Instance, 2)],
        };
        let targets: Vec<_> = row
            .targets
            .iter()
            .map(|(format, blend)| {
                Some(wgpu::ColorTargetState {
                    format: format.unwrap_or(self.format),
                    blend: *blend,
                    write_mask: match draw {
                        Draw::MeshDepth | Draw::DepthBehind | Draw::LayerDepth => {
                            wgpu::ColorWrites::empty()
                        }
                        _ => wgpu::ColorWrites::ALL,
                    },
                })
            })
            .collect();
        let of_pass = self.pass.and_then(|pass| Some((pass.depth?, pass.is_reversed)));
        let format = match row.depth {
            Depth::None => None,
            Depth::OfPass | Depth::AnyOfPass => of_pass,
            Depth::Write | Depth::Test | Depth::Any => Some((DEPTH, true)),
        };
        let depth_stencil = format.map(|(format, is_reversed)| wgpu::DepthStencilState {
            format,
            depth_write_enabled: Some(matches!(row.depth, Depth::Write | Depth::OfPass)),
            depth_compare: Some(match row.depth {
                Depth::Any | Depth::AnyOfPass => CompareFunction::Always,
                _ if is_reversed => CompareFunction::GreaterEqual,
                _ => CompareFunction::LessEqual,
            }),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        });
        let topology = match draw {
            Draw::Legend => wgpu::PrimitiveTopology::TriangleStrip,
            _ => wgpu::PrimitiveTopology::TriangleList,
        };
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(&label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module,
                entry_point: Some(row.entries[0]),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &buffers,
            },
            primitive: wgpu::PrimitiveState { topology, ..Default::default() },
            depth_stencil,
            multisample: wgpu::MultisampleState { count: samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module,
                entry_point: Some(row.entries[1]),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        });
        Ok(pipeline)
    }
}
