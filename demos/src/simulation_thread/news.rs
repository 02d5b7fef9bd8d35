//! What the simulation tells the window.

use std::{
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use glam::DVec3;
use meniscus::{FrameReport, PassTime, model::State};
use meniscus_render::Fluid;

use super::turns::Turns;
use crate::tuning::Tuning;

/// Pass times that nobody took are dropped beyond this many.
const MOST_TIMES: usize = 1 << 16;

/// How the simulation is doing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Condition {
    /// A scene is being set up.
    #[default]
    Loading,
    /// It runs, or could.
    Ready,
    /// It failed, and why. A reset starts it over.
    Failed(String),
    /// The scene could not be set up, and why. A reset tries again.
    Broken(String),
    /// The device is gone, and why. The thread has ended.
    DeviceLost(String),
}

/// What a scene turned out to be.
#[derive(Debug)]
pub(crate) struct Summary {
    /// The parameters as the scene has them.
    pub(crate) tuning: Tuning,
    /// 2 or 3.
    pub(crate) dimensions: u32,
    /// Frames per simulated second.
    pub(crate) fps: f64,
    /// Whether the device times passes.
    pub(crate) can_time: bool,
}

/// Numbers that change all the time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// Simulated time in s.
    pub(crate) time: f64,
    pub(crate) frame: u32,
    pub(crate) dt: f64,
    pub(crate) particles: u32,
    pub(crate) steps_per_second: f64,
    pub(crate) particle_steps_per_second: f64,
    /// Simulated seconds per second.
    pub(crate) pace: f64,
    pub(crate) steps_per_submission: u32,
    /// The last sums over all particles.
    pub(crate) report: Option<FrameReport>,
}

/// What is new.
#[derive(Debug, Default)]
pub(crate) struct News {
    pub(crate) condition: Condition,
    pub(crate) playing: bool,
    /// In lockstep, it waits for its frame to be drawn.
    pub(crate) waiting: bool,
    /// What to draw, when there is something.
    pub(crate) fluid: Option<Fluid>,
    /// Grows with each submission of steps: what was drawn before is old.
    pub(crate) revision: u64,
    /// Grows with each scene, and with each reset.
    pub(crate) epoch: u64,
    pub(crate) figures: Figures,
    pub(crate) summary: Option<Arc<Summary>>,
    /// Bytes of each buffer, the largest first.
    pub(crate) memory: Arc<Vec<(String, u64)>>,
    /// Times of passes since the news before.
    pub(crate) times: Vec<PassTime>,
    /// Sentences for the user since the news before.
    pub(crate) sentences: Vec<Result<String, String>>,
    /// Where the water was grabbed since the news before.
    pub(crate) grabbed: Option<DVec3>,
}

/// Where news wait until they are taken.
pub(crate) struct Desk {
    news: Mutex<News>,
    checkpoint: Mutex<Option<State>>,
    pub(super) turns: Turns,
    /// News wait that the window was woken for.
    pending: AtomicBool,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for Desk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Desk {
    pub(super) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            news: Mutex::default(),
            checkpoint: Mutex::default(),
            turns: Turns::default(),
            pending: AtomicBool::new(false),
            wake: Box::new(wake),
        }
    }

    /// Changes the news without waking the window.
    pub(super) fn set(&self, change: impl FnOnce(&mut News)) {
        change(&mut lock(&self.news));
    }

    /// Changes the news, and wakes the window once for all that it has not taken.
    pub(super) fn publish(&self, change: impl FnOnce(&mut News)) {
        {
            let mut news = lock(&self.news);
            change(&mut news);
            let excess = news.times.len().saturating_sub(MOST_TIMES);
            news.times.drain(..excess);
        }
        if !self.pending.swap(true, Ordering::AcqRel) {
            (self.wake)();
        }
    }

    /// Looks at the news without taking them.
    pub(super) fn peek(&self, look: impl FnOnce(&News)) {
        look(&lock(&self.news));
    }

    pub(super) fn take(&self) -> News {
        self.pending.store(false, Ordering::Release);
        let mut news = lock(&self.news);
        News {
            condition: news.condition.clone(),
            playing: news.playing,
            waiting: news.waiting,
            fluid: news.fluid.clone(),
            revision: news.revision,
            epoch: news.epoch,
            figures: news.figures.clone(),
            summary: news.summary.clone(),
            memory: Arc::clone(&news.memory),
            times: mem::take(&mut news.times),
            sentences: mem::take(&mut news.sentences),
            grabbed: news.grabbed.take(),
        }
    }

    pub(super) fn keep(&self, state: Option<State>) {
        *lock(&self.checkpoint) = state;
    }

    pub(super) fn checkpoint(&self) -> Option<State> {
        lock(&self.checkpoint).take()
    }
}
