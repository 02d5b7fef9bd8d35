//! Why the window ends early, and with which status.

use std::{fmt, process::ExitCode};

/// A sentence for the user, and the exit status that goes with it.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The simulation, the device or an output failed: status 1.
    Failed(String),
    /// The input was wrong: status 2.
    Input(String),
    /// There is no adapter that can be used, or no display: status 3.
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

    /// There is nowhere to open a window.
    pub(crate) fn no_display(why: &str) -> Self {
        // winit says first where in its sources it found out.
        let why = why.rsplit(": ").next().unwrap_or(why).trim_end_matches('.');
        Self::Missing(format!(
            "there is no display to open a window on ({why}); `meniscus render SCENE --out FILE.mp4` \
             makes pictures and films without one"
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
        use meniscus::Error::{Mismatch, NoAdapter, Scene, TooLarge, Unsuitable};
        let text = error.to_string();
        match error {
            NoAdapter(_) | Unsuitable(_) => Self::Missing(text),
            Scene(_) | TooLarge(_) | Mismatch(_) => Self::Input(text),
            _ => Self::Failed(text),
        }
    }
}
