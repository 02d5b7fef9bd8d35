//! Reading back buffers.

use std::{
    future::poll_fn,
    sync::{Arc, Mutex},
    task::{Poll, Waker},
};

use super::{Gpu, lock};
use crate::Error;

/// Answer of the device to a request.
type Answer = Result<(), wgpu::BufferAsyncError>;

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
        self.wait(|done| self.queue().on_submitted_work_done(move || done(Ok(())))).await
    }

    async fn map(&self, buffer: &wgpu::Buffer) -> Result<(), Error> {
        self.wait(|done| buffer.slice(..).map_async(wgpu::MapMode::Read, done)).await
    }

    /// Waits for the answer to what `start` starts: for one turn at least, even if the device has it at once, so that a program that
    /// polls between other work gets on with that after each submission.
    async fn wait(&self, start: impl FnOnce(Box<dyn FnOnce(Answer) + Send>)) -> Result<(), Error> {
        type Slot = (Option<Answer>, Option<Waker>);
        let slot: Arc<Mutex<Slot>> = Arc::default();
        let writer = Arc::clone(&slot);
        let started = self.caught(|| {
            start(Box::new(move |result| {
                let mut slot = lock(&writer);
                slot.0 = Some(result);
                if let Some(waker) = slot.1.take() {
                    waker.wake();
                }
            }));
        });
        if let Err(error) = started {
            return Err(self.failed(error));
        }
        let mut turns = 0u32;
        poll_fn(|context| {
            turns = turns.saturating_add(1);
            if turns == 1 {
                context.waker().wake_by_ref();
                return Poll::Pending;
            }
            // Outside a browser, somebody must poll the device. A program that can wait should
            // instead block on the device between polls of this future (`blocking::block_on`).
            if let Err(error) = self.device().poll(wgpu::PollType::Poll) {
                return Poll::Ready(Err(self.failed(error)));
            }
            self.sound()?;
            let mut slot = lock(&slot);
            match slot.0.take() {
                Some(result) => Poll::Ready(result.map_err(|error| self.failed(error))),
                None => {
                    slot.1 = Some(context.waker().clone());
                    if cfg!(not(target_arch = "wasm32")) {
                        context.waker().wake_by_ref();
                    }
                    Poll::Pending
                }
            }
        })
        .await
    }
}
