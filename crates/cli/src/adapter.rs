//! Opening the GPU, and what to say where there is none.

use meniscus::{Gpu, GpuOptions, blocking};

use crate::{Failure, arguments};

/// How to get an adapter on a machine without one.
pub(crate) const HOW_TO_GET_ONE: &str = "install your GPU's Vulkan driver, or Mesa's software \
    Vulkan: apt-get install mesa-vulkan-drivers (Debian, Ubuntu), dnf install mesa-vulkan-drivers \
    (Fedora), pacman -S vulkan-swrast (Arch), apk add mesa-vulkan-swrast (Alpine); macOS and \
    Windows bring theirs with the system";

/// Opens the adapter that was asked for, or the system's choice.
pub(crate) fn open(arguments: &arguments::Scene) -> Result<Gpu, Failure> {
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

/// The machine has no adapter at all.
pub(crate) fn none() -> Failure {
    Failure::NoAdapter(format!("no GPU adapter was found; {HOW_TO_GET_ONE}"))
}
