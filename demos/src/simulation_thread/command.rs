//! Commands from the window to the simulation.

use glam::DVec3;
use meniscus::{Pull, SurfaceOptions, shaders::Shaders};
use meniscus_render::Mode;

use crate::{scene_choice::Chosen, tuning::Tuning};

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
    /// Finds the first fluid along a ray; the answer comes in the update.
    Grab {
        /// The eye, in m.
        origin: DVec3,
        /// Unit vector.
        direction: DVec3,
    },
    /// Moves the hand's force field, or removes it.
    Grip(Option<Grip>),
    /// Pulls a body with a spring, or lets it go.
    Pull(Option<Pull>),
    /// Target offset of the tank from its place in the scene, in m.
    MoveTank(DVec3),
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

/// The force field at the mouse cursor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grip {
    /// Position of the cursor at the grabbed depth, in m.
    pub(crate) center: DVec3,
    /// Acceleration towards the centre in m/s²; negative values push.
    pub(crate) strength: f32,
    /// Radius in m at which the force has tapered to 0.
    pub(crate) radius: f32,
}
