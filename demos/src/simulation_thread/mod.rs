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

use meniscus::{Gpu, Shaders, State};
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use meniscus::{GpuOptions, blocking};
    use meniscus_live::{Choice, Grip, HandCommand};

    use super::*;

    /// Water that boils.
    const WATER: &str = r#"
solver = "muller"
kernel = "muller"
dimensions = 2
particle_radius = 0.02
time = { fps = 20.0, until = 1.0 }
[[material]]
name = "water"
viscosity = 0.001
[[fluid]]
shape.box = { min = [0.0, 0.0], max = [0.8, 0.4] }
[[boundary]]
shape.box = { min = [0.0, 0.0], max = [0.8, 0.8] }
"#;

    /// The messages of 20 frames, after a command.
    fn messages(gpu: &Gpu, first: Option<Command>) -> Vec<String> {
        let choice = Choice { text: Some(WATER.into()), ..Choice::of("water.toml") };
        let chosen = choice.load(None).expect("a scene");
        let thread = SimulationThread::start(gpu, chosen, None, Shaders::standard(), || {});
        let thread = thread.expect("a thread");
        first.into_iter().for_each(|command| thread.send(command));
        (0..20).for_each(|_| thread.send(Command::Frame));
        let (begin, mut found) = (Instant::now(), Vec::new());
        loop {
            let update = thread.take_update();
            found.extend(update.messages.into_iter().map(|text| text.unwrap_or_else(|text| text)));
            if update.stats.frame >= 20 {
                return found;
            }
            assert!(begin.elapsed() < Duration::from_secs(100), "{:?}", update.condition);
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn energy_that_grows_is_warned_of_once_unless_a_hand_has_brought_it() {
        let mode = std::env::var("MENISCUS_GPU").unwrap_or_default();
        if mode == "off" {
            return;
        }
        let gpu = match blocking::open(&GpuOptions::default()) {
            Ok(gpu) => gpu,
            Err(error) if mode != "require" => return eprintln!("SKIPPED: {error}"),
            Err(error) => panic!("MENISCUS_GPU=require, but {error}"),
        };
        let told = |messages: &[String]| {
            messages.iter().filter(|text| text.contains("more than at the start")).count()
        };
        let alone = messages(&gpu, None);
        assert_eq!(told(&alone), 1, "{alone:?}");
        let grip = Grip { center: [0.4, 0.2, 0.0].into(), strength: 10.0, radius: 0.3 };
        let held = messages(&gpu, Some(Command::Hand(HandCommand::Grip(Some(grip)))));
        assert_eq!(told(&held), 0, "{held:?}");
    }
}
