//! Videos: GIF natively, MP4 and animated WebP through ffmpeg, folders of PNG files.

mod ffmpeg;
mod mp4;
mod webp;

use std::{
    fs::{self, File},
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use image::{
    AnimationDecoder, Delay, Frame, RgbaImage,
    codecs::gif::{GifDecoder, GifEncoder, Repeat},
};

use crate::error::Error;
use crate::images::write_png;
use ffmpeg::{
    Encoder, ffmpeg, joined_up, last_line, packets, probed, read_stderr, what_ffmpeg_said,
};

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
    /// Whether an image could not be added.
    is_broken: bool,
    /// Film of ffmpeg to whose end this one is added, and the number of its images.
    before: Option<(PathBuf, u32)>,
    /// Duration of an image in ms.
    duration: u32,
}

enum Writer {
    Folder,
    Gif(Box<GifEncoder<GifFile>>, GifFile, Partial, Delay),
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

/// A file of GIF that is complete after each image but for its last byte, also on a full disk.
#[derive(Clone)]
struct GifFile(Arc<Mutex<GifState>>);

struct GifState {
    file: File,
    /// What has not been written.
    pending: Vec<u8>,
    /// Length of the file after the last image that is whole.
    whole: u64,
}

impl GifFile {
    /// Marks the end of images.
    const TRAILER: u8 = 0x3b;

    fn state(&self) -> std::sync::MutexGuard<'_, GifState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes what is pending.
    fn commit(&self) -> io::Result<()> {
        let state = &mut *self.state();
        let pending = std::mem::take(&mut state.pending);
        state.file.write_all(&pending)?;
        state.whole += pending.len() as u64;
        Ok(())
    }

    /// Ends the file after the last whole image.
    fn cut(&self) -> io::Result<()> {
        let state = &mut *self.state();
        state.pending.clear();
        state.file.set_len(state.whole)?;
        state.file.seek(SeekFrom::Start(state.whole))?;
        state.file.write_all(&[Self::TRAILER])
    }
}

impl Write for GifFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.state().pending.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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
                let file = File::create(&partial.0).map_err(failed)?;
                let state = GifState { file, pending: Vec::new(), whole: 0 };
                let file = GifFile(Arc::new(Mutex::new(state)));
                // Speed 10 of 30; the palette is chosen for each image.
                let mut encoder = GifEncoder::new_with_speed(file.clone(), 10);
                let looped = encoder.set_repeat(Repeat::Infinite);
                looped.map_err(|error| failed(io::Error::other(error)))?;
                // GIF delays are whole hundredths of a second, and few players honour less than 2.
                let delay =
                    Delay::from_numer_denom_ms((100.0 / fps).round().max(2.0) as u32 * 10, 1);
                Writer::Gif(Box::new(encoder), file, partial, delay)
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
        let duration = (1000.0 / fps).round() as u32;
        Ok(Self { path, size, count: 0, writer, is_broken: false, before: None, duration })
    }

    /// Goes on with a video that has [`Video::images_of`] images.
    ///
    /// # Errors
    /// [`Error::Write`], also for another size.
    pub fn go_on(
        path: &Path,
        format: VideoFormat,
        size: [u32; 2],
        fps: f64,
        images: u32,
    ) -> Result<Self, Error> {
        let failed = |text: String| Error::Write {
            path: path.display().to_string(),
            source: io::Error::other(text),
        };
        let other = |found: [u32; 2]| {
            let [[a, b], [c, d]] = [found, size];
            failed(format!("it has {a}×{b} pixels, not {c}×{d}"))
        };
        let mut video = Self::start(path, format, size, fps)?;
        match format {
            VideoFormat::Gif => {
                for frame in gif_frames(path)? {
                    let frame = frame.map_err(|error| failed(error.to_string()))?;
                    let picture = frame.into_buffer();
                    if [picture.width(), picture.height()] != size {
                        return Err(other([picture.width(), picture.height()]));
                    }
                    video.add(picture)?;
                }
            }
            VideoFormat::Mp4 if !video.is_folder() => {
                let [width, height] = probed(path, "width,height")?;
                // Sides are made even.
                if [width, height] != size.map(|side| side.next_multiple_of(2)) {
                    return Err(other([width, height]));
                }
                video.before = Some((path.to_owned(), images));
            }
            VideoFormat::WebP if !video.is_folder() => {
                let found = webp::size(path).map_err(|error| failed(error.to_string()))?;
                if found != size {
                    return Err(other(found));
                }
                video.before = Some((path.to_owned(), images));
            }
            VideoFormat::Mp4 | VideoFormat::WebP | VideoFormat::Folder => video.count = images,
        }
        Ok(video)
    }

    /// Number of the images that a video at a path has; 0 if there is none.
    ///
    /// # Errors
    /// [`Error::Read`] of a file that is no video.
    pub fn images_of(path: &Path, format: VideoFormat) -> Result<u32, Error> {
        let images = |folder: &Path| {
            let frame = |number: &u32| folder.join(format!("frame_{number:05}.png")).is_file();
            (0..).take_while(frame).count() as u32
        };
        match format {
            VideoFormat::Folder => Ok(images(path)),
            VideoFormat::Gif if path.is_file() => {
                Ok(gif_frames(path)?.map_while(Result::ok).count() as u32)
            }
            VideoFormat::Mp4 if path.is_file() => {
                probed(path, "nb_read_packets").map(|[count, _]| count)
            }
            VideoFormat::WebP if path.is_file() => webp::images(path)
                .map_err(|source| Error::Read { path: path.display().to_string(), source }),
            // Without ffmpeg, their images are in a folder.
            VideoFormat::Mp4 | VideoFormat::WebP => Ok(images(&path.with_extension(""))),
            VideoFormat::Gif => Ok(0),
        }
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
        self.count + self.before.as_ref().map_or(0, |(_, images)| *images)
    }

    /// Adds an image.
    ///
    /// # Errors
    /// [`Error::Write`], also for an image of another size.
    pub fn add(&mut self, picture: RgbaImage) -> Result<(), Error> {
        if [picture.width(), picture.height()] != self.size {
            let text =
                format!("an image has {:?} pixels, not {:?}", picture.dimensions(), self.size);
            return Err(self.failed(io::Error::other(text)));
        }
        let result = match &mut self.writer {
            Writer::Folder => {
                let path = self.path.join(format!("frame_{:05}.png", self.count));
                self.count += 1;
                return write_png(&path, &picture).inspect_err(|_| self.count -= 1);
            }
            Writer::Gif(encoder, file, _, delay) => encoder
                .encode_frame(Frame::from_parts(picture, 0, 0, *delay))
                .map_err(io::Error::other)
                .and_then(|()| file.commit()),
            Writer::Ffmpeg(Encoder(child), _) => {
                let pipe = child.stdin.as_mut();
                let written = pipe.map_or(Ok(()), |pipe| pipe.write_all(picture.as_raw()));
                written.map_err(|error| what_ffmpeg_said(child, error))
            }
        };
        match result {
            Ok(()) => self.count += 1,
            Err(_) => self.is_broken = true,
        }
        result.map_err(|error| self.failed(error))
    }

    /// Completes the video and gives the file its final name; of one that an image could not be added to, as on a full disk,
    /// with the images that it has. Returns their number.
    ///
    /// # Errors
    /// [`Error::Write`]; there is no video then, or the one before that it was to go on with.
    pub fn finish(self) -> Result<u32, Error> {
        let count = self.count();
        let Self { path, writer, is_broken, before, duration, .. } = self;
        let finished = (|| match writer {
            Writer::Folder => Ok(count),
            Writer::Gif(encoder, file, partial, _) => {
                // The encoder writes the trailer when it is dropped.
                drop(encoder);
                if is_broken {
                    if count == 0 {
                        return Err(io::Error::other("no image is whole"));
                    }
                    file.cut()?;
                } else {
                    file.commit()?;
                }
                fs::rename(&partial.0, &path).map(|()| count)
            }
            Writer::Ffmpeg(mut encoder, partial) => {
                let child = &mut encoder.0;
                drop(child.stdin.take());
                let said = read_stderr(child);
                let status = child.wait()?;
                let is_mp4 = VideoFormat::of(&path) == Ok(VideoFormat::Mp4);
                let short = |images: u32| {
                    let reason = last_line(&said, &"is the disk full?");
                    io::Error::other(format!("it has only {images} of {count} images: {reason}"))
                };
                if !is_mp4 {
                    // ffmpeg does not always say that a disk is full.
                    let was_torn = webp::mend(&partial.0)?;
                    if was_torn && before.is_none() {
                        let images = webp::images(&partial.0)?;
                        fs::rename(&partial.0, &path)?;
                        return if is_broken { Ok(images) } else { Err(short(images)) };
                    }
                    if was_torn || !status.success() {
                        return Err(io::Error::other(last_line(&said, &status)));
                    }
                    if let Some((earlier, _)) = &before {
                        let joined = Partial::beside(&path.with_extension("whole.webp"));
                        webp::join([earlier, &partial.0], &joined.0, duration)?;
                        return fs::rename(&joined.0, &path).map(|()| count);
                    }
                    return fs::rename(&partial.0, &path).map(|()| count);
                }
                // What has been written is playable as far as its fragments are whole.
                mp4::cut(&partial.0)?;
                let earlier = before.as_ref().map_or(0, |(_, images)| *images);
                let images = earlier + packets(&partial.0).unwrap_or(0);
                if images == earlier {
                    return Err(short(images));
                }
                let parts =
                    before.iter().map(|(path, _)| path.as_path()).chain([partial.0.as_path()]);
                let joined = Partial::beside(&path.with_extension("whole.mp4"));
                let whole = joined_up(&parts.collect::<Vec<_>>(), &joined.0)
                    .and_then(|()| packets(&joined.0))
                    .and_then(|found| if found == images { Ok(()) } else { Err(short(found)) });
                match whole {
                    Ok(()) => fs::rename(&joined.0, &path)?,
                    Err(error) if before.is_some() => return Err(error),
                    // On a full disk, as it is.
                    Err(_) => fs::rename(&partial.0, &path)?,
                }
                if images < count && !is_broken { Err(short(images)) } else { Ok(images) }
            }
        })();
        finished.map_err(|source| Error::Write { path: path.display().to_string(), source })
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::Write { path: self.path.display().to_string(), source }
    }
}

/// Images of a GIF.
fn gif_frames(path: &Path) -> Result<image::Frames<'static>, Error> {
    let failed = |source| Error::Read { path: path.display().to_string(), source };
    let file = io::BufReader::new(File::open(path).map_err(failed)?);
    let decoder = GifDecoder::new(file).map_err(|error| failed(io::Error::other(error)))?;
    Ok(decoder.into_frames())
}

#[cfg(test)]
mod tests {
    use image::Rgba;

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
        assert_eq!(video.finish().expect("finished"), 3);
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
    fn a_video_goes_on_where_it_ended() {
        for name in ["film.gif", "film.mp4", "film.webp", "film"] {
            let [whole, halves] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
            let format = VideoFormat::of(Path::new(name)).expect("known");
            let path = |folder: &tempfile::TempDir| folder.path().join(name);
            let mut video = Video::start(&path(&whole), format, [33, 17], 25.0).expect("started");
            for shade in 0..9 {
                video.add(picture(25 * shade)).expect("added");
            }
            assert_eq!(video.finish().expect("finished"), 9);
            for part in [0..4, 4..9] {
                let done = Video::images_of(&path(&halves), format).expect("a video");
                assert_eq!(done, part.start, "{name}");
                let mut video = match done {
                    0 => Video::start(&path(&halves), format, [33, 17], 25.0),
                    _ => Video::go_on(&path(&halves), format, [33, 17], 25.0, done),
                }
                .expect("started");
                for shade in part.clone() {
                    video.add(picture(25 * shade as u8)).expect("added");
                }
                assert_eq!(video.count(), part.end);
                assert_eq!(video.finish().expect("finished"), part.end, "{name}");
            }
            assert_eq!(Video::images_of(&path(&halves), format).expect("a video"), 9, "{name}");
            if !matches!(format, VideoFormat::Mp4 | VideoFormat::WebP) {
                let bytes = |folder| match format {
                    VideoFormat::Folder => fs::read(path(folder).join("frame_00008.png")),
                    _ => fs::read(path(folder)),
                };
                assert!(
                    bytes(&whole).expect("a file") == bytes(&halves).expect("a file"),
                    "{name}"
                );
                assert_eq!(names(halves.path()), [name]);
            }
            let wrong = Video::go_on(&path(&halves), format, [64, 64], 25.0, 9);
            assert_eq!(wrong.is_err(), format != VideoFormat::Folder && path(&halves).is_file());
        }
    }

    /// Films whose files end in the middle of an image, as on a full disk.
    #[test]
    fn a_torn_film_is_playable_as_far_as_it_is_whole() {
        let noise = |seed: u32| {
            RgbaImage::from_fn(64, 64, |x, y| {
                let shade = (x * 7919 + y * 104_729 + seed * 1_299_709).wrapping_mul(2_654_435_761);
                Rgba([(shade >> 24) as u8, (shade >> 16) as u8, (shade >> 8) as u8, 255])
            })
        };
        for name in ["film.mp4", "film.webp"] {
            let folder = tempfile::tempdir().expect("a folder");
            let (path, format) =
                (folder.path().join(name), VideoFormat::of(Path::new(name)).expect("known"));
            let mut video = Video::start(&path, format, [64, 64], 1.0).expect("started");
            let Writer::Ffmpeg(Encoder(child), partial) = &mut video.writer else { continue };
            let torn = partial.0.clone();
            let pipe = child.stdin.as_mut().expect("a pipe");
            for seed in 0..6 {
                pipe.write_all(noise(seed).as_raw()).expect("written");
            }
            drop(child.stdin.take());
            child.wait().expect("ended");
            video.count = 6;
            let file = fs::OpenOptions::new().write(true).open(&torn).expect("there");
            let length = file.metadata().expect("there").len();
            file.set_len(length * 3 / 4).expect("cut");
            let error = video.finish().expect_err("it is torn").to_string();
            assert!(error.contains("of 6 images"), "{error}");
            let left = Video::images_of(&path, format).expect("it can be played");
            assert!((1..6).contains(&left) && error.contains(&left.to_string()), "{error}: {left}");
            assert_eq!(names(folder.path()), [name], "nothing partial");
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
