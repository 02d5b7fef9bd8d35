//! Opening the GPU.

use std::io::{self, IsTerminal};

use meniscus::{Gpu, GpuOptions, blocking};

use crate::{Failure, arguments, terminal};

/// Advice for a machine without an adapter.
pub const HOW_TO_GET_ONE: &str = "install your GPU's Vulkan driver, or Mesa's software \
    Vulkan: apt-get install mesa-vulkan-drivers (Debian, Ubuntu), dnf install mesa-vulkan-drivers \
    (Fedora), pacman -S vulkan-swrast (Arch), apk add mesa-vulkan-swrast (Alpine); macOS and \
    Windows bring theirs with the system";

/// Opens the requested adapter, or the system's default.
pub(crate) fn open(arguments: &arguments::Device) -> Result<Gpu, Failure> {
    let options = GpuOptions {
        adapter: arguments.adapter.clone(),
        subgroups: arguments.subgroups.into(),
        ..GpuOptions::default()
    };
    blocking::open(&options).map_err(|error| match Failure::from(error) {
        Failure::NoAdapter(_) if blocking::adapters().is_empty() => none(),
        Failure::NoAdapter(text) => Failure::NoAdapter(text + "; see `meniscus info`"),
        failure => failure,
    })
}

/// Tells a user at a terminal what to expect of a software adapter.
pub(crate) fn announce(gpu: &Gpu, quiet: bool) {
    let info = gpu.info();
    if info.device_type == wgpu::DeviceType::Cpu && !quiet && io::stderr().is_terminal() {
        // docs/performance.md has the measurements.
        terminal::note(&format!(
            "{} is software: on two cores, expect a second for a step of 4 million particles by WCSPH, or of a few \
             hundred thousand by an iterated pressure; a larger --set particle_radius=… takes less",
            info.name
        ));
    }
}

/// Error for a machine without an adapter.
pub(crate) fn none() -> Failure {
    Failure::NoAdapter(format!("no GPU adapter was found; {HOW_TO_GET_ONE}"))
}
