//! Reasons for exiting with an error, and their exit status.

use std::{fmt, process::ExitCode};

/// A message for the user, with an exit status.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The simulation, the device or an output failed: status 1.
    Failed(String),
    /// The input was wrong: status 2.
    Input(String),
    /// No suitable adapter or no display: status 3.
    Missing(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Failed(_) => 1,
            Self::Input(_) => 2,
            Self::Missing(_) => 3,
        })
    }

    /// No display to open a window on.
    pub(crate) fn no_display(why: &str) -> Self {
        // winit's message begins with a place in its sources.
        let why = why.rsplit(": ").next().unwrap_or(why).trim_end_matches('.');
        Self::Missing(format!(
            "there is no display to open a window on ({why}); use `meniscus render SCENE --out FILE.mp4` \
             to make images and videos without one"
        ))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Failed(text) | Self::Input(text) | Self::Missing(text)) = self;
        f.write_str(text)
    }
}

impl From<meniscus::Error> for Failure {
    fn from(error: meniscus::Error) -> Self {
        use meniscus::Error::{Mismatch, NoAdapter, Options, Scene, TooLarge, Unsuitable};
        let text = error.to_string();
        match error {
            NoAdapter(_) | Unsuitable(_) => Self::Missing(text),
            Scene(_) | Options(_) | TooLarge(_) | Mismatch(_) => Self::Input(text),
            _ => Self::Failed(text),
        }
    }
}
