//! Opening the GPU.

use meniscus::{Gpu, GpuOptions, blocking};

use crate::{Failure, arguments};

/// Advice for a machine without an adapter.
pub(crate) const HOW_TO_GET_ONE: &str = "install your GPU's Vulkan driver, or Mesa's software \
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

/// Error for a machine without an adapter.
pub(crate) fn none() -> Failure {
    Failure::NoAdapter(format!("no GPU adapter was found; {HOW_TO_GET_ONE}"))
}
