//! Tables of CSV with a line for each time: values of a scene's probes, forces on its solids.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use meniscus::raw::model::probes::Column;

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
    /// At each multiple of such a time in s, between two steps.
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

/// Times in s that are the same.
const CLOSE: f64 = 1e-9;

/// The table, open for its next line.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    file: File,
    every: Every,
    /// Number of the next line with [`Every::Seconds`], of which the first is 0.
    next: f64,
    /// The last step's end in s and its values.
    last: Option<(f64, Vec<f64>)>,
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
                    if first.is_some_and(|first| first > time + CLOSE) || !line.ends_with('\n') {
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
        let next = match (every, resumed) {
            (Every::Seconds(seconds), Some(time)) => ((time + CLOSE) / seconds).floor() + 1.0,
            _ => 0.0,
        };
        Ok(Self { path: path.to_owned(), file, every, next, last: None })
    }

    /// Whether it has lines between frames.
    pub(super) fn is_between_frames(&self) -> bool {
        self.every != Every::Frame
    }

    /// When the next line is due, in s; `frame` is the end of the frame.
    pub(super) fn due(&self, frame: f64) -> f64 {
        match self.every {
            Every::Frame => frame,
            Every::Step => f64::NEG_INFINITY,
            Every::Seconds(seconds) => self.next * seconds,
        }
    }

    /// Adds the lines that are due after a step from `begin` to `time` in s, whose values were read at its end. Lines between two
    /// steps have values between theirs.
    pub(super) fn step(
        &mut self,
        begin: f64,
        time: f64,
        ends_frame: bool,
        values: &[f64],
    ) -> Result<(), Failure> {
        let before = self.last.replace((time, values.to_vec()));
        let before = before.filter(|(at, _)| (at - begin).abs() < CLOSE && begin < time);
        for due in self.dues(time, ends_frame) {
            match &before {
                Some((at, first)) => {
                    let part = ((due - at) / (time - at)).clamp(0.0, 1.0);
                    let line: Vec<_> =
                        first.iter().zip(values).map(|(a, b)| between(*a, *b, part)).collect();
                    self.write(due, &line)?;
                }
                // Nothing is known of the step's beginning.
                None => return self.write(time, values),
            }
        }
        Ok(())
    }

    /// Times in s of the lines that are due up to the end of a step, `time`; they count as written.
    pub(super) fn dues(&mut self, time: f64, ends_frame: bool) -> Vec<f64> {
        let Every::Seconds(seconds) = self.every else {
            let is_due = self.every == Every::Step || ends_frame;
            return is_due.then_some(time).into_iter().collect();
        };
        let mut dues = Vec::new();
        while self.next * seconds <= time + CLOSE {
            // 0.3, not 0.30000000000000004.
            dues.push((self.next * seconds * 1e9).round() / 1e9);
            self.next += 1.0;
        }
        dues
    }

    /// Adds a line of values that were read at a time in s.
    pub(super) fn write(&mut self, time: f64, values: &[f64]) -> Result<(), Failure> {
        // Nothing where there is no fluid.
        let cell = |value: &f64| if value.is_finite() { value.to_string() } else { String::new() };
        add(&self.file, std::iter::once(time.to_string()).chain(values.iter().map(cell)))
            .map_err(|error| cannot("write", &self.path, &error))
    }
}

/// Value a share of the way from one to another; the nearer one if the other does not exist.
pub(super) fn between(a: f64, b: f64, part: f64) -> f64 {
    match (a.is_finite() && b.is_finite(), part < 0.5) {
        (true, _) => a + part * (b - a),
        (false, true) => a,
        (false, false) => b,
    }
}

/// Adds a line, whose cells are quoted where they need it (RFC 4180).
fn add(file: &File, cells: impl Iterator<Item = String>) -> io::Result<()> {
    let mut line = csv::Writer::from_writer(file);
    line.write_record(cells)?;
    line.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_between_steps_have_values_between_theirs() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("p.csv");
        let columns = [Column::new("p", "Pa")];
        let mut table = Table::open(&path, Every::Seconds(0.25), &columns, None).expect("opened");
        let nothing = f64::NAN;
        for (begin, time, value) in [
            (0.0, 0.0, 1.0),
            (0.0, 0.125, 1.0),
            (0.125, 0.375, 3.0),
            (0.375, 1.0, 3.0),
            (1.0, 1.2, nothing),
            (1.2, 1.3, 2.0),
        ] {
            table.step(begin, time, false, &[value]).expect("written");
        }
        let text = std::fs::read_to_string(&path).expect("read");
        assert_eq!(text, "time [s],p [Pa]\n0,1\n0.25,2\n0.5,3\n0.75,3\n1,3\n1.25,2\n");
        let mut table =
            Table::open(&path, Every::Seconds(0.25), &columns, Some(0.5)).expect("opened");
        table.step(0.5, 0.6, false, &[4.0]).expect("written");
        table.step(0.6, 0.8, false, &[4.0]).expect("written");
        let text = std::fs::read_to_string(&path).expect("read");
        assert_eq!(text, "time [s],p [Pa]\n0,1\n0.25,2\n0.5,3\n0.75,4\n");
    }
}
