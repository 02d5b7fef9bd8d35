//! Read-backs on their way.

use web_time::Instant;

use crate::{Error, Gpu, device::Arrival};

/// Bytes of two timestamps.
pub(super) const STAMPS: u64 = 16;

/// Buffers of one read-back.
#[derive(Debug)]
pub(super) struct Slot {
    pub(super) buffer: wgpu::Buffer,
    pub(super) stamps: Option<(wgpu::QuerySet, wgpu::Buffer)>,
}

/// A recording whose results have not come.
#[derive(Debug)]
pub(super) struct Flight {
    pub(super) slot: Slot,
    /// Its number among all recordings, from 1 on.
    pub(super) number: u64,
    pub(super) parts: Vec<(&'static str, u64)>,
    pub(super) steps: u32,
    /// Whether the slot has the time that they took.
    pub(super) is_stamped: bool,
    pub(super) begin: Instant,
    pub(super) arrival: Arrival,
}

impl Slot {
    pub(super) fn new(gpu: &Gpu, size: u64) -> Result<Self, Error> {
        let buffer = |label, size, usage| {
            let usage = usage | wgpu::BufferUsages::COPY_DST;
            let descriptor = wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            };
            gpu.device().create_buffer(&descriptor)
        };
        let stamps = gpu.has_timestamps().then(|| {
            let queries = gpu.device().create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("time of steps"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            });
            let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
            (queries, buffer("time of steps", STAMPS, usage))
        });
        let buffer = buffer("progress", size, wgpu::BufferUsages::MAP_READ);
        // A lost device makes none, and says so where the program submits the commands: to its handler.
        gpu.probe();
        gpu.sound()?;
        Ok(Self { buffer, stamps })
    }
}
