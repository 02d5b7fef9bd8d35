//! Opening a device with exactly the features and limits that are used.

mod adapters;
mod pipelines;
mod read_back;

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::Error;

pub use adapters::AdapterSummary;
use adapters::{backends, choose, instance, refusal, wanted_limits};
pub(crate) use pipelines::CompiledPass;
use pipelines::{Pending, common_layout};

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
    max_workgroups: u32,
    error: Arc<Mutex<Option<String>>>,
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

        // Keep the first error; later ones follow from it.
        let error = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&error);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            lock(&slot).get_or_insert_with(|| error.to_string());
        }));
        let lost = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            let reason = match reason {
                wgpu::DeviceLostReason::Destroyed => "the program destroyed it",
                wgpu::DeviceLostReason::Unknown => "its driver ended it",
            };
            let said = if message.is_empty() { String::new() } else { format!(": {message}") };
            lock(&slot).get_or_insert_with(|| format!("{reason}{said}"));
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
            lost,
            common_layouts,
            passes: Mutex::default(),
            pending: Mutex::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
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

    pub(crate) fn max_workgroups(&self) -> u32 {
        self.inner.max_workgroups
    }

    pub(crate) fn common_layout(&self, writes_control: bool) -> &wgpu::BindGroupLayout {
        &self.inner.common_layouts[usize::from(writes_control)]
    }

    /// First error that the device has reported, except those of [`Gpu::compiled`].
    ///
    /// # Errors
    /// [`Error::Lost`] once the device is gone, [`Error::Device`] once it has rejected a command.
    pub fn check(&self) -> Result<(), Error> {
        // What fails after a loss follows from it.
        if let Some(reason) = lock(&self.inner.lost).clone() {
            return Err(Error::Lost(reason));
        }
        lock(&self.inner.error).clone().map_or(Ok(()), |message| Err(Error::Device(message)))
    }

    /// The error of something that the device did not do: that it was lost, if so.
    pub(crate) fn failed(&self, error: impl fmt::Display) -> Error {
        // The loss is told when the device is polled.
        let _ = self.device().poll(wgpu::PollType::Poll);
        self.check().err().unwrap_or_else(|| Error::Device(error.to_string()))
    }
}
