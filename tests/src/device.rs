//! The GPU that tests share, so that adapters are opened and shaders compiled once.

use std::{
    future::Future,
    pin::pin,
    sync::OnceLock,
    task::{Context, Poll, Waker},
};

use meniscus::{Gpu, GpuOptions, Subgroups};

/// How the pair passes and dispatches of a test device are varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "tests match on it")]
pub enum Flavour {
    /// As users get it.
    Default,
    /// Without subgroup operations, and with few workgroups per dimension, so that small
    /// dispatches fold into two.
    PlainFolded,
}

/// The shared device, or `None` (with a message) where `MENISCUS_GPU` allows there to be none:
/// `require` (what `cargo verify` sets) fails without an adapter, `auto` skips, `off` always skips.
pub fn gpu(flavour: Flavour) -> Option<&'static Gpu> {
    static DEFAULT: OnceLock<Option<Gpu>> = OnceLock::new();
    static FOLDED: OnceLock<Option<Gpu>> = OnceLock::new();
    let (slot, options) = match flavour {
        Flavour::Default => (&DEFAULT, GpuOptions::default()),
        Flavour::PlainFolded => {
            let options = GpuOptions {
                subgroups: Subgroups::Off,
                max_workgroups: Some(17),
                ..GpuOptions::default()
            };
            (&FOLDED, options)
        }
    };
    slot.get_or_init(|| open(&options)).as_ref()
}

fn open(options: &GpuOptions) -> Option<Gpu> {
    let mode = std::env::var("MENISCUS_GPU").unwrap_or_else(|_| "auto".into());
    if mode == "off" {
        eprintln!("SKIPPED: MENISCUS_GPU=off, tests that need a GPU prove nothing");
        return None;
    }
    match pollster::block_on(Gpu::new(options)) {
        Ok(gpu) => {
            eprintln!("tests run on {} ({:?})", gpu.info().name, gpu.info().backend);
            Some(gpu)
        }
        Err(error) if mode == "require" => panic!("MENISCUS_GPU=require, but {error}"),
        Err(error) => {
            eprintln!("SKIPPED: {error}; tests that need a GPU prove nothing");
            None
        }
    }
}

/// Waits for a future that waits for the device: blocks on the device between polls, since
/// spinning would take cores from software Vulkan.
pub fn block_on<T>(gpu: &Gpu, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        let waited = gpu.device().poll(wgpu::PollType::wait_indefinitely());
        waited.expect("the device answers");
    }
}
