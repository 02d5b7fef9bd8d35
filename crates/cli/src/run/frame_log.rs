//! The log of a run: one JSON object per line and frame.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use meniscus::{Measured, methods::quantity::Form};
use meniscus_formats::LogLine;

use crate::{
    Failure,
    files::{cannot, create_parent},
};

/// A log being written. Every line is flushed to disk before the next frame begins.
#[derive(Debug)]
pub(super) struct FrameLog {
    path: PathBuf,
    file: File,
}

impl FrameLog {
    /// Creates the log. A run `resumed` from a frame keeps the lines up to that frame.
    pub(super) fn open(path: &Path, resumed: Option<u32>) -> Result<Self, Failure> {
        create_parent(path)?;
        let open = || {
            let Some(frame) = resumed else { return File::create(path) };
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)?;
            let kept = length_until(frame, &file)?;
            file.set_len(kept)?;
            file.seek(SeekFrom::Start(kept))?;
            Ok(file)
        };
        let file = open().map_err(|error| cannot("write", path, &error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Appends a line. `measured` are the additional quantities, `named` the values of probes and forces.
    pub(super) fn write(
        &mut self,
        mut line: LogLine,
        measured: &[Measured],
        named: Vec<(String, f64)>,
    ) -> Result<(), Failure> {
        // Every line has the density error anyway.
        let quantities = measured.iter().filter(|one| one.quantity.name != "density_error");
        line.more.extend(quantities.flat_map(|one| {
            let key = |what| format!("{}_{what}", one.quantity.name);
            match one.quantity.form {
                Form::Sum => vec![(one.quantity.name.to_owned(), one.sum)],
                _ => vec![(key("mean"), one.mean), (key("max"), one.max)],
            }
        }));
        line.more.extend(named);
        let line = line.to_json() + "\n";
        self.file.write_all(line.as_bytes()).map_err(|error| cannot("write", &self.path, &error))
    }
}

/// Number of bytes in the complete lines of frames up to `frame`.
fn length_until(frame: u32, file: &File) -> io::Result<u64> {
    #[derive(serde::Deserialize)]
    struct Line {
        frame: u32,
    }
    let mut reader = BufReader::new(file);
    let (mut kept, mut line) = (0, Vec::new());
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line)?;
        let earlier = serde_json::from_slice(&line).is_ok_and(|line: Line| line.frame <= frame);
        if !earlier || !line.ends_with(b"\n") {
            return Ok(kept);
        }
        kept += length as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resumed_log_keeps_whole_lines_up_to_the_checkpoint() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("logs/log.jsonl");
        let line = |frame| LogLine { frame, ..LogLine::default() }.to_json() + "\n";
        let two = line(0) + &line(1);
        drop(FrameLog::open(&path, None).expect("created"));
        for after in [line(2), line(2) + &line(3), line(1)[..30].to_owned(), "{}\n".into()] {
            std::fs::write(&path, two.clone() + &after).expect("written");
            drop(FrameLog::open(&path, Some(1)).expect("opened"));
            assert_eq!(std::fs::read_to_string(&path).expect("read"), two);
        }
        drop(FrameLog::open(&path, None).expect("opened"));
        assert_eq!(std::fs::read(&path).expect("read"), b"");
    }
}
