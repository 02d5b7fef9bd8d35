//! What a run leaves behind: particle files, log, checkpoints.

use std::path::PathBuf;

use meniscus::{Gpu, Simulation, model::State};
use meniscus_formats::{
    Checkpoint, Loaded, ParticleFormat, scene_to_toml, write_checkpoint, write_particles,
};

use super::frame_log::FrameLog;
use crate::{Failure, arguments::Run, executor::block_on, files};

/// Where frames go. Nothing is read back from the device that nobody asked for.
#[derive(Debug)]
pub(super) struct Outputs {
    gpu: Gpu,
    particles: Option<(PathBuf, ParticleFormat)>,
    log: Option<FrameLog>,
    checkpoint: Option<(PathBuf, u32)>,
    scene_hash: u64,
    scene_toml: String,
    /// The last good checkpoint and its frame.
    saved: Option<(PathBuf, u32)>,
}

impl Outputs {
    /// Creates folders and the log.
    pub(super) fn open(
        arguments: &Run,
        gpu: &Gpu,
        loaded: &Loaded,
        simulation: &Simulation,
    ) -> Result<Self, Failure> {
        let out = arguments.out.clone().or(arguments.particles.map(|_| "out".into()));
        if let Some(out) = &out {
            files::create_folder(out)?;
        }
        if let Some(checkpoint) = &arguments.checkpoint {
            files::create_parent(checkpoint)?;
        }
        let frame = simulation.control().frame;
        let saved = arguments.resume.clone().map(|path| (path, frame));
        let log = arguments.log.as_deref();
        let log = log.map(|path| FrameLog::open(path, saved.as_ref().map(|saved| saved.1)));
        Ok(Self {
            gpu: gpu.clone(),
            particles: out.zip(arguments.particles),
            log: log.transpose()?,
            checkpoint: arguments.checkpoint.clone().map(|path| (path, arguments.every)),
            scene_hash: loaded.hash,
            scene_toml: scene_to_toml(&loaded.scene),
            saved,
        })
    }

    /// Writes what is due at the end of a frame. The checkpoint comes last: what it stands for is
    /// then complete.
    pub(super) fn frame(&mut self, simulation: &mut Simulation, last: u32) -> Result<(), Failure> {
        let frame = simulation.control().frame;
        if let Some(log) = &mut self.log {
            log.write(&block_on(&self.gpu, simulation.report())?)?;
        }
        let checkpoint = self
            .checkpoint
            .as_ref()
            .filter(|(_, every)| frame == last || (frame > 0 && frame.is_multiple_of(*every)));
        if self.particles.is_none() && checkpoint.is_none() {
            return Ok(());
        }
        let state = block_on(&self.gpu, simulation.read())?;
        if let Some((folder, format)) = &self.particles {
            write_particles(&folder.join(format.file_name(frame)), *format, &state)?;
        }
        if let Some((path, _)) = checkpoint {
            write_checkpoint(path, &self.checkpoint_of(state))?;
            self.saved = Some((path.clone(), frame));
        }
        Ok(())
    }

    fn checkpoint_of(&self, state: State) -> Checkpoint {
        Checkpoint {
            state,
            scene_hash: self.scene_hash,
            adapter: self.gpu.info().name.clone(),
            scene_toml: self.scene_toml.clone(),
        }
    }

    /// What to add to the sentence about a failure.
    pub(super) fn how_to_go_on(&self) -> String {
        match &self.saved {
            Some((path, frame)) => {
                format!("; the last good checkpoint is {}, of frame {frame}", path.display())
            }
            None => String::new(),
        }
    }
}
