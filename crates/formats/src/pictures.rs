//! Pictures and films: PNG and GIF by themselves, MP4 and animated WebP through ffmpeg.

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

/// Writes a PNG.
///
/// # Errors
///
/// [`Error::Write`]; then nothing but what was there before is left under the name.
pub fn write_png(path: &Path, picture: &RgbaImage) -> Result<(), Error> {
    write_whole(path, |writer| {
        // The encoder seeks, the file is written in one go.
        let mut bytes = io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).map_err(io::Error::other)?;
        writer.write_all(bytes.get_ref())
    })
}

/// What a film becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FilmFormat {
    /// H.264, by ffmpeg.
    Mp4,
    /// Animated WebP, by ffmpeg.
    WebP,
    /// Animated GIF of 256 colours.
    Gif,
    /// A folder of `frame_00000.png`, …
    Folder,
}

impl FilmFormat {
    /// What a path stands for by its extension; a folder where it has none.
    ///
    /// # Errors
    /// A sentence, for any other extension.
    pub fn of(path: &Path) -> Result<Self, String> {
        match path.extension().map(|extension| extension.to_string_lossy().to_lowercase()) {
            None => Ok(Self::Folder),
            Some(extension) => match extension.as_str() {
                "mp4" => Ok(Self::Mp4),
                "webp" => Ok(Self::WebP),
                "gif" => Ok(Self::Gif),
                _ => Err(format!(
                    "{}: expected .png for a picture, .mp4, .webp or .gif for a film, or a folder",
                    path.display()
                )),
            },
        }
    }
}

/// A film in the making. Dropped before [`Film::finish`] it leaves nothing but the pictures of a
/// folder.
#[derive(Debug)]
pub struct Film {
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

/// ffmpeg, which does not go on when nobody wants its film any more.
struct Encoder(Child);

impl Drop for Encoder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The file that is written to before it gets its name; removed when dropped.
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

impl Film {
    /// Starts a film of `size` pixels and `fps` pictures a second. Where it needs ffmpeg and there
    /// is none, the pictures go into a folder of the film's name without extension
    /// ([`Film::path`] says where).
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn start(path: &Path, format: FilmFormat, size: [u32; 2], fps: f64) -> Result<Self, Error> {
        let failed = |source| Error::Write { path: path.display().to_string(), source };
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut path = path.to_owned();
        let writer = match format {
            FilmFormat::Folder => Writer::Folder,
            FilmFormat::Gif => {
                let partial = Partial::beside(&path);
                let file = BufWriter::new(File::create(&partial.0).map_err(failed)?);
                // Speed 10 of 30: colours are chosen for each picture.
                let mut encoder = GifEncoder::new_with_speed(file, 10);
                let looped = encoder.set_repeat(Repeat::Infinite);
                looped.map_err(|error| failed(io::Error::other(error)))?;
                // Players take delays of whole hundredths, and few of them a shorter one than 2.
                let delay =
                    Delay::from_numer_denom_ms((100.0 / fps).round().max(2.0) as u32 * 10, 1);
                Writer::Gif(Box::new(encoder), partial, delay)
            }
            FilmFormat::Mp4 | FilmFormat::WebP => {
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

    /// The file, or the folder where pictures go instead.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether pictures go into a folder.
    #[must_use]
    pub fn is_folder(&self) -> bool {
        matches!(self.writer, Writer::Folder)
    }

    /// Pictures so far.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Adds a picture.
    ///
    /// # Errors
    /// [`Error::Write`], also for a picture of another size.
    pub fn add(&mut self, picture: RgbaImage) -> Result<(), Error> {
        let number = self.count;
        self.count += 1;
        if [picture.width(), picture.height()] != self.size {
            let text =
                format!("a picture has {:?} pixels, not {:?}", picture.dimensions(), self.size);
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

    /// Completes the film under its name.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn finish(self) -> Result<(), Error> {
        let Self { path, writer, .. } = self;
        let finished = (|| match writer {
            Writer::Folder => Ok(()),
            Writer::Gif(encoder, partial, _) => {
                // The encoder writes the end when it is dropped.
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
    format: FilmFormat,
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
        FilmFormat::WebP => {
            command.args(["-c:v", "libwebp_anim", "-loop", "0", "-quality", "80"]);
        }
        _ => {
            // H.264 in 4:2:0, which every player takes, has even sides.
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
    command.arg(path).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}

/// Why ffmpeg does not take any more.
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

    fn film(name: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("below").join(name);
        let format = FilmFormat::of(&path).expect("known");
        let mut film = Film::start(&path, format, [33, 17], 25.0).expect("started");
        for shade in [0, 120, 240] {
            film.add(picture(shade)).expect("added");
        }
        assert_eq!(film.count(), 3);
        let path = film.path().to_owned();
        film.finish().expect("finished");
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
        let (_folder, path) = film("pictures");
        assert_eq!(names(&path), ["frame_00000.png", "frame_00001.png", "frame_00002.png"]);
        let read = image::open(path.join("frame_00001.png")).expect("a PNG").to_rgba8();
        assert_eq!(read, picture(120));
    }

    #[test]
    fn a_gif_has_every_picture() {
        let (_folder, path) = film("film.gif");
        assert_eq!(names(path.parent().expect("below")), ["film.gif"], "nothing partial");
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
        let (_folder, path) = film("film.mp4");
        let left = names(path.parent().expect("below"));
        assert_eq!(left.len(), 1, "nothing partial: {left:?}");
        if path.is_dir() {
            assert_eq!(names(&path).len(), 3);
        } else {
            assert_eq!(&fs::read(&path).expect("there")[4..8], b"ftyp");
        }
    }

    #[test]
    fn a_film_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["film.gif", "film.mp4"] {
            let path = folder.path().join(name);
            let format = FilmFormat::of(&path).expect("known");
            let mut film = Film::start(&path, format, [33, 17], 25.0).expect("started");
            if film.is_folder() {
                continue;
            }
            film.add(picture(1)).expect("added");
            film.add(RgbaImage::new(2, 2)).expect_err("another size");
            drop(film);
            assert!(!path.exists());
        }
    }

    #[test]
    fn extensions() {
        assert_eq!(FilmFormat::of(Path::new("a/b.MP4")), Ok(FilmFormat::Mp4));
        assert_eq!(FilmFormat::of(Path::new("a/b")), Ok(FilmFormat::Folder));
        let error = FilmFormat::of(Path::new("b.avi")).expect_err("unknown");
        assert!(error.starts_with("b.avi: expected .png"), "{error}");
    }
}
