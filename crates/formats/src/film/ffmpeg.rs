//! What ffmpeg and ffprobe do for films.

use std::{
    io::{self, Read, Write},
    path::Path,
    process::{Child, Command, Stdio},
};

use super::VideoFormat;
use crate::error::Error;

/// The ffmpeg process, killed on drop.
pub(super) struct Encoder(pub(super) Child);

impl Drop for Encoder {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Up to two numbers that ffprobe says about a film, such as its `width,height`.
pub(super) fn probed(path: &Path, what: &str) -> Result<[u32; 2], Error> {
    probe(path, what).map_err(|source| Error::Read { path: path.display().to_string(), source })
}

/// Number of the images in a film that may not be whole.
pub(super) fn packets(path: &Path) -> io::Result<u32> {
    probe(path, "nb_read_packets").map(|[count, _]| count)
}

fn probe(path: &Path, what: &str) -> io::Result<[u32; 2]> {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries"]);
    command.args([&format!("stream={what}"), "-of", "csv=p=0"]).arg(path);
    let output = command.stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.trim().split(',').map_while(|word| word.trim().parse().ok());
    match numbers.next() {
        Some(first) => Ok([first, numbers.next().unwrap_or(0)]),
        None => {
            let said = String::from_utf8_lossy(&output.stderr);
            let text = last_line(&said, &"it is no film").replace("ffmpeg", "ffprobe");
            Err(io::Error::other(text))
        }
    }
}

/// Puts films of one format one after another, without encoding them again.
pub(super) fn joined_up(parts: &[&Path], to: &Path) -> io::Result<()> {
    let mut list = String::new();
    for part in parts {
        let path = std::path::absolute(part)?.display().to_string().replace('\'', "'\\''");
        list += &format!("file 'file:{path}'\n");
    }
    let mut command = Command::new("ffmpeg");
    command
        .args(["-hide_banner", "-loglevel", "error", "-y"])
        .args(["-f", "concat", "-safe", "0", "-protocol_whitelist", "file,pipe", "-i", "-"])
        .args(["-c", "copy", "-movflags", "+faststart"])
        .arg(to);
    own_group(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut encoder = Encoder(command.spawn()?);
    let child = &mut encoder.0;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(list.as_bytes())?;
    }
    let said = read_stderr(child);
    let status = child.wait()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(last_line(&said, &status))),
    }
}

/// Ctrl-C ends the program, which then completes the video; ffmpeg would end at once.
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

pub(super) fn ffmpeg(
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
                // Fragments of a fifth of a second, of which those before the disk is full are whole.
                "-movflags",
                "+frag_keyframe+empty_moov+default_base_moof",
                "-frag_duration",
                "200000",
            ]);
        }
    }
    own_group(&mut command);
    command.arg(path).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()
}

/// Reason why ffmpeg stopped reading.
pub(super) fn what_ffmpeg_said(child: &mut Child, error: io::Error) -> io::Error {
    drop(child.stdin.take());
    let said = read_stderr(child);
    let _ = child.wait();
    io::Error::other(last_line(&said, &error))
}

pub(super) fn read_stderr(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        let _ = stderr.read_to_string(&mut said);
    }
    said
}

pub(super) fn last_line(said: &str, otherwise: &dyn std::fmt::Display) -> String {
    match said.trim().lines().last() {
        Some(line) => format!("ffmpeg: {line}"),
        None => format!("ffmpeg: {otherwise}"),
    }
}
