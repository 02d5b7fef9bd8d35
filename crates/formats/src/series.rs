//! Collections of VTK files with their times (`.pvd`), which `ParaView` opens as one animation.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::write::write_whole;

/// The list of the files of a run, written whole after each.
#[derive(Clone, Debug)]
pub struct Series {
    path: PathBuf,
    /// Times in s, each with a file's name.
    files: Vec<(f64, String)>,
}

impl Series {
    /// A series in a file. A run that resumes at a time in s keeps the files up to that.
    #[must_use]
    pub fn open(path: PathBuf, resumed: Option<f64>) -> Self {
        let Some(last) = resumed else { return Self { path, files: Vec::new() } };
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let entry = |line: &str| {
            let of = |key: &str| Some(line.split_once(key)?.1.split_once('"')?.0.to_owned());
            Some((of("timestep=\"")?.parse().ok()?, of("file=\"")?))
        };
        let known = text.lines().filter_map(entry);
        let files = known.filter(|(time, _): &(f64, _)| *time < last + 1e-9).collect();
        Self { path, files }
    }

    /// Adds a file, by its path, at a time in s.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn add(&mut self, time: f64, file: &Path) -> Result<(), Error> {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        self.files.push((time, name.into_owned()));
        write_whole(&self.path, |writer| {
            writeln!(writer, "<?xml version=\"1.0\"?>")?;
            writeln!(writer, "<VTKFile type=\"Collection\" version=\"0.1\"><Collection>")?;
            for (time, name) in &self.files {
                writeln!(writer, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{name}\"/>")?;
            }
            writeln!(writer, "</Collection></VTKFile>")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_goes_on_where_a_run_resumes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("particles.pvd");
        let mut first = Series::open(path.clone(), None);
        for frame in 0..4 {
            let name = format!("particles_{frame:05}.vtp");
            first.add(0.1 * f64::from(frame), Path::new(&name)).expect("written");
        }
        let mut second = Series::open(path.clone(), Some(0.1));
        second.add(0.2, Path::new("out/particles_00002.vtp")).expect("written");
        let text = std::fs::read_to_string(&path).expect("a file");
        let named: Vec<_> = text.lines().filter(|line| line.contains("file=")).collect();
        assert_eq!(named.len(), 3, "{text}");
        assert!(
            named[2].contains("timestep=\"0.2\"") && named[2].contains("\"particles_00002.vtp")
        );
        assert_eq!(Series::open(path, None).files, []);
    }
}
