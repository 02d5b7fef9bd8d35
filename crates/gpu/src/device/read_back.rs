//! Reading back buffers.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
};

use super::{Gpu, lock};
use crate::Error;

/// Answer of the device to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Done,
    Failed,
    /// The request was dropped, as with commands that are never submitted.
    Dropped,
}

/// An answer that may not have come yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrival(Arc<Mutex<(Option<Answer>, Option<Waker>)>>);

/// What the device is given to answer by.
struct Request(Arrival);

impl Arrival {
    /// A function that takes the answer.
    pub(crate) fn request(
        &self,
    ) -> impl FnOnce(Result<(), wgpu::BufferAsyncError>) + Send + 'static {
        let request = Request(self.clone());
        move |result| request.0.set(if result.is_ok() { Answer::Done } else { Answer::Failed })
    }

    /// The answer, if it has come.
    pub(crate) fn answer(&self) -> Option<Answer> {
        lock(&self.0).0
    }

    fn set(&self, answer: Answer) {
        let mut slot = lock(&self.0);
        slot.0.get_or_insert(answer);
        if let Some(waker) = slot.1.take() {
            waker.wake();
        }
    }
}

impl Drop for Request {
    fn drop(&mut self) {
        self.0.set(Answer::Dropped);
    }
}

impl Gpu {
    /// Bytes of whole buffers, read in one submission if they fit one staging buffer.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read(&self, buffers: &[&wgpu::Buffer]) -> Result<Vec<Vec<u8>>, Error> {
        let whole: Vec<_> = buffers.iter().map(|buffer| (*buffer, buffer.size())).collect();
        self.read_starts(&whole).await
    }

    /// First bytes of buffers: (buffer, count), the count a multiple of 4.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn read_starts(&self, parts: &[(&wgpu::Buffer, u64)]) -> Result<Vec<Vec<u8>>, Error> {
        // A pass that the device rejected explains invalid bytes, so report that first.
        self.compiled().await?;
        let total: u64 = parts.iter().map(|(_, bytes)| bytes).sum();
        if total <= self.device().limits().max_buffer_size {
            return self.read_at_once(parts, total).await;
        }
        let mut read = Vec::new();
        for part in parts {
            read.extend(self.read_at_once(&[*part], part.1).await?);
        }
        Ok(read)
    }

    async fn read_at_once(
        &self,
        parts: &[(&wgpu::Buffer, u64)],
        total: u64,
    ) -> Result<Vec<Vec<u8>>, Error> {
        let staging = self.caught(|| {
            let staging = self.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("read back"),
                size: total.max(4),
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            });
            let mut encoder = self.device().create_command_encoder(&Default::default());
            let mut offset = 0;
            for (buffer, size) in parts.iter().filter(|(_, size)| *size > 0) {
                encoder.copy_buffer_to_buffer(buffer, 0, &staging, offset, *size);
                offset += size;
            }
            self.queue().submit([encoder.finish()]);
            staging
        })?;
        self.map(&staging).await?;
        let view = staging.slice(..).get_mapped_range();
        let view = view.map_err(|error| self.failed(error))?;
        let mut bytes: &[u8] = &view;
        let mut split = |(_, size): &(&wgpu::Buffer, u64)| {
            let (part, rest) = bytes.split_at(*size as usize);
            bytes = rest;
            part.to_vec()
        };
        Ok(parts.iter().map(&mut split).collect())
    }

    /// Waits until the device has done everything that was submitted so far.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn idle(&self) -> Result<(), Error> {
        let arrival = Arrival::default();
        let done = arrival.request();
        self.queue().on_submitted_work_done(move || done(Ok(())));
        self.arrived(&arrival).await
    }

    async fn map(&self, buffer: &wgpu::Buffer) -> Result<(), Error> {
        let arrival = Arrival::default();
        let started =
            self.caught(|| buffer.slice(..).map_async(wgpu::MapMode::Read, arrival.request()));
        if let Err(error) = started {
            return Err(self.failed(error));
        }
        self.arrived(&arrival).await
    }

    /// Waits for an answer: for one turn at least, even if the device has it at once, so that a program that polls between other
    /// work gets on with that after each submission.
    pub(crate) async fn arrived(&self, arrival: &Arrival) -> Result<(), Error> {
        let mut turns = 0u32;
        poll_fn(|context| {
            turns = turns.saturating_add(1);
            if turns == 1 {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            // Outside a browser, somebody must poll the device. A program that can wait should
            // instead sleep between polls of this future (`blocking::block_on`).
            if let Err(error) = self.device().poll(wgpu::PollType::Poll) {
                return Poll::Ready(Err(self.failed(error)));
            }
            self.sound()?;
            let answer = {
                let mut slot = lock(&arrival.0);
                if slot.0.is_none() {
                    slot.1 = Some(context.waker().clone());
                }
                slot.0
            };
            match answer {
                Some(answer) => Poll::Ready(self.told(answer)),
                None => {
                    if cfg!(not(target_arch = "wasm32")) {
                        context.waker().wake_by_ref();
                    }
                    Poll::Pending
                }
            }
        })
        .await
    }

    /// The error of an answer.
    pub(crate) fn told(&self, answer: Answer) -> Result<(), Error> {
        match answer {
            Answer::Done => Ok(()),
            Answer::Failed => Err(self.failed("a buffer could not be read back")),
            Answer::Dropped => Err(self.failed("commands were dropped before they were submitted")),
        }
    }
}
