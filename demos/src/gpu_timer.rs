//! GPU time of drawing a picture, from two timestamps.
//!
//! The basic `TIMESTAMP_QUERY` feature writes timestamps only at the ends of passes, so an empty
//! pass before and one after the picture write them. Results arrive a few pictures later.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use meniscus::Gpu;

/// Most pictures whose times may be pending at once.
const SLOTS: usize = 3;

const FREE: u8 = 0;
const RECORDED: u8 = 1;
const READY: u8 = 2;

/// Start and end of drawing a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drawing {
    /// Start in s on the device's clock.
    pub(crate) start: f64,
    /// End in s on the device's clock.
    pub(crate) end: f64,
    /// Whether the fluid was redrawn, rather than only the interface.
    pub(crate) water: bool,
}

/// Timer of pictures, for devices that have timestamps.
#[derive(Debug)]
pub(crate) struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    slots: Vec<Slot>,
    recording: Option<usize>,
    /// Whether each pending picture redraws the fluid.
    kinds: Vec<bool>,
    period: f64,
}

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
}

impl GpuTimer {
    pub(crate) fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.has_timestamps() {
            return None;
        }
        let device = gpu.device();
        let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("pictures"),
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let buffer = |label, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: 16,
                usage,
                mapped_at_creation: false,
            })
        };
        let slot = |_| Slot {
            buffer: buffer(
                "picture times",
                wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            ),
            state: Arc::default(),
        };
        let usage = wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC;
        Some(Self {
            queries,
            resolved: buffer("picture timestamps", usage),
            slots: (0..SLOTS).map(slot).collect(),
            recording: None,
            kinds: vec![false; SLOTS],
            period: f64::from(gpu.queue().get_timestamp_period()) * 1e-9,
        })
    }

    /// Records the start, before the first pass of a picture.
    pub(crate) fn begin(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let free = |slot: &Slot| slot.state.load(Ordering::Acquire) == FREE;
        self.recording = self.slots.iter().position(free);
        if self.recording.is_some() {
            self.stamp(encoder, Some(0), None);
        }
    }

    /// Records the end, after the last pass of a picture; `water` tells whether the fluid was
    /// redrawn.
    pub(crate) fn end(&mut self, encoder: &mut wgpu::CommandEncoder, water: bool) {
        let Some(number) = self.recording else { return };
        self.kinds[number] = water;
        let slot = &self.slots[number];
        self.stamp(encoder, None, Some(1));
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &slot.buffer, 0, 16);
        slot.state.store(RECORDED, Ordering::Release);
    }

    fn stamp(&self, encoder: &mut wgpu::CommandEncoder, start: Option<u32>, end: Option<u32>) {
        drop(encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("timestamp"),
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set: &self.queries,
                beginning_of_pass_write_index: start,
                end_of_pass_write_index: end,
            }),
        }));
    }

    /// Requests the result, after the submission.
    pub(crate) fn submitted(&mut self) {
        let Some(slot) = self.recording.take().map(|slot| &self.slots[slot]) else { return };
        let state = Arc::clone(&slot.state);
        slot.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { READY } else { FREE }, Ordering::Release);
        });
    }

    /// Pictures completed since the last call.
    pub(crate) fn take(&mut self) -> Vec<Drawing> {
        let ready = self.slots.iter().zip(&self.kinds);
        let ready = ready.filter(|(slot, _)| slot.state.load(Ordering::Acquire) == READY);
        let read = |(slot, water): (&Slot, &bool)| {
            let drawing = slot.buffer.get_mapped_range(..).ok().map(|view| {
                let words: Vec<u64> = bytemuck::pod_collect_to_vec(&view[..]);
                let [start, end] = [words[0], words[1]].map(|word| word as f64 * self.period);
                Drawing { start, end, water: *water }
            });
            slot.buffer.unmap();
            slot.state.store(FREE, Ordering::Release);
            drawing
        };
        ready.filter_map(read).collect()
    }
}
