//! Blocking on futures: the library itself never blocks.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use meniscus::Gpu;

/// Longest single wait in the device: while one thread waits there, another cannot free buffers.
const NAP: Duration = Duration::from_millis(2);

/// Runs a future that waits for the device. It sleeps in the device between polls rather than spin,
/// since software Vulkan runs on the same cores.
pub(crate) fn block_on<T>(gpu: &Gpu, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        // Ignore a failure here: the future polls the device as well and reports it.
        let _ =
            gpu.device().poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(NAP) });
    }
}
