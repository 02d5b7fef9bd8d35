//! Opening a device with exactly the features and limits that are used, or using that of another program.

mod adapters;
mod pipelines;
mod read_back;
mod scopes;

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::Error;

pub use adapters::AdapterSummary;
use adapters::{
    WITH_BOUNDS, backends, choose, instance, lacking, refusal, wanted_features, wanted_limits,
};
pub(crate) use pipelines::CompiledPass;
use pipelines::common_layout;
pub(crate) use read_back::{Answer, Arrival};
use scopes::Pending;

/// Whether pair passes use subgroup operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Subgroups {
    /// On software adapters with subgroups, where they are 2 to 3 times faster; not elsewhere.
    #[default]
    Auto,
    /// On all adapters with subgroups.
    On,
    /// Never.
    Off,
}

/// Options of [`Gpu::new`].
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct GpuOptions {
    /// Number of the adapter, `pci:` and its address (`pci:0000:65:00.0`), or part of its name; the system's choice if absent. The environment
    /// variable `WGPU_BACKEND` (vulkan, metal, dx12) restricts the choice.
    pub adapter: Option<String>,
    /// Whether pair passes use subgroup operations.
    pub subgroups: Subgroups,
    /// Limit on workgroups per dimension below the device's own (tests fold small dispatches with
    /// it).
    pub max_workgroups: Option<u32>,
}

/// Open device with its compiled passes. Clones share it.
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
    bounds_in_storage: bool,
    max_workgroups: u32,
    /// An error of a call that returns none.
    error: Mutex<Option<Error>>,
    /// First error that the handler of a device opened here got: of others who use the device.
    uncaptured: Arc<Mutex<Option<String>>>,
    /// Why the device was lost.
    lost: Arc<Mutex<Option<String>>>,
    /// Group 0 with Control as a uniform, and as storage.
    common_layouts: [wgpu::BindGroupLayout; 2],
    passes: Mutex<HashMap<String, Arc<CompiledPass>>>,
    /// Error scopes of passes that have no result yet.
    pending: Mutex<Vec<Pending>>,
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("adapter", &self.inner.info.name).finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gpu {
    /// Opens a device.
    ///
    /// # Errors
    /// [`Error::NoAdapter`] if there is none (of that name), [`Error::Unsuitable`] with the numbers
    /// if its limits are insufficient.
    pub async fn new(options: &GpuOptions) -> Result<Self, Error> {
        Self::for_surface(&instance(), None, options).await
    }

    /// Opens a device that can present to a surface of the caller's instance.
    ///
    /// # Errors
    /// As [`Gpu::new`]; [`Error::Unsuitable`] if the adapter of that name cannot present there.
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
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("meniscus"),
            required_features: wanted_features(&adapter, options.subgroups),
            required_limits: wanted_limits(&adapter),
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.map_err(|error| {
            Error::Unsuitable(format!("adapter {} gave no device: {error}", info.name))
        })?;

        let gpu = Self::with(adapter, device, queue, options);
        // Without a handler wgpu ends the program. Keep the first error; later ones follow from it.
        let slot = Arc::clone(&gpu.inner.uncaptured);
        gpu.device().on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&slot).get_or_insert_with(|| error.to_string());
        }));
        let slot = Arc::clone(&gpu.inner.lost);
        gpu.device().set_device_lost_callback(move |reason, message| {
            let reason = match reason {
                wgpu::DeviceLostReason::Destroyed => "the program destroyed it",
                wgpu::DeviceLostReason::Unknown => "its driver ended it",
            };
            let said = if message.is_empty() { String::new() } else { format!(": {message}") };
            lock(&slot).get_or_insert_with(|| format!("{reason}{said}"));
        });
        Ok(gpu)
    }

    /// Features and limits that a program should ask an adapter for, besides its own, when it opens the device that
    /// [`Gpu::from_wgpu`] shall use. The features are optional: `TIMESTAMP_QUERY` times steps and passes, `SUBGROUP` makes software
    /// adapters 2 to 3 times faster. Of the limits, those of buffers decide how many particles fit.
    #[must_use]
    pub fn required(adapter: &wgpu::Adapter) -> (wgpu::Features, wgpu::Limits) {
        (wanted_features(adapter, Subgroups::Auto), wanted_limits(adapter))
    }

    /// Uses the device of another program. It installs no handler there: errors of its own calls are caught by error scopes round
    /// them, and the program's handlers get what the program did. Ask for [`Gpu::required`] when opening the device.
    ///
    /// # Errors
    /// [`Error::Unsuitable`] with every limit that the device lacks.
    pub fn from_wgpu(
        adapter: &wgpu::Adapter,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Result<Self, Error> {
        if let Some(lacks) = lacking(adapter, device) {
            return Err(Error::Unsuitable(lacks));
        }
        let (adapter, device, queue) = (adapter.clone(), device.clone(), queue.clone());
        let gpu = Self::with(adapter, device, queue, &GpuOptions::default());
        gpu.probe();
        gpu.sound()?;
        Ok(gpu)
    }

    fn with(
        adapter: wgpu::Adapter,
        device: wgpu::Device,
        queue: wgpu::Queue,
        options: &GpuOptions,
    ) -> Self {
        let limit = device.limits().max_compute_workgroups_per_dimension;
        // A device has features for other reasons, too.
        let subgroups = (device.features() & wanted_features(&adapter, options.subgroups))
            .contains(wgpu::Features::SUBGROUP);
        let info = adapter.get_info();
        let bounds_in_storage = info.device_type == wgpu::DeviceType::Cpu
            && device.limits().max_storage_buffers_per_shader_stage >= WITH_BOUNDS;
        let common_layouts =
            [true, false].map(|uniform| common_layout(&device, uniform, bounds_in_storage));
        let inner = Inner {
            info,
            adapter,
            device,
            queue,
            subgroups,
            bounds_in_storage,
            max_workgroups: options.max_workgroups.map_or(limit, |wanted| wanted.clamp(1, limit)),
            error: Mutex::default(),
            uncaptured: Arc::default(),
            lost: Arc::default(),
            common_layouts,
            passes: Mutex::default(),
            pending: Mutex::default(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Name, backend and driver of the adapter.
    #[must_use]
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.inner.info
    }

    /// Adapter of wgpu, for configuring a window's surface.
    #[must_use]
    pub fn adapter(&self) -> &wgpu::Adapter {
        &self.inner.adapter
    }

    /// Device of wgpu.
    #[must_use]
    pub fn device(&self) -> &wgpu::Device {
        &self.inner.device
    }

    /// Queue of wgpu.
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

    /// Whether passes read bounds of loops from a storage buffer ([`Composed::for_device`](crate::shaders::Composed::for_device)).
    pub(crate) fn bounds_in_storage(&self) -> bool {
        self.inner.bounds_in_storage
    }

    pub(crate) fn max_workgroups(&self) -> u32 {
        self.inner.max_workgroups
    }

    pub(crate) fn common_layout(&self, writes_control: bool) -> &wgpu::BindGroupLayout {
        &self.inner.common_layouts[usize::from(writes_control)]
    }

    /// What is wrong with the device: that it was lost, an error of a call of meniscus that has not been told yet, or the first
    /// error of others on a device that [`Gpu::new`] opened. Errors of others do not end simulations.
    ///
    /// # Errors
    /// [`Error::DeviceLost`] once the device is gone, [`Error::Device`].
    pub fn check(&self) -> Result<(), Error> {
        self.sound()?;
        let uncaptured = lock(&self.inner.uncaptured).clone();
        uncaptured.map_or(Ok(()), |message| Err(Error::Device(message)))
    }

    /// Like [`Gpu::check`], without errors of others.
    pub(crate) fn sound(&self) -> Result<(), Error> {
        // What fails after a loss follows from it.
        if let Some(reason) = lock(&self.inner.lost).clone() {
            return Err(Error::DeviceLost(reason));
        }
        self.late_error()?;
        lock(&self.inner.error).take().map_or(Ok(()), Err)
    }

    /// The error of something that the device did not do: that it was lost, if so.
    pub(crate) fn failed(&self, error: impl fmt::Display) -> Error {
        // The loss is told when the device is polled.
        let _ = self.device().poll(wgpu::PollType::Poll);
        self.probe();
        self.sound().err().unwrap_or_else(|| Error::Device(error.to_string()))
    }

    /// Finds out whether a device was lost whose callback is another program's: then buffers cannot be made any more, and without
    /// an error in a scope. (In a browser they can.)
    pub(crate) fn probe(&self) {
        let buffer = self.caught(|| {
            self.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("probe"),
                size: 4,
                usage: wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: true,
            })
        });
        if buffer.is_ok_and(|buffer| buffer.slice(..).get_mapped_range().is_err()) {
            let reason = || "it does nothing any more".to_owned();
            lock(&self.inner.lost).get_or_insert_with(reason);
        }
    }
}
