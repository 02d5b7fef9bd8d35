//! Duration of each pass, by timestamp queries at the boundaries of its compute pass.

use std::{collections::VecDeque, fmt};

use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

use crate::{Error, Gpu};

/// Largest number of submissions whose times may be pending.
const IN_FLIGHT: usize = 16;

/// Execution of a pass.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PassTime {
    /// Label of the stage, such as `sph/density` or `reduce/scan(cell_count)`.
    pub label: String,
    /// Number of the submission that it was in, as [`Simulation::submissions`] counts them.
    ///
    /// [`Simulation::submissions`]: crate::Simulation::submissions
    pub submission: u64,
    /// Start in s, on the device's clock.
    pub start: f64,
    /// End in s, on the device's clock.
    pub end: f64,
}

/// Collector of the timestamps of recorded passes. It never waits: times arrive once the device has
/// mapped them.
pub struct Timings {
    gpu: Gpu,
    profiler: GpuProfiler,
    /// Submissions whose times have not arrived, oldest first.
    in_flight: VecDeque<u64>,
}

impl fmt::Debug for Timings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timings").field("in_flight", &self.in_flight).finish_non_exhaustive()
    }
}

impl Timings {
    /// A collector, or `None` if the device cannot time passes.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn new(gpu: &Gpu) -> Result<Option<Self>, Error> {
        if !gpu.has_timestamps() {
            return Ok(None);
        }
        let settings = GpuProfilerSettings {
            enable_debug_groups: false,
            max_num_pending_frames: IN_FLIGHT,
            ..Default::default()
        };
        let profiler = gpu.caught(|| GpuProfiler::new(gpu.device(), settings))?;
        let profiler = profiler.map_err(|error| gpu.failed(error))?;
        Ok(Some(Self { gpu: gpu.clone(), profiler, in_flight: VecDeque::new() }))
    }

    pub(crate) fn pass(
        &self,
        label: &str,
        encoder: &mut wgpu::CommandEncoder,
        record: impl FnOnce(&mut wgpu::ComputePass<'_>),
    ) {
        let query = self.profiler.begin_pass_query(label, encoder);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: query.compute_pass_timestamp_writes(),
        });
        record(&mut pass);
        drop(pass);
        self.profiler.end_query(encoder, query);
    }

    /// Copies the timestamps out: the last command before the encoder is finished.
    pub(crate) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.profiler.resolve_queries(encoder);
    }

    /// Requests the times of the commands just submitted. Call it before a read-back, so that the
    /// times arrive first.
    pub(crate) fn submitted(&mut self, submission: u64) -> Result<(), Error> {
        if self.in_flight.len() == IN_FLIGHT {
            // Drop the newest, since the oldest arrive first.
            self.in_flight.pop_back();
        }
        self.gpu.caught(|| self.profiler.end_frame())?.map_err(|error| self.gpu.failed(error))?;
        self.in_flight.push_back(submission);
        Ok(())
    }

    /// Times that have arrived since the last call, in the order of their submissions.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub(crate) fn take(&mut self) -> Result<Vec<PassTime>, Error> {
        let polled = self.gpu.device().poll(wgpu::PollType::Poll);
        polled.map_err(|error| self.gpu.failed(error))?;
        let period = self.gpu.queue().get_timestamp_period();
        let mut times = Vec::new();
        while let Some(results) = self.profiler.process_finished_frame(period) {
            let submission = self.in_flight.pop_front().unwrap_or_default();
            times.extend(results.into_iter().filter_map(|result| pass_time(result, submission)));
        }
        Ok(times)
    }
}

fn pass_time(result: GpuTimerQueryResult, submission: u64) -> Option<PassTime> {
    let time = result.time?;
    Some(PassTime { label: result.label, submission, start: time.start, end: time.end })
}
