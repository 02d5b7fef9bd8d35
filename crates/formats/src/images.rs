//! Images and videos: PNG and GIF natively, MP4 and animated WebP through ffmpeg.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use image::{
    Delay, Frame, RgbaImage,
    codecs::gif::{GifEncoder, Repeat},
};

use crate::error::Error;
use crate::write::write_whole;

/// Writes a PNG file.
///
/// # Errors
///
/// [`Error::Write`]; an existing file is then unchanged.
pub fn write_png(path: &Path, picture: &RgbaImage) -> Result<(), Error> {
    write_whole(path, |writer| writer.write_all(&png_bytes(picture)?))
}

/// The bytes of the file that [`write_png`] writes.
///
/// # Errors
///
/// A picture without pixels.
pub fn png_bytes(picture: &RgbaImage) -> io::Result<Vec<u8>> {
    let mut bytes = io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}

/// Format of a video.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VideoFormat {
    /// H.264 in MP4, by ffmpeg.
    Mp4,
    /// Animated WebP, by ffmpeg.
    WebP,
    /// Animated GIF of 256 colours.
    Gif,
    /// A folder of `frame_00000.png`, …
    Folder,
}

impl VideoFormat {
    /// Format for a path by its extension; a folder if it has none.
    ///
    /// # Errors
    /// A message, for any other extension.
    pub fn of(path: &Path) -> Result<Self, String> {
        match path.extension().map(|extension| extension.to_string_lossy().to_lowercase()) {
            None => Ok(Self::Folder),
            Some(extension) => match extension.as_str() {
                "mp4" => Ok(Self::Mp4),
                "webp" => Ok(Self::WebP),
                "gif" => Ok(Self::Gif),
                _ => Err(format!(
                    "{}: expected .png for an image, .mp4, .webp or .gif for a video, or a folder",
                    path.display()
                )),
            },
        }
    }
}

/// A video being written. If it is dropped before [`Video::finish`], it leaves nothing except the
/// images in a folder.
#[derive(Debug)]
pub struct Video {
    path: PathBuf,
    size: [u32; 2],
    count: u32,
    writer: Writer,
}

enum Writer {
    Folder,
    Gif(Box<GifEncoder<BufWriter<File>>>, Partial, Delay),
    Ffmpeg(Encoder, Partial),
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Folder => "Folder",
            Self::Gif(..) => "Gif",
            Self::Ffmpeg(..) => "Ffmpeg",
        })
    }
}

/// The ffmpeg process, killed on drop.
struct Encoder(Child);

impl Drop for Encoder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Temporary file that gets its final name at the end; removed on drop.
struct Partial(PathBuf);

impl Partial {
    fn beside(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Self(path.with_file_name(format!(".{}.partial.{name}", std::process::id())))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl Video {
    /// Starts a video of `size` pixels and `fps` images per second. If it needs ffmpeg and there is
    /// none, the images go into a folder named like the video without its extension
    /// ([`Video::path`]).
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn start(
        path: &Path,
        format: VideoFormat,
        size: [u32; 2],
        fps: f64,
    ) -> Result<Self, Error> {
        let failed = |source| Error::Write { path: path.display().to_string(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut path = path.to_owned();
        let writer = match format {
            VideoFormat::Folder => Writer::Folder,
            VideoFormat::Gif => {
                let partial = Partial::beside(&path);
                let file = BufWriter::new(File::create(&partial.0).map_err(failed)?);
                // Speed 10 of 30; the palette is chosen for each image.
                let mut encoder = GifEncoder::new_with_speed(file, 10);
                let looped = encoder.set_repeat(Repeat::Infinite);
                looped.map_err(|error| failed(io::Error::other(error)))?;
                // GIF delays are whole hundredths of a second, and few players honour less than 2.
                let delay =
                    Delay::from_numer_denom_ms((100.0 / fps).round().max(2.0) as u32 * 10, 1);
                Writer::Gif(Box::new(encoder), partial, delay)
            }
            VideoFormat::Mp4 | VideoFormat::WebP => {
                let partial = Partial::beside(&path);
                match ffmpeg(&partial.0, format, size, fps) {
                    Ok(child) => Writer::Ffmpeg(Encoder(child), partial),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {
                        path = path.with_extension("");
                        Writer::Folder
                    }
                    Err(error) => return Err(failed(error)),
                }
            }
        };
        if matches!(writer, Writer::Folder) {
            fs::create_dir_all(&path)
                .map_err(|source| Error::Write { path: path.display().to_string(), source })?;
        }
        Ok(Self { path, size, count: 0, writer })
    }

    /// Path of the file, or of the folder used instead.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether images go into a folder.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        matches!(self.writer, Writer::Folder)
    }

    /// Number of images so far.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Adds an image.
    ///
    /// # Errors
    /// [`Error::Write`], also for an image of another size.
    pub fn add(&mut self, picture: RgbaImage) -> Result<(), Error> {
        let number = self.count;
        self.count += 1;
        if [picture.width(), picture.height()] != self.size {
            let text =
                format!("an image has {:?} pixels, not {:?}", picture.dimensions(), self.size);
            return Err(self.failed(io::Error::other(text)));
        }
        let result = match &mut self.writer {
            Writer::Folder => {
                return write_png(&self.path.join(format!("frame_{number:05}.png")), &picture);
            }
            Writer::Gif(encoder, _, delay) => encoder
                .encode_frame(Frame::from_parts(picture, 0, 0, *delay))
                .map_err(io::Error::other),
            Writer::Ffmpeg(Encoder(child), _) => {
                let pipe = child.stdin.as_mut();
                let written = pipe.map_or(Ok(()), |pipe| pipe.write_all(picture.as_raw()));
                written.map_err(|error| what_ffmpeg_said(child, error))
            }
        };
        result.map_err(|error| self.failed(error))
    }

    /// Completes the video and gives the file its final name.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(self) -> Result<(), Error> {
        let Self { path, writer, .. } = self;
        let finished = (|| match writer {
            Writer::Folder => Ok(()),
            Writer::Gif(encoder, partial, _) => {
                // The encoder writes the trailer when it is dropped.
                drop(encoder);
                fs::rename(&partial.0, &path)
            }
            Writer::Ffmpeg(mut encoder, partial) => {
                let child = &mut encoder.0;
                drop(child.stdin.take());
                let said = read_stderr(child);
                let status = child.wait()?;
                if !status.success() {
                    return Err(io::Error::other(last_line(&said, &status)));
                }
                fs::rename(&partial.0, &path)
            }
        })();
        finished.map_err(|source| Error::Write { path: path.display().to_string(), source })
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.display().to_string(), source }
    }
}

fn ffmpeg(
    path: &Path,
    format: VideoFormat,
    [width, height]: [u32; 2],
    fps: f64,
) -> io::Result<Child> {
    let mut command = Command::new("ffmpeg");
    command
        .args(["-hide_banner", "-loglevel", "error", "-y"])
        .args(["-f", "rawvideo", "-pixel_format", "rgba"])
        .args(["-video_size", &format!("{width}x{height}")])
        .args(["-framerate", &format!("{fps}"), "-i", "-", "-an"]);
    match format {
        VideoFormat::WebP => {
            command.args(["-c:v", "libwebp_anim", "-loop", "0", "-quality", "80"]);
        }
        _ => {
            // H.264 in 4:2:0, which every player supports, needs even sides.
            command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]).args([
                "-c:v",
                "libx264",
                "-crf",
                "18",
                "-movflags",
                "+faststart",
            ]);
        }
    }
    // Ctrl-C ends the program, which then completes the video; ffmpeg would end at once.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.arg(path).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}

/// Reason why ffmpeg stopped reading.
fn what_ffmpeg_said(child: &mut Child, error: io::Error) -> io::Error {
    drop(child.stdin.take());
    let said = read_stderr(child);
    let _ = child.wait();
    io::Error::other(last_line(&said, &error))
}

fn read_stderr(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        let _ = stderr.read_to_string(&mut said);
    }
    said
}

fn last_line(said: &str, otherwise: &dyn std::fmt::Display) -> String {
    match said.trim().lines().last() {
        Some(line) => format!("ffmpeg: {line}"),
        None => format!("ffmpeg: {otherwise}"),
    }
}

#[cfg(test)]
mod tests {
    use image::{AnimationDecoder, Rgba, codecs::gif::GifDecoder};

    use super::*;

    fn picture(shade: u8) -> RgbaImage {
        RgbaImage::from_pixel(33, 17, Rgba([shade, 10, 200, 255]))
    }

    fn video(name: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below").join(name);
        let format = VideoFormat::of(&path).expect("known");
        let mut video = Video::start(&path, format, [33, 17], 25.0).expect("started");
        for shade in [0, 120, 240] {
            video.add(picture(shade)).expect("added");
        }
        assert_eq!(video.count(), 3);
        let path = video.path().to_owned();
        video.finish().expect("finished");
        (folder, path)
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder").flatten();
        let mut names: Vec<_> = entries.map(|e| e.file_name().display().to_string()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_folder_gets_numbered_pictures() {
        let (_folder, path) = video("pictures");
        assert_eq!(names(&path), ["frame_00000.png", "frame_00001.png", "frame_00002.png"]);
        let read = image::open(path.join("frame_00001.png")).expect("a PNG").to_rgba8();
        assert_eq!(read, picture(120));
    }

    #[test]
    fn a_gif_has_every_picture() {
        let (_folder, path) = video("video.gif");
        assert_eq!(names(path.parent().expect("below")), ["video.gif"], "nothing partial");
        let file = io::BufReader::new(File::open(&path).expect("there"));
        let frames = GifDecoder::new(file).expect("a GIF").into_frames();
        let frames = frames.collect_frames().expect("frames");
        assert_eq!(frames.len(), 3);
        assert_eq!(frames[0].delay().numer_denom_ms(), (40, 1));
        let pixel = frames[2].buffer().get_pixel(5, 5);
        assert!(pixel[0].abs_diff(240) < 4, "{pixel:?}");
    }

    #[test]
    fn an_mp4_or_its_pictures_are_left() {
        let (_folder, path) = video("video.mp4");
        let left = names(path.parent().expect("below"));
        assert_eq!(left.len(), 1, "nothing partial: {left:?}");
        if path.is_dir() {
            assert_eq!(names(&path).len(), 3);
        } else {
            assert_eq!(&fs::read(&path).expect("there")[4..8], b"ftyp");
        }
    }

    #[test]
    fn an_abandoned_video_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["video.gif", "video.mp4"] {
            let path = folder.path().join(name);
            let format = VideoFormat::of(&path).expect("known");
            let mut video = Video::start(&path, format, [33, 17], 25.0).expect("started");
            if video.is_folder() {
                continue;
            }
            video.add(picture(1)).expect("added");
            video.add(RgbaImage::new(2, 2)).expect_err("another size");
            drop(video);
            assert!(!path.exists());
        }
    }

    #[test]
    fn extensions() {
        assert_eq!(VideoFormat::of(Path::new("a/b.MP4")), Ok(VideoFormat::Mp4));
        assert_eq!(VideoFormat::of(Path::new("a/b")), Ok(VideoFormat::Folder));
        let error = VideoFormat::of(Path::new("b.avi")).expect_err("unknown");
        assert!(error.starts_with("b.avi: expected .png"), "{error}");
    }
}
