//! The simulation, in its own thread.
//!
//! The window sends [`Command`]s and takes [`Update`]s; neither waits for the other. The window
//! draws from clones of the simulation's buffer handles ([`Update::fluid`]), so that it can draw
//! between any two submissions of steps.

mod command;
mod device_lock;
mod update;
mod worker;

use std::{
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    thread::JoinHandle,
};

use meniscus::{Gpu, model::State, shaders::Shaders};
use meniscus_live::Chosen;

pub(crate) use command::Command;
use update::Mailbox;
pub(crate) use update::{Condition, Stats, Summary, Update};
use worker::Worker;

/// Handle to the thread. Dropping it ends the thread after its current submission.
#[derive(Debug)]
pub(crate) struct SimulationThread {
    commands: Option<Sender<Command>>,
    mailbox: Arc<Mailbox>,
    handle: Option<JoinHandle<()>>,
}

impl SimulationThread {
    /// Starts the thread with a scene, or with a state of that scene. The thread calls `wake` when
    /// an update is ready.
    pub(crate) fn start(
        gpu: &Gpu,
        chosen: Chosen,
        from: Option<State>,
        shaders: Shaders,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let mailbox = Arc::new(Mailbox::new(wake));
        let (commands, inbox) = channel();
        let mut worker = Worker::new(gpu.clone(), Arc::clone(&mailbox), inbox, shaders);
        let work = move || worker.work(chosen, from);
        let handle = std::thread::Builder::new().name("simulation".into()).spawn(work)?;
        Ok(Self { commands: Some(commands), mailbox, handle: Some(handle) })
    }

    /// Sends a command. A thread that has ended ignores it; its last update says why it ended.
    pub(crate) fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            let _ = commands.send(command);
        }
    }

    /// Runs `work` while the thread submits nothing. Returns false without running it if the thread
    /// is busy; the thread then waits for another call, so call again soon.
    pub(crate) fn try_with_idle_device(&self, work: impl FnOnce()) -> bool {
        self.mailbox.device_lock.try_with(work)
    }

    /// Everything new since the last call.
    pub(crate) fn take_update(&self) -> Update {
        self.mailbox.take()
    }

    /// Ends the thread, and returns its last checkpoint.
    pub(crate) fn end(mut self) -> Option<State> {
        self.stop();
        self.mailbox.checkpoint()
    }

    fn stop(&mut self) {
        self.commands = None;
        self.mailbox.device_lock.cancel_request();
        if let Some(handle) = self.handle.take() {
            let _ = handle.join();
        }
    }
}

impl Drop for SimulationThread {
    fn drop(&mut self) {
        self.stop();
    }
}
