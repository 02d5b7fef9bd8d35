//! How long the device takes to draw: two timestamps about a picture.
//!
//! Timestamps stand at the ends of passes (the plain `TIMESTAMP_QUERY`), so that an empty pass
//! before and one after the picture carry them. Results come a few pictures later.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use meniscus::Gpu;

/// Pictures that may be under way at once.
const SLOTS: usize = 3;

const FREE: u8 = 0;
const RECORDED: u8 = 1;
const READY: u8 = 2;

/// A picture that the device has drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drawing {
    /// In s on the device's clock.
    pub(crate) start: f64,
    /// In s on the device's clock.
    pub(crate) end: f64,
    /// The water was drawn, and not only the interface.
    pub(crate) water: bool,
}

/// Times pictures, where the device can.
#[derive(Debug)]
pub(crate) struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    slots: Vec<Slot>,
    recording: Option<usize>,
    /// What the pictures under way are.
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

    /// Before the first pass of a picture.
    pub(crate) fn begin(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let free = |slot: &Slot| slot.state.load(Ordering::Acquire) == FREE;
        self.recording = self.slots.iter().position(free);
        if self.recording.is_some() {
            self.stamp(encoder, Some(0), None);
        }
    }

    /// After the last pass of a picture, with the water in it or without.
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

    /// After the submission.
    pub(crate) fn submitted(&mut self) {
        let Some(slot) = self.recording.take().map(|slot| &self.slots[slot]) else { return };
        let state = Arc::clone(&slot.state);
        slot.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { READY } else { FREE }, Ordering::Release);
        });
    }

    /// The pictures that are done since the last call.
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
