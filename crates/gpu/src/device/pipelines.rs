//! Compiled passes.

use std::sync::Arc;

use super::{Gpu, lock};
use crate::{
    Error,
    shaders::{Binding, Composed, Reflection},
};

/// Passes without a simulation that are kept for later ones. A simulation has about 60; shaders
/// contain constants of the scene, so that each scene compiles its own. llvmpipe needs about 5 MB for
/// each.
const UNUSED: usize = 128;

/// A pass ready to be bound.
#[derive(Debug)]
pub(crate) struct CompiledPass {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) reflection: Reflection,
}

impl Gpu {
    /// Compiles a pass, or returns it from the cache that all simulations on this device share. The
    /// device's errors are returned here on native devices, and by [`Gpu::compiled`] in a browser.
    pub(crate) fn compile(&self, composed: &Composed) -> Result<Arc<CompiledPass>, Error> {
        if let Some(found) = lock(&self.inner.passes).get(&composed.wgsl) {
            return Ok(Arc::clone(found));
        }
        let reflection = Reflection::of(composed, &composed.parse()?)?;
        let pass = self.scoped(Some(&composed.name), || self.build(composed, reflection))?;
        self.sound()?;
        let pass = Arc::new(pass);
        let mut passes = lock(&self.inner.passes);
        let used = |pass: &Arc<CompiledPass>| Arc::strong_count(pass) > 1;
        if passes.values().filter(|pass| !used(pass)).count() >= UNUSED {
            passes.retain(|_, pass| used(pass));
        }
        passes.insert(composed.wgsl.clone(), Arc::clone(&pass));
        Ok(pass)
    }

    fn build(&self, composed: &Composed, reflection: Reflection) -> CompiledPass {
        let device = self.device();
        let storage = |binding: &Binding| wgpu::BindGroupLayoutEntry {
            binding: binding.index,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: match binding.image {
                None => wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: binding.read_only },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                Some(format) => wgpu::BindingType::StorageTexture {
                    access: match binding.read_only {
                        true => wgpu::StorageTextureAccess::ReadOnly,
                        false => wgpu::StorageTextureAccess::WriteOnly,
                    },
                    format,
                    view_dimension: wgpu::TextureViewDimension::D2,
                },
            },
            count: None,
        };
        let entries: Vec<_> = reflection.bindings.iter().map(storage).collect();
        let label = Some(composed.name.as_str());
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label,
            entries: &entries,
        });
        let common = self.common_layout(reflection.writes_control);
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(common), Some(&layout)],
            immediate_size: 0,
        });
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label,
            source: wgpu::ShaderSource::Wgsl(composed.for_device(self.bounds_in_storage())),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        CompiledPass { pipeline, layout, reflection }
    }

    /// The number of compiled passes that are kept for simulations, present and later ones.
    pub fn compiled_passes(&self) -> usize {
        lock(&self.inner.passes).len()
    }
}

/// Layout of group 0: Params, Control, the stage's uniform, and with `bounds_in_storage` Params once more.
pub(super) fn common_layout(
    device: &wgpu::Device,
    control_uniform: bool,
    bounds_in_storage: bool,
) -> wgpu::BindGroupLayout {
    let uniform = wgpu::BufferBindingType::Uniform;
    let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
    let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    let mut entries = vec![
        entry(0, uniform, false),
        entry(1, if control_uniform { uniform } else { storage(false) }, false),
        entry(2, uniform, true),
    ];
    if bounds_in_storage {
        entries.push(entry(3, storage(true), false));
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("params, control, stage"),
        entries: &entries,
    })
}
