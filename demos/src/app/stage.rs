//! All that lives on the device: it goes, and comes anew, as a whole.

use std::time::Instant;

use meniscus::{model::State, shaders::Shaders};

use crate::{
    capture::Captures,
    failure::Failure,
    gpu_timer::GpuTimer,
    picture::Picture,
    scene_choice::Chosen,
    screen::Screen,
    simulation_thread::{News, SimulationThread},
};

/// What a picture is read back for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Purpose {
    /// A file.
    Screenshot(std::path::PathBuf),
    /// The film.
    Film,
}

/// Surface, picture and simulation on one device.
pub(super) struct Stage {
    // In this order they are dropped: the simulation's thread ends before the device goes.
    pub(super) simulation: SimulationThread,
    pub(super) picture: Picture,
    pub(super) captures: Captures<Purpose>,
    pub(super) timer: Option<GpuTimer>,
    pub(super) screen: Screen,
    /// The last news.
    pub(super) news: News,
    /// What [`crate::simulation_thread::Command::Show`] was sent last.
    pub(super) shown: Option<(meniscus_render::Mode, meniscus::SurfaceOptions)>,
    /// Where drawing is slow: until when the water is not drawn only because it moved.
    pub(super) rest: Option<Instant>,
    /// The simulation frame that the film had last.
    pub(super) filmed: Option<u32>,
    /// Screenshots to be taken of the next picture.
    pub(super) wanted: Vec<std::path::PathBuf>,
}

impl Stage {
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
            news: News::default(),
            shown: None,
            rest: None,
            filmed: None,
            wanted: Vec::new(),
        })
    }

    /// Ends it, and hands out the state to go on from.
    pub(super) fn close(self) -> Option<State> {
        self.simulation.end()
    }
}
