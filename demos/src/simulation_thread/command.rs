//! Commands from the window to the simulation.

use meniscus::{Shaders, SurfaceOptions};
use meniscus_live::{Chosen, HandCommand, Tuning};
use meniscus_render::Mode;

/// A command. The thread executes commands in order, between two submissions.
#[derive(Debug)]
pub(crate) enum Command {
    /// Loads another scene.
    Load(Box<Chosen>),
    /// Restarts the scene; sliders keep their values.
    Reset,
    /// Plays or pauses.
    Play(bool),
    /// Advances by one time step.
    Step,
    /// Advances to the end of the frame.
    Frame,
    /// Simulated seconds per real second; `None` is unlimited.
    TimeScale(Option<f64>),
    /// Applies changed parameters.
    Tune(Box<Tuning>),
    /// Does what the hand asks; where it has found water comes in the update.
    Hand(HandCommand),
    /// View mode and surface options: surfaces are computed only for a mode that shows them.
    Show(Mode, SurfaceOptions),
    /// The window has drawn the latest update.
    Drawn {
        /// Last simulation frame that the video has recorded.
        recorded: Option<u32>,
    },
    /// Waits after each frame until the video has recorded it.
    Lockstep(bool),
    /// Times every pass, or stops timing.
    Time(bool),
    /// Replaces the shaders and resumes.
    Shaders(Box<Shaders>),
}
