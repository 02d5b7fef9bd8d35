//! One thing that is wrong with a value that a scene file holds.

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct Problem {
    /// The key at fault, as in `fluid[0].shape.box.min`.
    pub path: String,
    /// What was found and what is expected, as a sentence without a full stop.
    pub message: String,
}

impl Problem {
    /// A problem of the key at `path`.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}
