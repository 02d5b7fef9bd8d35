//! Reasons for exiting with an error, and their exit status.

use std::fmt;

/// A message for the user, with an exit status.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The simulation, the device or an output failed: status 1.
    Failed(String),
    /// The input was wrong: status 2.
    Input(String),
    /// No suitable adapter: status 3.
    NoAdapter(String),
}

impl Failure {
    pub(crate) fn exit_status(&self) -> u8 {
        match self {
            Self::Failed(_) => 1,
            Self::Input(_) => 2,
            Self::NoAdapter(_) => 3,
        }
    }

    /// Appends to the message.
    pub(crate) fn and(self, more: &str) -> Self {
        match self {
            Self::Failed(text) => Self::Failed(text + more),
            Self::Input(text) => Self::Input(text + more),
            Self::NoAdapter(text) => Self::NoAdapter(text + more),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Failed(text) | Self::Input(text) | Self::NoAdapter(text)) = self;
        f.write_str(text)
    }
}

impl From<meniscus::Error> for Failure {
    fn from(error: meniscus::Error) -> Self {
        use meniscus::Error::{Mismatch, NoAdapter, Options, Scene, TooLarge, Unsuitable};
        let text = error.to_string();
        match error {
            NoAdapter(_) | Unsuitable(_) => Self::NoAdapter(text),
            Scene(_) | Options(_) | TooLarge(_) | Mismatch(_) => Self::Input(text),
            _ => Self::Failed(text),
        }
    }
}

impl From<meniscus_render::Error> for Failure {
    fn from(error: meniscus_render::Error) -> Self {
        match error {
            meniscus_render::Error::Gpu(error) => error.into(),
            error => Self::Input(error.to_string()),
        }
    }
}

impl From<meniscus_formats::Error> for Failure {
    fn from(error: meniscus_formats::Error) -> Self {
        let text = error.to_string();
        match error {
            meniscus_formats::Error::Write { .. } => Self::Failed(text),
            _ => Self::Input(text),
        }
    }
}
