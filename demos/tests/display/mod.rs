//! A virtual display, and the pixels on it.

use std::{
    fs,
    io::{self, BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Xvfb, which maps its screen to a file, so that no other program is needed to read it.
pub(crate) struct Display {
    server: Child,
    name: Name,
    screen: PathBuf,
}

/// A display's name, to send events to.
#[derive(Clone)]
pub(crate) struct Name(String);

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Display {
    /// Starts the server with a free display number.
    pub(crate) fn start((width, height): (u32, u32), folder: &Path) -> io::Result<Self> {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-nolisten", "tcp", "-noreset"])
            .args(["-screen", "0", &format!("{width}x{height}x24"), "-fbdir"])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut number = String::new();
        if let Some(stdout) = server.stdout.take() {
            BufReader::new(stdout).read_line(&mut number)?;
        }
        let name = Name(format!(":{}", number.trim()));
        let display = Self { server, name, screen: folder.join("Xvfb_screen0") };
        if number.trim().is_empty() || !display.screen.exists() {
            return Err(io::Error::other("it gave no display"));
        }
        Ok(display)
    }

    /// Value for the environment variable `DISPLAY`.
    pub(crate) fn name(&self) -> &str {
        &self.name.0
    }

    pub(crate) fn clone_name(&self) -> Name {
        self.name.clone()
    }

    /// The current screen.
    pub(crate) fn picture(&self) -> Picture {
        Picture::from_xwd(&fs::read(&self.screen).expect("Xvfb keeps its screen"))
    }
}

impl Name {
    /// Runs xdotool, which sends input events.
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool").args(arguments).env("DISPLAY", &self.0).output();
        let output = output.expect("xdotool is installed");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "xdotool {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Gives a window the keyboard focus, since there is no window manager.
    pub(crate) fn focus(&self, title: &str) {
        let window = self.xdotool(&["search", "--onlyvisible", "--name", title]);
        let window = window.lines().last().expect("a window").to_owned();
        let begin = Instant::now();
        loop {
            self.xdotool(&["windowfocus", &window]);
            if self.xdotool(&["getwindowfocus"]) == window {
                return;
            }
            assert!(begin.elapsed() < Duration::from_secs(10), "the window takes no focus");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Pixels of the screen.
pub(crate) struct Picture {
    width: u32,
    height: u32,
    pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// Parses an `xwd` dump with 32 bits per pixel.
    fn from_xwd(bytes: &[u8]) -> Self {
        let word = |k: usize| {
            let word = bytes.get(4 * k..4 * k + 4).expect("a whole header");
            u32::from_be_bytes(word.try_into().expect("4 bytes")) as usize
        };
        let (header, width, height) = (word(0), word(4), word(5));
        let (little_endian, bits, stride, colors) = (word(7) == 0, word(11), word(12), word(19));
        assert_eq!(bits, 32, "bits a pixel");
        let data = &bytes[header + 12 * colors..];
        let rows = data.chunks_exact(stride).take(height);
        let pixel = |p: &[u8]| if little_endian { [p[2], p[1], p[0]] } else { [p[1], p[2], p[3]] };
        let pixels = rows.flat_map(|row| row[..4 * width].chunks_exact(4).map(pixel)).collect();
        Self { width: width as u32, height: height as u32, pixels }
    }

    /// Pixels of a region given as left, top, right, bottom.
    fn region(&self, [left, top, right, bottom]: [u32; 4]) -> impl Iterator<Item = (u32, u32)> {
        let (right, bottom) = (right.min(self.width), bottom.min(self.height));
        (top..bottom).flat_map(move |y| (left..right).map(move |x| (x, y)))
    }

    fn at(&self, (x, y): (u32, u32)) -> [u8; 3] {
        self.pixels[(y * self.width + x) as usize]
    }

    /// Number of pixels of a region that match.
    pub(crate) fn count(&self, region: [u32; 4], matches: impl Fn([u8; 3]) -> bool) -> u32 {
        self.region(region).filter(|at| matches(self.at(*at))).count() as u32
    }

    /// Number of pixels of a region that differ visibly from another picture.
    pub(crate) fn changed(&self, other: &Self, region: [u32; 4]) -> u32 {
        let far = |at: &(u32, u32)| {
            self.at(*at).iter().zip(other.at(*at)).any(|(a, b)| a.abs_diff(b) > 24)
        };
        self.region(region).filter(far).count() as u32
    }

    /// Centroid of the pixels of a region that match.
    pub(crate) fn middle(&self, region: [u32; 4], matches: impl Fn([u8; 3]) -> bool) -> [u32; 2] {
        let found: Vec<_> = self.region(region).filter(|at| matches(self.at(*at))).collect();
        let count = found.len().max(1) as u64;
        let mean = |sum: u64| (sum / count) as u32;
        let x = found.iter().map(|at| u64::from(at.0)).sum();
        let y = found.iter().map(|at| u64::from(at.1)).sum();
        [mean(x), mean(y)]
    }

    /// Saves the picture for inspection. Returns a message with its place, or the reason for the
    /// failure.
    pub(crate) fn save(&self, file: &Path) -> String {
        let bytes = self.pixels.concat();
        let saved =
            image::RgbImage::from_raw(self.width, self.height, bytes).map(|image| image.save(file));
        match saved {
            Some(Ok(())) => format!("the screen is in {}", file.display()),
            _ => "the screen could not be saved".into(),
        }
    }
}
