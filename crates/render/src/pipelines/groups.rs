//! Bind groups of drawings.

use super::LIGHT;

/// Bind group layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Group {
    /// Params, Control, Frame, image of the sky.
    Common,
    /// Particles by slot.
    Particles,
    /// Foam by slot, and its state.
    Foam,
    /// Splats.
    Splats,
    /// Vertices of a surface, and its material.
    Mesh,
    /// Colliders.
    Solids,
    /// One texture, read pixel by pixel.
    Picture,
    /// Two textures, read pixel by pixel.
    Pictures,
    /// Sums of splats.
    Sums,
    /// A uniform, a small texture and the light texture.
    Legend,
    /// Shadow map.
    Environment,
    /// Shadow map, scene without water, thickness.
    Water,
    /// Depth of the scene without water.
    Behind,
    /// Arrays of a quantity and of the cells' free shares.
    Cells,
    /// An array of cells, and the texture that it becomes.
    CellsToField,
    /// The texture of smoke, and how it is sampled.
    Field,
    /// Shadow map, depth of the scene without smoke.
    Air,
    /// A picture and its depths.
    WithDepth,
    /// Depths of several samples.
    Samples,
}

impl Group {
    pub(super) const ALL: [Self; 19] = [
        Self::Common,
        Self::Particles,
        Self::Foam,
        Self::Splats,
        Self::Mesh,
        Self::Solids,
        Self::Picture,
        Self::Pictures,
        Self::Sums,
        Self::Legend,
        Self::Environment,
        Self::Water,
        Self::Behind,
        Self::Cells,
        Self::CellsToField,
        Self::Field,
        Self::Air,
        Self::WithDepth,
        Self::Samples,
    ];

    pub(super) fn entries(self) -> Vec<wgpu::BindGroupLayoutEntry> {
        use wgpu::ShaderStages;
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty,
            count: None,
        };
        let uniform = |binding| {
            let ty = wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            };
            let stages = ShaderStages::VERTEX_FRAGMENT | ShaderStages::COMPUTE;
            entry(binding, stages, ty)
        };
        let cells = |binding, stages| {
            let ty = wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: true },
                has_dynamic_offset: false,
                min_binding_size: None,
            };
            entry(binding, stages, ty)
        };
        let storage = |binding| cells(binding, ShaderStages::VERTEX);
        let texture = |binding, sample_type| {
            let ty = wgpu::BindingType::Texture {
                sample_type,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            };
            entry(binding, ShaderStages::FRAGMENT, ty)
        };
        let smooth = wgpu::TextureSampleType::Float { filterable: true };
        let exact = wgpu::TextureSampleType::Float { filterable: false };
        let depth = wgpu::TextureSampleType::Depth;
        let filter = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);
        let sampler = entry(1, ShaderStages::FRAGMENT, filter);
        match self {
            Self::Common => vec![
                uniform(0),
                uniform(1),
                uniform(3),
                texture(4, smooth),
                entry(5, ShaderStages::FRAGMENT, filter),
            ],
            Self::Particles | Self::Foam => (0..4).map(storage).collect(),
            Self::Splats => (0..3).map(storage).collect(),
            Self::Mesh => vec![storage(0), storage(1), uniform(2)],
            Self::Solids => vec![storage(0)],
            Self::Picture => vec![texture(0, exact)],
            Self::Pictures => vec![texture(0, exact), texture(1, exact)],
            Self::Sums => (0..3).map(|binding| texture(binding, exact)).collect(),
            Self::Legend => vec![uniform(0), texture(1, exact), texture(2, exact)],
            Self::Environment => vec![texture(0, smooth), sampler],
            Self::Water => vec![
                texture(0, smooth),
                sampler,
                texture(2, smooth),
                texture(3, depth),
                texture(4, smooth),
            ],
            Self::Behind => vec![texture(0, depth)],
            Self::Cells => vec![cells(0, ShaderStages::FRAGMENT), cells(1, ShaderStages::FRAGMENT)],
            Self::CellsToField => {
                let field = wgpu::BindingType::StorageTexture {
                    access: wgpu::StorageTextureAccess::WriteOnly,
                    format: LIGHT,
                    view_dimension: wgpu::TextureViewDimension::D3,
                };
                vec![cells(0, ShaderStages::COMPUTE), entry(1, ShaderStages::COMPUTE, field)]
            }
            Self::Field => {
                let ty = wgpu::BindingType::Texture {
                    sample_type: smooth,
                    view_dimension: wgpu::TextureViewDimension::D3,
                    multisampled: false,
                };
                vec![entry(0, ShaderStages::FRAGMENT, ty), sampler]
            }
            Self::Air => vec![texture(0, smooth), sampler, texture(3, depth)],
            Self::WithDepth => vec![texture(0, exact), texture(1, depth)],
            Self::Samples => {
                let ty = wgpu::BindingType::Texture {
                    sample_type: depth,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: true,
                };
                vec![entry(0, ShaderStages::FRAGMENT, ty)]
            }
        }
    }
}
