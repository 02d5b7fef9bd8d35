//! The simulation, in a thread of its own.
//!
//! The window sends [`Command`]s and takes [`News`]; neither waits for the other. What is drawn
//! are the simulation's own buffers, handed over as clones of their handles ([`News::fluid`]): the
//! queue of the device keeps drawing between two submissions of steps.

mod batch;
mod command;
mod news;
mod pace;
mod pick;
mod run;
mod skin;
mod turns;
mod walls;
mod worker;

use std::{
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    thread::JoinHandle,
};

use meniscus::{Gpu, model::State, shaders::Shaders};

pub(crate) use command::{Command, Grip};
use news::Desk;
pub(crate) use news::{Condition, Figures, News, Summary};
use worker::Worker;

use crate::scene_choice::Chosen;

/// A handle to the thread. Dropping it ends the thread after its present submission.
#[derive(Debug)]
pub(crate) struct SimulationThread {
    commands: Option<Sender<Command>>,
    desk: Arc<Desk>,
    handle: Option<JoinHandle<()>>,
}

impl SimulationThread {
    /// Starts it with a scene, or from a state of that scene. `wake` is called from the thread
    /// when there are news.
    pub(crate) fn start(
        gpu: &Gpu,
        chosen: Chosen,
        from: Option<State>,
        shaders: Shaders,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> std::io::Result<Self> {
        let desk = Arc::new(Desk::new(wake));
        let (commands, inbox) = channel();
        let mut worker = Worker::new(gpu.clone(), Arc::clone(&desk), inbox, shaders);
        let work = move || worker.work(chosen, from);
        let handle = std::thread::Builder::new().name("simulation".into()).spawn(work)?;
        Ok(Self { commands: Some(commands), desk, handle: Some(handle) })
    }

    /// Sends a command; a thread that has ended has said why in its news.
    pub(crate) fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            let _ = commands.send(command);
        }
    }

    /// Does something while nothing is submitted but by the caller. Where the thread is at work,
    /// nothing is done: call again soon, the thread waits for it.
    pub(crate) fn between_turns(&self, work: impl FnOnce()) -> bool {
        self.desk.turns.between(work)
    }

    /// What is new since the last call.
    pub(crate) fn news(&self) -> News {
        self.desk.take()
    }

    /// Ends it, and hands out the last state that it kept, to go on from.
    pub(crate) fn end(mut self) -> Option<State> {
        self.stop();
        self.desk.checkpoint()
    }

    fn stop(&mut self) {
        self.commands = None;
        self.desk.turns.release();
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
