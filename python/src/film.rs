//! `Film`: a video of pictures.

use std::{
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use image::{DynamicImage, RgbImage};
use meniscus_formats::{Video, VideoFormat};
use pyo3::prelude::*;

use crate::errors::{Failure, guarded};

/// A video that is being written; in the format of its file's extension.
#[pyclass(frozen, module = "meniscus_fluids._native")]
pub(crate) struct Film {
    video: Mutex<Option<Video>>,
    size: [u32; 2],
}

#[pymethods]
impl Film {
    /// Starts a video of `size` pixels and `fps` pictures per second.
    #[new]
    fn new(py: Python<'_>, path: PathBuf, size: [u32; 2], fps: f64) -> PyResult<Self> {
        guarded(py, || {
            let format = VideoFormat::of(&path).map_err(Failure::Value)?;
            let video = Video::start(&path, format, size, fps)?;
            Ok(Self { video: Mutex::new(Some(video)), size })
        })
    }

    /// Adds a picture: red, green and blue of its pixels, row by row.
    fn add(&self, py: Python<'_>, pixels: &[u8]) -> PyResult<()> {
        guarded(py, || {
            let [width, height] = self.size;
            let image = RgbImage::from_raw(width, height, pixels.to_vec());
            let image = image.ok_or_else(|| Failure::Value("pixels are missing".into()))?;
            let mut video = self.video.lock().unwrap_or_else(PoisonError::into_inner);
            let video = video.as_mut().ok_or_else(ended)?;
            Ok(video.add(DynamicImage::ImageRgb8(image).into_rgba8())?)
        })
    }

    /// Completes the file; its path, which is that of a folder if ffmpeg is needed and missing.
    fn finish(&self, py: Python<'_>) -> PyResult<PathBuf> {
        guarded(py, || {
            let video = self.video.lock().unwrap_or_else(PoisonError::into_inner).take();
            let video = video.ok_or_else(ended)?;
            let path = video.path().to_owned();
            video.finish()?;
            Ok(path)
        })
    }
}

fn ended() -> Failure {
    Failure::Value("the film has ended".into())
}
