//! Screenshots and videos, written by background threads.
//!
//! A video is an MP4 file if ffmpeg is on the PATH, otherwise a folder of PNG files. It has one
//! image for each frame of the simulation, so it plays in simulated time.

use std::{
    path::Path,
    sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel},
    thread,
};

use image::RgbaImage;
use meniscus_formats::{VideoFormat, write_png};

use crate::files::next_free;

/// Number of images that may wait for the video's thread.
const QUEUE: usize = 4;

/// Result of a job: a message for the user in either case.
type Outcome = Result<String, String>;

/// Background jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    outcomes: (Sender<Outcome>, Receiver<Outcome>),
    running: usize,
}

impl Jobs {
    pub(crate) fn new() -> Self {
        Self { outcomes: channel(), running: 0 }
    }

    /// Runs a job in a thread.
    pub(crate) fn start(&mut self, work: impl FnOnce() -> Outcome + Send + 'static) {
        let sender = self.outcomes.0.clone();
        let spawned = thread::Builder::new().name("writer".into()).spawn(move || {
            let _ = sender.send(work());
        });
        match spawned {
            Ok(_) => self.running += 1,
            Err(error) => {
                let _ = self.outcomes.0.send(Err(format!("cannot start a thread: {error}")));
                self.running += 1;
            }
        }
    }

    /// Result of a job that has ended since the last call.
    pub(crate) fn outcome(&mut self) -> Option<Outcome> {
        let outcome = self.outcomes.1.try_recv().ok()?;
        self.running -= 1;
        Some(outcome)
    }

    /// Waits for all jobs. Returns the first error.
    pub(crate) fn finish(&mut self) -> Result<(), String> {
        let mut result = Ok(());
        while self.running > 0 {
            let Ok(outcome) = self.outcomes.1.recv() else { break };
            self.running -= 1;
            result = result.and(outcome.map(|_| ()));
        }
        result
    }
}

/// Writes a PNG file.
pub(crate) fn save_png(path: &Path, image: &RgbaImage) -> Result<String, String> {
    write_png(path, image).map_err(|error| error.to_string())?;
    Ok(format!("saved {}", path.display()))
}

/// A video being recorded.
#[derive(Debug)]
pub(crate) struct Video {
    frames: SyncSender<RgbaImage>,
    /// An image that did not fit in the queue.
    held: Option<RgbaImage>,
    size: [u32; 2],
    count: u32,
    failed: bool,
}

impl Video {
    /// Starts a video. Its result is reported by `jobs`.
    pub(crate) fn start(folder: &Path, size: [u32; 2], fps: f64, jobs: &mut Jobs) -> Self {
        let (frames, inbox) = sync_channel(QUEUE);
        let folder = folder.to_owned();
        jobs.start(move || write_video(&folder, size, fps, &inbox));
        Self { frames, held: None, size, count: 0, failed: false }
    }

    /// Size of the video in pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Number of images so far.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Whether its thread has failed; the job's result says why.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Adds an image.
    pub(crate) fn add(&mut self, image: RgbaImage) {
        self.count += 1;
        self.held = Some(image);
        self.pump();
    }

    /// Whether there is room for another image.
    pub(crate) fn has_room(&mut self) -> bool {
        self.pump();
        self.held.is_none()
    }

    fn pump(&mut self) {
        let Some(image) = self.held.take() else { return };
        match self.frames.try_send(image) {
            Ok(()) => {}
            Err(TrySendError::Full(image)) => self.held = Some(image),
            Err(TrySendError::Disconnected(_)) => self.failed = true,
        }
    }
}

impl Drop for Video {
    fn drop(&mut self) {
        if let Some(image) = self.held.take() {
            let _ = self.frames.send(image);
        }
    }
}

fn write_video(
    folder: &Path,
    size: [u32; 2],
    fps: f64,
    inbox: &Receiver<RgbaImage>,
) -> Result<String, String> {
    let said = |error: meniscus_formats::Error| error.to_string();
    let path = next_free(folder, "mp4");
    let mut video =
        meniscus_formats::Video::start(&path, VideoFormat::Mp4, size, fps).map_err(said)?;
    for image in inbox {
        video.add(image).map_err(said)?;
    }
    let (path, count) = (video.path().display().to_string(), video.count());
    let hint = if video.is_folder() { "; install ffmpeg to get an MP4 file" } else { "" };
    video.finish().map_err(said)?;
    Ok(format!("saved {path} ({count} frames){hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_video_or_its_images_are_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut jobs = Jobs::new();
        let mut video = Video::start(folder.path(), [33, 17], 60.0, &mut jobs);
        for shade in 0..8 {
            while !video.has_room() {
                thread::yield_now();
            }
            video.add(RgbaImage::from_pixel(33, 17, image::Rgba([shade, 0, 0, 255])));
        }
        drop(video);
        jobs.finish().expect("written");
        let names: Vec<_> = std::fs::read_dir(folder.path()).expect("there").flatten().collect();
        assert_eq!(names.len(), 1, "one video, nothing partial: {names:?}");
    }
}
