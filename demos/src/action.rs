//! Actions of buttons and keys.

use crate::picture::Mode;

/// An action of the user, carried out by the window or passed on to the simulation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    PlayPause,
    Step,
    Frame,
    Reset,
    Slower,
    Faster,
    /// Simulated seconds per real second; `None` is unlimited.
    TimeScale(Option<f64>),
    /// Opens a bundled scene or a file.
    Load(String),
    /// Reloads the scene with about this number of particles.
    Particles(u32),
    /// Reloads the scene with another solver.
    Solver(&'static str),
    /// Sends the changed parameters.
    Tune,
    /// Restores the parameters of the scene.
    ResetTuning,
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
