//! A run of a plan: its files, and how far it is.
//!
//! The run works in the folder `work`, which becomes `results` when it is finished. A lock, which the system releases when
//! a process ends in whatever way, keeps a second process away.

use std::{
    ffi::OsString,
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;

use super::plan::{Plan, Planned};
use crate::{
    Failure,
    arguments::{Device, Run},
    files::{self, cannot},
    run::{Stop, run_with},
};

/// Files of a run.
#[derive(Debug)]
pub(super) struct Course {
    folder: PathBuf,
    particles: Option<String>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Finished,
    Running,
    Interrupted,
    Waiting,
}

impl Course {
    pub(super) fn of(plan: &Plan, run: &Planned) -> Self {
        Self { folder: plan.folder(run), particles: run.particles.clone() }
    }

    fn work(&self) -> PathBuf {
        self.folder.join("work")
    }

    /// The last line of the log of a finished run, as a file.
    pub(super) fn report(&self) -> PathBuf {
        self.folder.join("results/report.json")
    }

    fn lock_file(&self) -> PathBuf {
        self.folder.join("lock")
    }

    pub(super) fn state(&self) -> State {
        let is_locked = || {
            let file = File::open(self.lock_file());
            file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
        };
        if self.report().is_file() {
            State::Finished
        } else if is_locked() {
            State::Running
        } else if self.work().exists() {
            State::Interrupted
        } else {
            State::Waiting
        }
    }

    /// Last frame in the log of a run that is not finished.
    pub(super) fn frame(&self) -> Option<u32> {
        #[derive(Deserialize)]
        struct Line {
            frame: u32,
        }
        let text = fs::read_to_string(self.work().join("log.jsonl")).ok()?;
        let frame = |line| serde_json::from_str(line).ok().map(|line: Line| line.frame);
        text.lines().rev().find_map(frame)
    }

    /// Does the run, or the rest of it; nothing if it is finished.
    pub(super) fn go<'a>(
        &self,
        device: Device,
        every: u32,
        quiet: bool,
        stop: impl FnOnce() -> Result<Stop<'a>, Failure>,
    ) -> Result<(), Failure> {
        if self.report().is_file() {
            return Ok(());
        }
        let _lock = self.lock()?;
        // Another process may have finished it meanwhile.
        if self.report().is_file() {
            return Ok(());
        }
        let work = self.work();
        files::create_folder(&work)?;
        let [log, checkpoint] = ["log.jsonl", "checkpoint"].map(|name| work.join(name));
        let mut line: Vec<OsString> = vec![self.folder.join("scene.toml").into()];
        let mut add = |flag: &str, value: &Path| line.extend([flag.into(), value.into()]);
        add("--log", &log);
        add("--checkpoint", &checkpoint);
        add("--every", Path::new(&every.to_string()));
        if let Some(format) = &self.particles {
            add("--particles", Path::new(format));
            add("--out", &work);
        }
        if checkpoint.exists() {
            add("--resume", &checkpoint);
        }
        if quiet {
            line.push("--quiet".into());
        }
        run_with(&Run::of_line(line, device)?, stop)?;
        self.finish(&log, &checkpoint)
    }

    /// Makes the finished work the results.
    fn finish(&self, log: &Path, checkpoint: &Path) -> Result<(), Failure> {
        let work = self.work();
        let text = fs::read_to_string(log).map_err(|error| cannot("read", log, &error))?;
        files::write(
            &work.join("report.json"),
            &(text.lines().last().unwrap_or("").to_owned() + "\n"),
        )?;
        let remove =
            |path: &Path| fs::remove_file(path).map_err(|error| cannot("remove", path, &error));
        remove(checkpoint)?;
        // Files that a killed process left half written.
        let entries = fs::read_dir(&work).map_err(|error| cannot("read", &work, &error))?;
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') && name.ends_with(".partial") {
                remove(&entry.path())?;
            }
        }
        let results = self.folder.join("results");
        // Workflow programs create the folders of the files that they expect; only an empty one can be removed so.
        let _ = fs::remove_dir(&results);
        fs::rename(&work, &results).map_err(|error| cannot("write", &results, &error))
    }

    /// Keeps other processes away until it is dropped.
    fn lock(&self) -> Result<File, Failure> {
        let path = self.lock_file();
        let file = File::create(&path).map_err(|error| cannot("write", &path, &error))?;
        // `sweep status` holds it for a moment.
        for _ in 0..10 {
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(50)),
                // Some network file systems have no locks.
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
            }
        }
        let place = self.folder.display();
        Err(Failure::Failed(format!("{place}: another process is doing this run")))
    }
}
