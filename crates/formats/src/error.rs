//! What goes wrong with files, as sentences.

use std::fmt;
use std::io;

/// Why a file could not be read, understood or written. Its text needs no addition.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file could not be read at all.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file, as it was named.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The file could not be written; nothing is left under its name but what was there before.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file, as it was named.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// The input was read but is wrong: at least one fault, one line each.
    #[error("{}", .0.iter().map(Diagnostic::to_string).collect::<Vec<_>>().join("\n"))]
    Input(Vec<Diagnostic>),
    /// The file is not a checkpoint that this version can resume.
    #[error("{path}: {reason}")]
    Checkpoint {
        /// The file, as it was named.
        path: String,
        /// What was found and what was expected.
        reason: String,
    },
}

impl Error {
    /// A single fault of the input.
    pub(crate) fn input(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Input(vec![Diagnostic { place: place.into(), message: message.into() }])
    }
}

/// One fault of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// Where: `file:line:column`, or the command-line option, as in `--set time.fps=0`.
    pub place: String,
    /// What was found and what is expected.
    pub message: String,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// `file:line:column` of a byte offset, both counted from 1, columns in characters.
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
