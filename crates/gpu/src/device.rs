//! The GPU: adapter choice, exact features and limits, compiled passes, read-back.

use std::{
    collections::HashMap,
    fmt,
    future::poll_fn,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Poll, Waker},
};

use crate::{
    Error,
    shaders::{Composed, Reflection},
};

/// Whether pair passes use subgroup operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subgroups {
    /// On software adapters that have them, where they save 2–3 times; elsewhere not.
    #[default]
    Auto,
    /// Wherever the adapter has them.
    On,
    /// Nowhere.
    Off,
}

/// How to open the GPU.
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct GpuOptions {
    /// Number of the adapter, or part of its name; the system's choice where absent. The
    /// environment variable `WGPU_BACKEND` (vulkan, metal, dx12) narrows the choice before.
    pub adapter: Option<String>,
    /// Whether pair passes use subgroup operations.
    pub subgroups: Subgroups,
    /// Workgroups per dimension, where fewer than the device allows are wanted (tests fold small
    /// dispatches with it).
    pub max_workgroups: Option<u32>,
}

/// What `meniscus info` says of an adapter.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AdapterSummary {
    /// Its number, for `--adapter`.
    pub index: usize,
    /// Name, backend, driver.
    pub info: wgpu::AdapterInfo,
    /// Whether passes can be timed.
    pub timestamps: bool,
    /// Whether it has subgroup operations.
    pub subgroups: bool,
    /// Its limits.
    pub limits: wgpu::Limits,
    /// Why meniscus cannot use it, if so.
    pub refusal: Option<String>,
}

/// An open device with its compiled passes. Cloning shares it.
#[derive(Clone)]
pub struct Gpu {
    inner: Arc<Inner>,
}

struct Inner {
    adapter: wgpu::Adapter,
    info: wgpu::AdapterInfo,
    device: wgpu::Device,
    queue: wgpu::Queue,
    subgroups: bool,
    max_workgroups: u32,
    error: Arc<Mutex<Option<String>>>,
    /// Group 0 with Control as a uniform, and as storage.
    common_layouts: [wgpu::BindGroupLayout; 2],
    passes: Mutex<HashMap<String, Arc<CompiledPass>>>,
}

/// A pass ready to be bound.
#[derive(Debug)]
pub(crate) struct CompiledPass {
    pub(crate) pipeline: wgpu::ComputePipeline,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) reflection: Reflection,
}

/// Bytes of the stage's own uniform.
pub(crate) const STAGE_BYTES: u64 = 32;

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("adapter", &self.inner.info.name).finish_non_exhaustive()
    }
}

fn instance() -> wgpu::Instance {
    wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env())
}

fn backends() -> wgpu::Backends {
    wgpu::Backends::from_env().unwrap_or(wgpu::Backends::all())
}

/// What is asked of a device: WebGPU's default limits, but buffers as large as the adapter has.
fn wanted_limits(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let has = adapter.limits();
    wgpu::Limits {
        max_buffer_size: has.max_buffer_size,
        max_storage_buffer_binding_size: has.max_storage_buffer_binding_size,
        ..wgpu::Limits::default()
    }
}

fn refusal(adapter: &wgpu::Adapter) -> Option<String> {
    let mut missing = Vec::new();
    wanted_limits(adapter).check_limits_with_fail_fn(
        &adapter.limits(),
        false,
        |name, wanted, has| {
            missing.push(format!("{name} is {has}, {wanted} needed"));
        },
    );
    let flags = adapter.get_downlevel_capabilities().flags;
    if !flags.contains(wgpu::DownlevelFlags::COMPUTE_SHADERS) {
        missing.push("it has no compute shaders".into());
    }
    let name = adapter.get_info().name;
    (!missing.is_empty())
        .then(|| format!("adapter {name} cannot run meniscus: {}", missing.join("; ")))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    /// Every adapter of the system, in the order of the numbers that `--adapter` takes.
    pub async fn adapters() -> Vec<AdapterSummary> {
        let adapters = instance().enumerate_adapters(backends()).await;
        let summary = |(index, adapter): (usize, &wgpu::Adapter)| AdapterSummary {
            index,
            info: adapter.get_info(),
            timestamps: adapter.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            subgroups: adapter.features().contains(wgpu::Features::SUBGROUP),
            limits: adapter.limits(),
            refusal: refusal(adapter),
        };
        adapters.iter().enumerate().map(summary).collect()
    }

    /// Opens a device.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] where there is none (of that name), [`Error::Unsuitable`] with the
    /// numbers where its limits do not suffice.
    pub async fn new(options: &GpuOptions) -> Result<Self, Error> {
        Self::for_surface(&instance(), None, options).await
    }

    /// Opens a device that can present on a surface of the caller's instance.
    ///
    /// # Errors
    /// As [`Gpu::new`]; [`Error::Unsuitable`] where the adapter of that name cannot present there.
    pub async fn for_surface(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        options: &GpuOptions,
    ) -> Result<Self, Error> {
        let adapter = match &options.adapter {
            Some(wanted) => choose(instance.enumerate_adapters(backends()).await, wanted)?,
            None => instance
                .request_adapter(&wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::HighPerformance,
                    compatible_surface: surface,
                    ..Default::default()
                })
                .await
                .map_err(|error| Error::NoAdapter(format!("no GPU adapter was found ({error})")))?,
        };
        if let Some(refusal) = refusal(&adapter) {
            return Err(Error::Unsuitable(refusal));
        }
        let info = adapter.get_info();
        if surface.is_some_and(|surface| !adapter.is_surface_supported(surface)) {
            let text = format!("adapter {} cannot draw in this window", info.name);
            return Err(Error::Unsuitable(text));
        }
        let has = adapter.features();
        let subgroups = has.contains(wgpu::Features::SUBGROUP)
            && info.subgroup_min_size == 8
            && info.subgroup_max_size == 8
            && match options.subgroups {
                Subgroups::Auto => info.device_type == wgpu::DeviceType::Cpu,
                Subgroups::On => true,
                Subgroups::Off => false,
            };
        let mut features = has & wgpu::Features::TIMESTAMP_QUERY;
        features.set(wgpu::Features::SUBGROUP, subgroups);
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("meniscus"),
            required_features: features,
            required_limits: wanted_limits(&adapter),
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
            Error::Unsuitable(format!("adapter {} gave no device: {error}", info.name))
        })?;

        // The first error is the cause; what follows from it is noise.
        let error = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&error);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&slot).get_or_insert_with(|| error.to_string());
        }));
        let slot = Arc::clone(&error);
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                lock(&slot).get_or_insert_with(|| format!("device lost: {message}"));
            }
        });
        let limit = device.limits().max_compute_workgroups_per_dimension;
        let common_layouts = [true, false].map(|uniform| common_layout(&device, uniform));
        let inner = Inner {
            adapter,
            info,
            device,
            queue,
            subgroups,
            max_workgroups: options.max_workgroups.map_or(limit, |wanted| wanted.clamp(1, limit)),
            error,
            common_layouts,
            passes: Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Name, backend and driver of the adapter.
    #[must_use]
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.inner.info
    }

    /// The wgpu adapter, which knows what surfaces can be configured to.
    #[must_use]
    pub fn adapter(&self) -> &wgpu::Adapter {
        &self.inner.adapter
    }

    /// The wgpu device.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.inner.device
    }

    /// The wgpu queue.
    #[must_use]
    pub fn queue(&self) -> &wgpu::Queue {
        &self.inner.queue
    }

    /// Whether passes can be timed.
    #[must_use]
    pub fn has_timestamps(&self) -> bool {
        self.device().features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Whether pair passes use subgroup operations here.
    #[must_use]
    pub fn uses_subgroups(&self) -> bool {
        self.inner.subgroups
    }

    pub(crate) fn max_workgroups(&self) -> u32 {
        self.inner.max_workgroups
    }

    pub(crate) fn common_layout(&self, writes_control: bool) -> &wgpu::BindGroupLayout {
        &self.inner.common_layouts[usize::from(writes_control)]
    }

    /// The first error that the device reported, if any.
    ///
    /// # Errors
    /// [`Error::Device`] once the device was lost or refused a command.
    pub fn check(&self) -> Result<(), Error> {
        lock(&self.inner.error).clone().map_or(Ok(()), |message| Err(Error::Device(message)))
    }

    /// Compiles a pass, or finds it compiled: every simulation on this device shares it.
    pub(crate) fn compile(&self, composed: &Composed) -> Result<Arc<CompiledPass>, Error> {
        if let Some(found) = lock(&self.inner.passes).get(&composed.wgsl) {
            return Ok(Arc::clone(found));
        }
        let reflection = Reflection::of(composed, &composed.parse()?)?;
        let device = self.device();
        let storage = |binding: &crate::shaders::Binding| wgpu::BindGroupLayoutEntry {
            binding: binding.index,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: binding.read_only },
                has_dynamic_offset: false,
                min_binding_size: None,
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
            source: wgpu::ShaderSource::Wgsl(composed.wgsl.as_str().into()),
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
        self.check()?;
        let pass = Arc::new(CompiledPass { pipeline, layout, reflection });
        lock(&self.inner.passes).insert(composed.wgsl.clone(), Arc::clone(&pass));
        Ok(pass)
    }

    /// Reads whole buffers back, in one submission where they fit one staging buffer.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read(&self, buffers: &[&wgpu::Buffer]) -> Result<Vec<Vec<u8>>, Error> {
        let whole: Vec<_> = buffers.iter().map(|buffer| (*buffer, buffer.size())).collect();
        self.read_starts(&whole).await
    }

    /// Reads the first so many bytes of buffers, a multiple of 4 each.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read_starts(&self, parts: &[(&wgpu::Buffer, u64)]) -> Result<Vec<Vec<u8>>, Error> {
        let total: u64 = parts.iter().map(|(_, bytes)| bytes).sum();
        if total <= self.device().limits().max_buffer_size {
            return self.read_at_once(parts, total).await;
        }
        let mut read = Vec::new();
        for part in parts {
            read.extend(self.read_at_once(&[*part], part.1).await?);
        }
        Ok(read)
    }

    async fn read_at_once(
        &self,
        parts: &[(&wgpu::Buffer, u64)],
        total: u64,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let staging = self.device().create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: total.max(4),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = self.device().create_command_encoder(&Default::default());
        let mut offset = 0;
        for (buffer, size) in parts.iter().filter(|(_, size)| *size > 0) {
            encoder.copy_buffer_to_buffer(buffer, 0, &staging, offset, *size);
            offset += size;
        }
        self.queue().submit([encoder.finish()]);
        self.map(&staging).await?;
        let view = staging.slice(..).get_mapped_range();
        let view = view.map_err(|error| Error::Device(error.to_string()))?;
        let mut bytes: &[u8] = &view;
        let mut split = |(_, size): &(&wgpu::Buffer, u64)| {
            let (part, rest) = bytes.split_at(*size as usize);
            bytes = rest;
            part.to_vec()
        };
        Ok(parts.iter().map(&mut split).collect())
    }

    async fn map(&self, buffer: &wgpu::Buffer) -> Result<(), Error> {
        type Slot = (Option<Result<(), wgpu::BufferAsyncError>>, Option<Waker>);
        let slot: Arc<Mutex<Slot>> = Arc::default();
        let writer = Arc::clone(&slot);
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            let mut slot = lock(&writer);
            slot.0 = Some(result);
            if let Some(waker) = slot.1.take() {
                waker.wake();
            }
        });
        poll_fn(|context| {
            // Outside the browser somebody must poll the device. A waiting program does it better
            // by blocking on it between polls of this future, as the command does.
            if let Err(error) = self.device().poll(wgpu::PollType::Poll) {
                return Poll::Ready(Err(Error::Device(error.to_string())));
            }
            self.check()?;
            let mut slot = lock(&slot);
            match slot.0.take() {
                Some(result) => Poll::Ready(result.map_err(|e| Error::Device(e.to_string()))),
                None => {
                    slot.1 = Some(context.waker().clone());
                    if cfg!(not(target_arch = "wasm32")) {
                        context.waker().wake_by_ref();
                    }
                    Poll::Pending
                }
            }
        })
        .await
    }
}

fn choose(adapters: Vec<wgpu::Adapter>, wanted: &str) -> Result<wgpu::Adapter, Error> {
    let names: Vec<_> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
    let found = match wanted.parse::<usize>() {
        Ok(index) => Some(index),
        Err(_) => {
            names.iter().position(|name| name.to_lowercase().contains(&wanted.to_lowercase()))
        }
    };
    let list: Vec<_> = names.iter().enumerate().map(|(i, name)| format!("{i}: {name}")).collect();
    let list = if list.is_empty() { "none".to_owned() } else { list.join(", ") };
    found.and_then(|index| adapters.into_iter().nth(index)).ok_or_else(|| {
        Error::NoAdapter(format!(
            "no GPU adapter is called or numbered `{wanted}`; there is {list}"
        ))
    })
}

fn common_layout(device: &wgpu::Device, control_uniform: bool) -> wgpu::BindGroupLayout {
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
