//! Meniscus in another program: on its device, beside its own errors, in its frames.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU32, Ordering},
};

use conformance::{
    device::{Flavour, block_on, gpu},
    scenes::{dam, start, state},
};
use meniscus::{Error, Gpu, Simulation, wgpu};

/// A program with a device of its own.
struct Host {
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// What its handler has got.
    errors: Arc<Mutex<Vec<String>>>,
    /// How often it was told that the device is lost.
    losses: Arc<AtomicU32>,
}

impl Host {
    /// With these limits in place of those that meniscus asks for.
    fn open(adapter: &wgpu::Adapter, limits: impl FnOnce(wgpu::Limits) -> wgpu::Limits) -> Self {
        let (required_features, required_limits) = Gpu::required(adapter);
        let descriptor = wgpu::DeviceDescriptor {
            required_features,
            required_limits: limits(required_limits),
            ..Default::default()
        };
        let device = pollster::block_on(adapter.request_device(&descriptor));
        let (device, queue) = device.expect("a second device of the adapter");
        let (errors, losses) = (Arc::<Mutex<Vec<String>>>::default(), Arc::<AtomicU32>::default());
        let slot = Arc::clone(&errors);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            slot.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }));
        let slot = Arc::clone(&losses);
        device.set_device_lost_callback(move |_, _| {
            slot.fetch_add(1, Ordering::Relaxed);
        });
        Self { device, queue, errors, losses }
    }

    fn gpu(&self, adapter: &wgpu::Adapter) -> Gpu {
        Gpu::from_wgpu(adapter, &self.device, &self.queue).expect("what it required")
    }

    /// A call that no device takes: a buffer cannot be mapped for both.
    fn bad_call(&self) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("the interface's"),
            size: 16,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE,
            mapped_at_creation: false,
        })
    }

    fn errors(&self) -> usize {
        self.errors.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

#[test]
fn errors_go_to_whom_they_belong() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let mut alone = start(own, &dam());
    block_on(own, alone.run_until(0.04)).unwrap();

    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = &host.gpu(own.adapter());
    let mut simulation = start(gpu, &dam());
    block_on(gpu, simulation.run_until(0.02)).unwrap();
    assert_eq!(host.errors(), 0);
    let _ = host.bad_call();
    assert_eq!(host.errors(), 1, "the program's error is the program's");
    let error = gpu.caught(|| host.bad_call()).expect_err("a call of meniscus");
    assert!(matches!(error, Error::Device(_)), "{error}");
    assert_eq!(host.errors(), 1, "an error of meniscus is none of the program's");
    block_on(gpu, simulation.run_until(0.04)).unwrap();
    assert!(state(gpu, &simulation) == state(own, &alone), "another device has other bits");
    assert!(gpu.check().is_ok() && host.errors() == 1);
}

#[test]
fn an_error_of_others_does_not_end_a_simulation_on_a_device_of_meniscus() {
    if gpu(Flavour::Default).is_none() {
        return;
    }
    let gpu = &meniscus::blocking::open(&meniscus::GpuOptions::default()).expect("a device");
    let mut simulation = start(gpu, &dam());
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE;
    let bad = wgpu::BufferDescriptor { label: None, size: 16, usage, mapped_at_creation: false };
    let _ = gpu.device().create_buffer(&bad);
    block_on(gpu, simulation.next_frame()).unwrap();
    let error = gpu.check().expect_err("it is told to who asks");
    assert!(matches!(error, Error::Device(_)), "{error}");
}

#[test]
fn a_device_that_lacks_something_is_told_what() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let host = Host::open(own.adapter(), |limits| wgpu::Limits {
        max_storage_buffers_per_shader_stage: 5,
        max_compute_invocations_per_workgroup: 128,
        max_compute_workgroup_size_x: 128,
        max_color_attachments: 1,
        ..limits
    });
    let error = Gpu::from_wgpu(own.adapter(), &host.device, &host.queue).expect_err("too little");
    assert!(matches!(error, Error::Unsuitable(_)));
    let text = error.to_string();
    for lack in [
        "max_storage_buffers_per_shader_stage is 5, 8 needed",
        "max_compute_invocations_per_workgroup is 128, 256 needed",
        "max_compute_workgroup_size_x is 128, 256 needed",
    ] {
        assert!(text.contains(lack), "{text}");
    }
    assert!(!text.contains("max_color_attachments"), "it draws nothing: {text}");
}

#[test]
fn a_run_goes_on_with_the_same_bits_on_another_device() {
    let Some(own) = gpu(Flavour::Default) else { return };
    let mut whole = start(own, &dam());
    block_on(own, whole.run_until(0.04)).unwrap();

    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = host.gpu(own.adapter());
    let mut simulation = start(&gpu, &dam());
    block_on(&gpu, simulation.run_until(0.02)).unwrap();
    let kept = state(&gpu, &simulation);
    host.device.destroy();
    for _ in 0..2 {
        let error = block_on(&gpu, simulation.next_frame()).expect_err("it is gone");
        assert!(matches!(error, Error::DeviceLost(_)), "{error}");
    }
    assert_eq!(host.losses.load(Ordering::Relaxed), 1, "the program's callback is the program's");
    assert_eq!(host.errors(), 0);
    let lost = Gpu::from_wgpu(own.adapter(), &host.device, &host.queue).expect_err("it is gone");
    assert!(matches!(lost, Error::DeviceLost(_)), "{lost}");

    let host = Host::open(own.adapter(), |limits| limits);
    let gpu = host.gpu(own.adapter());
    let resumed = block_on(&gpu, Simulation::resume(&gpu, &dam(), &kept));
    let mut resumed = resumed.unwrap_or_else(|error| panic!("{error}"));
    block_on(&gpu, resumed.run_until(0.04)).unwrap();
    assert!(state(&gpu, &resumed) == state(own, &whole));
}
