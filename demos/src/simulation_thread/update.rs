//! Updates from the simulation to the window.

use std::{
    mem,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use glam::DVec3;
use meniscus::{FrameReport, PassTime, State};
use meniscus_live::Tuning;
use meniscus_render::FluidBuffers;

use super::device_lock::DeviceLock;

/// Most pass times that are kept until the window takes them; older ones are dropped.
const MAX_PASS_TIMES: usize = 1 << 16;

/// State of the simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Condition {
    /// A scene is being set up.
    #[default]
    Loading,
    /// The simulation is running or paused.
    Ready,
    /// The simulation failed, and why. A reset restarts it.
    Failed(String),
    /// The scene could not be set up, and why. A reset tries again.
    Broken(String),
    /// The device was lost, and why. The thread has ended.
    DeviceLost(String),
}

/// Properties of a scene that was set up.
#[derive(Debug)]
pub(crate) struct Summary {
    /// Parameters as given by the scene.
    pub(crate) tuning: Tuning,
    /// Frames per simulated second.
    pub(crate) fps: f64,
    /// Whether the device can time passes.
    pub(crate) can_time: bool,
}

/// Measurements that change all the time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stats {
    /// Simulated time in s.
    pub(crate) time: f64,
    pub(crate) frame: u32,
    pub(crate) dt: f64,
    /// Fluid particles, or cells of smoke.
    pub(crate) particles: u32,
    pub(crate) steps_per_second: f64,
    pub(crate) particle_steps_per_second: f64,
    /// Simulated seconds per real second.
    pub(crate) pace: f64,
    pub(crate) steps_per_submission: u32,
    /// Loops of the solver, with their iterations and their error in percent in a step.
    pub(crate) loops: Vec<(String, f64, f64)>,
    /// Latest diagnostics.
    pub(crate) report: Option<FrameReport>,
}

/// A snapshot of the simulation for the window.
#[derive(Debug, Default)]
pub(crate) struct Update {
    pub(crate) condition: Condition,
    pub(crate) playing: bool,
    /// In lockstep, the simulation is waiting for its frame to be drawn.
    pub(crate) waiting: bool,
    /// The fluid to draw, if there is one.
    pub(crate) fluid: Option<FluidBuffers>,
    /// Counter of submissions: an older picture is out of date.
    pub(crate) revision: u64,
    /// Counter of scenes loaded and resets.
    pub(crate) epoch: u64,
    pub(crate) stats: Stats,
    pub(crate) summary: Option<Arc<Summary>>,
    /// Bytes per buffer, largest first.
    pub(crate) memory: Arc<Vec<(String, u64)>>,
    /// Pass times since the last update.
    pub(crate) times: Vec<PassTime>,
    /// Messages for the user since the last update; errors as `Err`.
    pub(crate) messages: Vec<Result<String, String>>,
    /// Where a [`meniscus_live::HandCommand::Grab`] has found fluid, in m.
    pub(crate) grabbed: Option<DVec3>,
}

/// Mailbox where updates wait until the window takes them.
pub(crate) struct Mailbox {
    update: Mutex<Update>,
    checkpoint: Mutex<Option<State>>,
    pub(super) device_lock: DeviceLock,
    /// The window has been woken and has not yet taken the update.
    pending: AtomicBool,
    wake: Box<dyn Fn() + Send + Sync>,
}

impl std::fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mailbox").finish_non_exhaustive()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mailbox {
    pub(super) fn new(wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self {
            update: Mutex::default(),
            checkpoint: Mutex::default(),
            device_lock: DeviceLock::default(),
            pending: AtomicBool::new(false),
            wake: Box::new(wake),
        }
    }

    /// Changes the update without waking the window.
    pub(super) fn set(&self, change: impl FnOnce(&mut Update)) {
        change(&mut lock(&self.update));
    }

    /// Changes the update, and wakes the window unless a wake-up is pending.
    pub(super) fn publish(&self, change: impl FnOnce(&mut Update)) {
        {
            let mut update = lock(&self.update);
            change(&mut update);
            let excess = update.times.len().saturating_sub(MAX_PASS_TIMES);
            update.times.drain(..excess);
        }
        if !self.pending.swap(true, Ordering::AcqRel) {
            (self.wake)();
        }
    }

    /// Reads the update without taking it.
    pub(super) fn peek(&self, look: impl FnOnce(&Update)) {
        look(&lock(&self.update));
    }

    pub(super) fn take(&self) -> Update {
        self.pending.store(false, Ordering::Release);
        let mut update = lock(&self.update);
        Update {
            condition: update.condition.clone(),
            playing: update.playing,
            waiting: update.waiting,
            fluid: update.fluid.clone(),
            revision: update.revision,
            epoch: update.epoch,
            stats: update.stats.clone(),
            summary: update.summary.clone(),
            memory: Arc::clone(&update.memory),
            times: mem::take(&mut update.times),
            messages: mem::take(&mut update.messages),
            grabbed: update.grabbed.take(),
        }
    }

    pub(super) fn keep(&self, state: Option<State>) {
        *lock(&self.checkpoint) = state;
    }

    pub(super) fn checkpoint(&self) -> Option<State> {
        lock(&self.checkpoint).take()
    }
}
