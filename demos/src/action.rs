//! What buttons and keys do.

use crate::picture::Mode;

/// A wish of the user that the window itself fulfils, or passes on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    PlayPause,
    Step,
    Frame,
    Reset,
    Slower,
    Faster,
    /// Simulated seconds per second; as fast as it goes where absent.
    TimeScale(Option<f64>),
    /// A bundled scene or a file.
    Load(String),
    /// The same scene with about so many particles.
    Particles(u32),
    /// The same scene with another solver.
    Solver(&'static str),
    /// The parameters have changed.
    Tune,
    /// The parameters as the scene has them.
    Untune,
    Mode(Mode),
    NextColor,
    Boundaries,
    Legend,
    ResetCamera,
    Controls,
    Profiler,
    Help,
    Screenshot,
    Record,
    Trace,
    CloseNotice(usize),
    Quit,
}
