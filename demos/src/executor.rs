//! Waiting for futures: the library waits for nothing itself.

use std::{
    pin::pin,
    task::{Context, Poll, Waker},
    time::Duration,
};

use meniscus::Gpu;

/// The longest single wait in the device: while one thread waits there, another cannot free what
/// it no longer draws from.
const NAP: Duration = Duration::from_millis(2);

/// Runs a future that waits for the device. Between polls it sleeps in the device rather than
/// spin: on software Vulkan the device is these very cores.
pub(crate) fn block_on<T>(gpu: &Gpu, future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        // A failure here is the future's to report: it polls the device as well.
        let _ =
            gpu.device().poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(NAP) });
    }
}
