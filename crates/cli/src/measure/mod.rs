//! Measurement of steps and extractions, pass by pass, for `profile` and `bench`.

mod heat;
mod measurement;
mod neighbours;
mod statistics;

use meniscus::Gpu;
use serde::{Deserialize, Serialize};

pub(crate) use measurement::{Effort, Measurement};
pub(crate) use statistics::{Pass, Spread, Statistics, SurfaceStatistics};

/// Adapter and driver that the passes ran on.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct Device {
    pub(crate) adapter: String,
    /// Driver and its version.
    pub(crate) driver: String,
}

impl Device {
    pub(crate) fn of(gpu: &Gpu) -> Self {
        let info = gpu.info();
        let driver = format!("{} {}", info.driver, info.driver_info).trim().to_owned();
        Self { adapter: info.name.clone(), driver }
    }
}
