//! Errors of meniscus's own calls, through error scopes round them: on the device of another program, that program's handler
//! gets its own errors and none of these.
//!
//! The result of a scope may arrive later: immediately on native devices, after some turns of the event loop in a browser.
//! Scopes without a result are kept until [`Gpu::check`] finds one, or [`Gpu::compiled`] awaits them.

use std::{
    pin::Pin,
    task::{Context, Poll, Waker},
};

use super::{Gpu, lock};
use crate::Error;

#[cfg(not(target_arch = "wasm32"))]
type Answer = Pin<Box<dyn Future<Output = Option<wgpu::Error>> + Send>>;
/// Objects of a browser stay on their thread.
#[cfg(target_arch = "wasm32")]
type Answer = Pin<Box<dyn Future<Output = Option<wgpu::Error>>>>;

/// An error scope without a result yet.
pub(super) struct Pending {
    /// The pass that was compiled in it, if any was.
    pass: Option<String>,
    answer: Answer,
}

impl Pending {
    /// The result, if it has arrived.
    fn poll(&mut self) -> Poll<Result<(), Error>> {
        let mut context = Context::from_waker(Waker::noop());
        self.answer.as_mut().poll(&mut context).map(|error| refused(self.pass.as_deref(), error))
    }
}

fn refused(pass: Option<&str>, error: Option<wgpu::Error>) -> Result<(), Error> {
    let Some(error) = error else { return Ok(()) };
    let message = error.to_string();
    Err(match pass {
        Some(pass) => Error::Pipeline { pass: pass.to_owned(), message },
        None => Error::Device(message),
    })
}

impl Gpu {
    /// Runs calls of the device, and catches their errors, so that no handler of the device sees them.
    ///
    /// # Errors
    /// [`Error::Device`] on native devices; in a browser it arrives later, at [`Gpu::check`].
    pub fn caught<T>(&self, work: impl FnOnce() -> T) -> Result<T, Error> {
        self.scoped(None, work)
    }

    /// Like [`Gpu::caught`], for calls whose errors are told by the next [`Gpu::check`].
    pub(crate) fn caught_for_later<T>(&self, work: impl FnOnce() -> T) -> T {
        let mut result = None;
        if let Err(error) = self.caught(|| result = Some(work())) {
            lock(&self.inner.error).get_or_insert(error);
        }
        result.expect("the work was done")
    }

    pub(super) fn scoped<T>(
        &self,
        pass: Option<&str>,
        work: impl FnOnce() -> T,
    ) -> Result<T, Error> {
        let validation = self.device().push_error_scope(wgpu::ErrorFilter::Validation);
        let memory = self.device().push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        // The driver's own compiler reports here.
        let internal = self.device().push_error_scope(wgpu::ErrorFilter::Internal);
        let value = work();
        // The last is popped first.
        let internal: Answer = Box::pin(internal.pop());
        let memory: Answer = Box::pin(memory.pop());
        let validation: Answer = Box::pin(validation.pop());
        let mut first = Ok(());
        for answer in [validation, memory, internal] {
            let mut pending = Pending { pass: pass.map(str::to_owned), answer };
            match pending.poll() {
                Poll::Ready(result) => first = first.and(result),
                Poll::Pending => lock(&self.inner.pending).push(pending),
            }
        }
        first.map(|()| value)
    }

    /// An error of a scope whose result has come late, if there is one.
    pub(super) fn late_error(&self) -> Result<(), Error> {
        let mut first = Ok(());
        lock(&self.inner.pending).retain_mut(|pending| match pending.poll() {
            Poll::Ready(result) => {
                first = std::mem::replace(&mut first, Ok(())).and(result);
                false
            }
            Poll::Pending => true,
        });
        first
    }

    /// The number of passes whose compilation has not ended, as far as is known.
    pub fn compiling(&self) -> usize {
        let pending = lock(&self.inner.pending);
        let mut passes: Vec<_> = pending.iter().filter_map(|one| one.pass.as_deref()).collect();
        passes.dedup();
        passes.len()
    }

    /// Waits for the compilation of all passes so far.
    ///
    /// # Errors
    /// [`Error::Pipeline`] with the first pass that the device rejects, [`Error::Device`].
    pub async fn compiled(&self) -> Result<(), Error> {
        loop {
            let Some(pending) = lock(&self.inner.pending).pop() else { return self.sound() };
            refused(pending.pass.as_deref(), pending.answer.await)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_answers_when_it_is_asked_again() {
        let mut turns = 0;
        let answer = std::future::poll_fn(move |_| {
            turns += 1;
            let source = Box::<dyn std::error::Error + Send + Sync>::from("the driver's words");
            let error = wgpu::Error::Internal { source, description: "no".into() };
            if turns < 3 { Poll::Pending } else { Poll::Ready(Some(error)) }
        });
        let mut pending = Pending { pass: Some("sph/density".into()), answer: Box::pin(answer) };
        assert!(pending.poll().is_pending() && pending.poll().is_pending());
        let Poll::Ready(Err(error)) = pending.poll() else { panic!("it has answered") };
        assert!(error.to_string().contains("sph/density"), "{error}");
    }
}
