//! Compiled passes and compilation errors.
//!
//! A device reports errors through scopes, whose results may arrive later: immediately on native
//! devices, after some turns of the event loop in a browser. Scopes without a result are kept until
//! [`Gpu::compiled`] awaits them.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

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

#[cfg(not(target_arch = "wasm32"))]
type Answer = Pin<Box<dyn Future<Output = Option<wgpu::Error>> + Send>>;
/// Objects of a browser stay on their thread.
#[cfg(target_arch = "wasm32")]
type Answer = Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>;

/// An error scope without a result yet.
pub(super) struct Pending {
    pass: String,
    answer: Answer,
}

impl Pending {
    /// The result, if it has arrived.
    fn poll(&mut self) -> Poll<Result<(), Error>> {
        let mut context = Context::from_waker(Waker::noop());
        self.answer.as_mut().poll(&mut context).map(|error| refused(&self.pass, error))
    }
}

fn refused(pass: &str, error: Option<wgpu::Error>) -> Result<(), Error> {
    error.map_or(Ok(()), |error| {
        Err(Error::Pipeline { pass: pass.to_owned(), message: error.to_string() })
    })
}

impl Gpu {
    /// Compiles a pass, or returns it from the cache that all simulations on this device share. The
    /// device's errors are returned here on native devices, and by [`Gpu::compiled`] in a browser.
    pub(crate) fn compile(&self, composed: &Composed) -> Result<Arc<CompiledPass>, Error> {
        if let Some(found) = lock(&self.inner.passes).get(&composed.wgsl) {
            return Ok(Arc::clone(found));
        }
        let reflection = Reflection::of(composed, &composed.parse()?)?;
        let (pass, errors) = self.watched(&composed.name, || self.build(composed, reflection));
        for mut pending in errors {
            match pending.poll() {
                Poll::Ready(result) => result?,
                Poll::Pending => lock(&self.inner.pending).push(pending),
            }
        }
        self.check()?;
        let pass = Arc::new(pass);
        let mut passes = lock(&self.inner.passes);
        let used = |pass: &Arc<CompiledPass>| Arc::strong_count(pass) > 1;
        if passes.values().filter(|pass| !used(pass)).count() >= UNUSED {
            passes.retain(|_, pass| used(pass));
        }
        passes.insert(composed.wgsl.clone(), Arc::clone(&pass));
        Ok(pass)
    }

    /// Runs `work`, and returns the scopes that catch its errors.
    fn watched<T>(&self, pass: &str, work: impl FnOnce() -> T) -> (T, [Pending; 2]) {
        let validation = self.device().push_error_scope(wgpu::ErrorFilter::Validation);
        // The driver's own compiler reports here.
        let internal = self.device().push_error_scope(wgpu::ErrorFilter::Internal);
        let value = work();
        let pending = |answer: Answer| Pending { pass: pass.to_owned(), answer };
        let internal = pending(Box::pin(internal.pop()));
        (value, [pending(Box::pin(validation.pop())), internal])
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
            source: wgpu::ShaderSource::Wgsl(composed.for_device()),
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

    /// The number of passes whose compilation has not ended, as far as is known.
    pub fn compiling(&self) -> usize {
        lock(&self.inner.pending).len().div_ceil(2)
    }

    /// Waits for the compilation of all passes so far.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the first pass that the device rejects, [`Error::Device`].
    pub async fn compiled(&self) -> Result<(), Error> {
        loop {
            let Some(pending) = lock(&self.inner.pending).pop() else { return self.check() };
            refused(&pending.pass, pending.answer.await)?;
        }
    }
}

pub(super) fn common_layout(device: &wgpu::Device, control_uniform: bool) -> wgpu::BindGroupLayout {
    let uniform = wgpu::BufferBindingType::Uniform;
    let storage = wgpu::BufferBindingType::Storage { read_only: false };
    let entry = |binding, ty, has_dynamic_offset| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("params, control, stage"),
        entries: &[
            entry(0, uniform, false),
            entry(1, if control_uniform { uniform } else { storage }, false),
            entry(2, uniform, true),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_answers_when_it_is_asked_again() {
        let mut turns = 0;
        let answer = std::future::poll_fn(move |_| {
            turns += 1;
            let source = Box::<dyn std::error::Error + Send + Sync>::from("the driver's words");
            let error = wgpu::Error::Internal { source, description: "no".into() };
            if turns < 3 { Poll::Pending } else { Poll::Ready(Some(error)) }
        });
        let mut pending = Pending { pass: "sph/density".into(), answer: Box::pin(answer) };
        assert!(pending.poll().is_pending() && pending.poll().is_pending());
        let Poll::Ready(Err(error)) = pending.poll() else { panic!("it has answered") };
        assert!(error.to_string().contains("sph/density"), "{error}");
    }
}
