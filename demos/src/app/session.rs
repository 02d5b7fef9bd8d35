//! Everything that lives on one device, created and dropped together.

use std::time::Instant;

use meniscus::{Shaders, State};
use meniscus_live::Chosen;

use crate::{
    capture::Captures,
    failure::Failure,
    gpu_timer::GpuTimer,
    picture::Picture,
    screen::Screen,
    simulation_thread::{SimulationThread, Update},
};

/// Destination of a picture that is read back.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Purpose {
    /// A PNG file.
    Screenshot(std::path::PathBuf),
    /// The video.
    Video,
}

/// Surface, picture and simulation on one device.
pub(super) struct Session {
    // Fields are dropped in this order: the simulation's thread ends before its device goes.
    pub(super) simulation: SimulationThread,
    pub(super) picture: Picture,
    pub(super) captures: Captures<Purpose>,
    pub(super) timer: Option<GpuTimer>,
    pub(super) screen: Screen,
    /// Latest update from the simulation.
    pub(super) update: Update,
    /// Arguments of the last [`crate::simulation_thread::Command::Show`].
    pub(super) shown: Option<(meniscus_render::Mode, meniscus::SurfaceOptions)>,
    /// Where drawing is slow, the time until which the fluid is not redrawn just because it moved.
    pub(super) throttled_until: Option<Instant>,
    /// Last simulation frame that was sent to the video.
    pub(super) recorded: Option<u32>,
    /// Files for screenshots of the next picture.
    pub(super) pending_screenshots: Vec<std::path::PathBuf>,
}

impl Session {
    pub(super) fn open(
        mut screen: Screen,
        chosen: Chosen,
        from: Option<State>,
        shaders: Shaders,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let picture =
            Picture::new(&mut screen).map_err(|error| Failure::Failed(error.to_string()))?;
        let timer = GpuTimer::new(&screen.gpu);
        let simulation = SimulationThread::start(&screen.gpu, chosen, from, shaders, wake)
            .map_err(|error| Failure::Failed(format!("cannot start a thread: {error}")))?;
        Ok(Self {
            simulation,
            picture,
            captures: Captures::default(),
            timer,
            screen,
            update: Update::default(),
            shown: None,
            throttled_until: None,
            recorded: None,
            pending_screenshots: Vec::new(),
        })
    }

    /// Ends the simulation, and returns its last checkpoint.
    pub(super) fn close(self) -> Option<State> {
        self.simulation.end()
    }
}
