//! What each pass costs, by timestamp queries at the boundaries of its compute pass.

use std::fmt;

use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

use crate::{Error, Gpu};

/// One execution of a pass.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PassTime {
    /// The stage's label, as `sph/density` or `reduce/scan(cell_count)`.
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

/// Collects the timestamps of recorded passes.
pub struct Timings {
    gpu: Gpu,
    profiler: GpuProfiler,
}

impl fmt::Debug for Timings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timings").finish_non_exhaustive()
    }
}

impl Timings {
    /// A collector, or `None` where the device cannot time passes.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn new(gpu: &Gpu) -> Result<Option<Self>, Error> {
        if !gpu.has_timestamps() {
            return Ok(None);
        }
        let settings = GpuProfilerSettings { enable_debug_groups: false, ..Default::default() };
        let profiler = GpuProfiler::new(gpu.device(), settings);
        let profiler = profiler.map_err(|error| Error::Device(error.to_string()))?;
        Ok(Some(Self { gpu: gpu.clone(), profiler }))
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

    /// Call before the encoder is finished.
    pub(crate) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.profiler.resolve_queries(encoder);
    }

    /// The times of what was submitted, once it is done, marked with the number of the
    /// `submission`; call after a read-back.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn take(&mut self, submission: u64) -> Result<Vec<PassTime>, Error> {
        self.profiler.end_frame().map_err(|error| Error::Device(error.to_string()))?;
        let mut times = Vec::new();
        // Mapping the results takes a poll or two after the work itself is done.
        for _ in 0..1000 {
            let polled = self.gpu.device().poll(wgpu::PollType::Poll);
            polled.map_err(|error| Error::Device(error.to_string()))?;
            let period = self.gpu.queue().get_timestamp_period();
            if let Some(results) = self.profiler.process_finished_frame(period) {
                times
                    .extend(results.into_iter().filter_map(|result| pass_time(result, submission)));
                return Ok(times);
            }
        }
        Err(Error::Device("the times of a submission never arrived".into()))
    }
}

fn pass_time(result: GpuTimerQueryResult, submission: u64) -> Option<PassTime> {
    let time = result.time?;
    Some(PassTime { label: result.label, submission, start: time.start, end: time.end })
}
