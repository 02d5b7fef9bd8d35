//! Tables of CSV with a line for each time: values of a scene's probes, forces on its solids.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use meniscus::model::probes::Column;

use crate::{
    Failure,
    files::{cannot, create_parent},
};

/// When a table has a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Every {
    /// At the end of each frame.
    Frame,
    /// After each step.
    Step,
    /// At the first step after each such time in s.
    Seconds(f64),
}

impl Every {
    /// Reads `frame`, `step` or a time in s.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text {
            "frame" => Ok(Self::Frame),
            "step" => Ok(Self::Step),
            _ => match text.parse::<f64>() {
                Ok(seconds) if seconds > 0.0 && seconds.is_finite() => Ok(Self::Seconds(seconds)),
                _ => Err("expected frame, step or a time in seconds greater than 0".into()),
            },
        }
    }
}

/// The table, open for its next line.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    file: File,
    every: Every,
    /// Time in s from which the next line is due, with [`Every::Seconds`].
    due: f64,
}

impl Table {
    /// Creates the table with a header, as `time [s],gauge_1 [m]`. A run that resumes keeps the lines before its time
    /// in s.
    pub(super) fn open(
        path: &Path,
        every: Every,
        columns: &[Column],
        resumed: Option<f64>,
    ) -> Result<Self, Failure> {
        create_parent(path)?;
        let open = || {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(resumed.is_none());
            let mut file = options.open(path)?;
            let mut kept = 0;
            if let Some(time) = resumed {
                let mut reader = BufReader::new(&file);
                let mut line = String::new();
                while reader.read_line(&mut line)? > 0 {
                    let first = line.split(',').next().and_then(|text| text.parse::<f64>().ok());
                    if first.is_some_and(|first| first > time + 1e-9) || !line.ends_with('\n') {
                        break;
                    }
                    kept += line.len() as u64;
                    line.clear();
                }
            }
            file.set_len(kept)?;
            file.seek(SeekFrom::Start(kept))?;
            if kept == 0 {
                let with_unit = |column: &Column| match column.unit {
                    "" => column.name.clone(),
                    unit => format!("{} [{unit}]", column.name),
                };
                let names = columns.iter().map(with_unit);
                add(&file, std::iter::once("time [s]".to_owned()).chain(names))?;
            }
            Ok(file)
        };
        let file = open().map_err(|error| cannot("write", path, &error))?;
        let due = resumed.unwrap_or(f64::NEG_INFINITY);
        Ok(Self { path: path.to_owned(), file, every, due })
    }

    /// Whether it has lines between frames.
    pub(super) fn is_between_frames(&self) -> bool {
        self.every != Every::Frame
    }

    /// Whether a line is due after a step, at the end of a frame or not.
    pub(super) fn is_due(&mut self, time: f64, ends_frame: bool) -> bool {
        match self.every {
            Every::Frame => ends_frame,
            Every::Step => true,
            Every::Seconds(seconds) => {
                let is_due = time >= self.due - 1e-9;
                if is_due {
                    self.due = ((time + 1e-9) / seconds).floor().mul_add(seconds, seconds);
                }
                is_due
            }
        }
    }

    /// Adds a line of values that were read at a time in s.
    pub(super) fn write(&mut self, time: f64, values: &[f64]) -> Result<(), Failure> {
        // Nothing where there is no fluid.
        let cell = |value: &f64| if value.is_finite() { value.to_string() } else { String::new() };
        add(&self.file, std::iter::once(time.to_string()).chain(values.iter().map(cell)))
            .map_err(|error| cannot("write", &self.path, &error))
    }
}

/// Adds a line, whose cells are quoted where they need it (RFC 4180).
fn add(file: &File, cells: impl Iterator<Item = String>) -> io::Result<()> {
    let mut line = csv::Writer::from_writer(file);
    line.write_record(cells)?;
    line.flush()
}
