//! What the window tells the simulation.

use glam::DVec3;
use meniscus::{Pull, SurfaceOptions, shaders::Shaders};
use meniscus_render::Mode;

use crate::{scene_choice::Chosen, tuning::Tuning};

/// A wish of the user. Commands are obeyed in order, between two submissions.
#[derive(Debug)]
pub(crate) enum Command {
    /// Runs another scene from its start.
    Load(Box<Chosen>),
    /// Back to the start of the scene; the sliders stay as they are.
    Reset,
    /// Runs or stops.
    Play(bool),
    /// Makes one time step.
    Step,
    /// Runs to the end of the frame.
    Frame,
    /// Simulated seconds per second; as fast as it goes where absent.
    TimeScale(Option<f64>),
    /// Parameters have changed.
    Tune(Box<Tuning>),
    /// Takes hold of the water that the ray meets first.
    Grab {
        /// The eye, in m.
        origin: DVec3,
        /// Unit vector.
        direction: DVec3,
    },
    /// The hand moves, or lets go.
    Grip(Option<Grip>),
    /// The hand pulls a body, or lets go.
    Pull(Option<Pull>),
    /// Where the tank is wanted, from where the scene has it, in m.
    MoveTank(DVec3),
    /// How the fluid is drawn: surfaces are made only when somebody looks.
    Show(Mode, SurfaceOptions),
    /// The window has drawn what it was given, and the film has this frame.
    Drawn {
        /// The last frame of the simulation that the film has.
        filmed: Option<u32>,
    },
    /// Waits after each frame until the film has it.
    Lockstep(bool),
    /// Times every pass.
    Time(bool),
    /// Goes on with other shaders.
    Shaders(Box<Shaders>),
}

/// The force field of a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grip {
    /// Where the cursor is, at the depth that was grabbed, in m.
    pub(crate) center: DVec3,
    /// m/s² towards the hand; negative pushes.
    pub(crate) strength: f32,
    /// Radius in m at which it has tapered to 0.
    pub(crate) radius: f32,
}
