//! Errors with files.

use std::fmt;
use std::io;

/// Reason why a file could not be read, understood or written. Its text is complete by itself.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Path of the file.
        path: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The file could not be written; an existing file is unchanged.
    #[error("cannot write {path}: {source}")]
    Write {
        /// Path of the file.
        path: String,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The input is invalid: at least one problem, one per line.
    #[error("{}", .0.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
    Input(Vec<Diagnostic>),
    /// The file is not a checkpoint that this version can resume.
    #[error("{path}: {reason}")]
    Checkpoint {
        /// Path of the file.
        path: String,
        /// What was found and what was expected.
        reason: String,
    },
}

impl Error {
    /// An error with a single problem of the input.
    pub(crate) fn input(place: impl Into<String>, message: impl Into<String>) -> Self {
        let (place, message) = (place.into(), message.into());
        Self::Input(vec![Diagnostic { place, key: None, message }])
    }
}

/// A problem of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Place: `file:line:column`, or a command-line option such as `--set time.fps=0`.
    pub place: String,
    /// Path of the key, where it is known.
    pub key: Option<String>,
    /// What was found and what is expected.
    pub message: String,
}

impl Diagnostic {
    /// Line of the file, from 1, if the place is in a file.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        let mut numbers = self.place.rsplit(':').map(str::parse::<u32>);
        let _column = numbers.next()?.ok()?;
        numbers.next()?.ok()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// `file:line:column` of a byte offset; lines and columns count from 1, columns in characters.
pub(crate) fn place(file: &str, text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    format!("{file}:{line}:{column}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_from_one_and_in_characters() {
        assert_eq!(place("a", "", 0), "a:1:1");
        assert_eq!(place("a", "é = 1\nb", 3), "a:1:3");
        assert_eq!(place("a", "x\ny = 1", 4), "a:2:3");
        assert_eq!(place("a", "x", 99), "a:1:2");
    }
}
