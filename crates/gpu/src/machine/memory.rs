//! Buffers: allocation and growth.

use std::collections::BTreeMap;

use meniscus_methods::{arrays::Row, plan::Plans, space::PARTICLES};

use super::{Machine, bind::Shader};
use crate::{Error, Gpu};

/// Buffers by the names of their arrays.
pub(super) type Buffers = BTreeMap<String, wgpu::Buffer>;

/// Allocates the buffers that the plans' stages bind, except those of `had` that are long enough,
/// which are kept.
pub(super) fn allocate(
    gpu: &Gpu,
    plans: &Plans,
    shaders: &[Shader],
    had: Buffers,
) -> Result<Buffers, Error> {
    let mut buffers = had;
    let mut wanted: BTreeMap<&str, (Row, u64)> = BTreeMap::new();
    for shader in shaders {
        for (row, stride) in &shader.arrays {
            let elements = plans.counts.get(row.extent)?.max(1);
            let bytes = u64::from(elements) * u64::from(*stride);
            let most = wanted.entry(row.name).or_insert((*row, 0));
            most.1 = most.1.max(bytes);
        }
    }
    wanted.retain(|name, (_, bytes)| buffers.get(*name).map_or(0, wgpu::Buffer::size) < *bytes);
    let particles = plans.counts.get(PARTICLES)?;
    for (name, (_, bytes)) in &wanted {
        fits(gpu, name, *bytes, particles)?;
    }
    for (name, (row, bytes)) in wanted {
        buffers.insert(name.to_owned(), storage(gpu, &row, bytes));
    }
    Ok(buffers)
}

fn storage(gpu: &Gpu, row: &Row, size: u64) -> wgpu::Buffer {
    let mut usage =
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
    if row.drawn {
        usage |=
            wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::INDEX | wgpu::BufferUsages::INDIRECT;
    }
    gpu.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some(row.name),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// Checks that a buffer of this size is possible.
fn fits(gpu: &Gpu, name: &str, size: u64, particles: u32) -> Result<(), Error> {
    let limits = gpu.device().limits();
    let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    if size <= most {
        return Ok(());
    }
    Err(Error::TooLarge(format!(
        "buffer `{name}` needs {} MiB for {particles} particles, but adapter {} allows {} MiB in one buffer",
        mib(size),
        gpu.info().name,
        mib(most),
    )))
}

impl Machine {
    /// Sets the counts of spaces: plans the lists again, reallocates buffers that are too short,
    /// and records copies of their contents. Other machines keep the old buffers.
    ///
    /// # Errors
    /// [`Error::TooLarge`], a device error.
    pub(crate) fn grow(
        &mut self,
        counts: &meniscus_methods::space::Counts,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<(), Error> {
        let (shaders, lists) = (self.shaders.clone(), self.lists.clone());
        let grown = Self::build(&self.gpu, &shaders, counts, &lists, &self.extras, Some(&*self))?;
        for (name, new) in &grown.buffers {
            if let Some(old) = self.buffers.get(name).filter(|old| *old != new) {
                encoder.copy_buffer_to_buffer(old, 0, new, 0, old.size().min(new.size()));
            }
        }
        *self = Self { generation: self.generation + 1, ..grown };
        Ok(())
    }
}
