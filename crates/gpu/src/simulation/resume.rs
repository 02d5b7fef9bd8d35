//! Simulations from states that were read back.

use glam::Vec3;
use meniscus_methods::{Method, Registry};
use meniscus_model::{Control, Scene, State};

use super::Simulation;
use crate::{Error, Gpu, methods::arrays::ARRAYS, shaders::Shaders};

impl Simulation {
    /// Simulation resumed from a state that this scene produced.
    ///
    /// # Errors
    /// As [`Simulation::new`]; [`Error::Mismatch`] if the state's arrays are not those of this
    /// scene.
    pub async fn resume(gpu: &Gpu, scene: &Scene, state: &State) -> Result<Self, Error> {
        Self::resume_with_shaders(gpu, scene, state, &Shaders::standard()).await
    }

    /// Like [`Simulation::resume`], with shader files that may have been changed.
    ///
    /// # Errors
    /// As [`Simulation::resume`], and shaders that do not compile.
    pub async fn resume_with_shaders(
        gpu: &Gpu,
        scene: &Scene,
        state: &State,
        shaders: &Shaders,
    ) -> Result<Self, Error> {
        // Fields of the scene's start would stay where the state has no fluid.
        let mut simulation =
            Self::without_state(gpu, scene, shaders, &Registry::standard()).await?;
        if state.frame_duration != simulation.setup.frame_duration {
            return Err(Error::Mismatch(format!(
                "the state has {} frames per second, the scene {}",
                1.0 / state.frame_duration,
                1.0 / simulation.setup.frame_duration
            )));
        }
        if state.center != simulation.setup.center.to_array() {
            return Err(Error::Mismatch("the state belongs to another domain".into()));
        }
        // With emitters or inlets, the state may have been taken after the buffers had grown.
        let own = simulation.setup.params.counts.capacity as usize;
        // Smoke has none.
        let has_particles = simulation.machine.buffer("identity").is_some();
        let found = state.arrays.get("identity").map_or(0, |words| words.len() / 2);
        let slots = if has_particles { found } else { own };
        let counts = simulation.setup.params.counts;
        let grows = counts.emitters + counts.openings > 0;
        if !grows && slots != own {
            return Err(Error::Mismatch(format!(
                "the state has room for {slots} particles, the scene for {own}"
            )));
        }
        simulation.make_room_now(u32::try_from(slots).unwrap_or(u32::MAX), slots)?;
        for name in simulation.persistent() {
            let size = simulation.machine.buffer(name).map_or(0, wgpu::Buffer::size);
            let words = state.arrays.get(name).map_or(0, Vec::len) as u64;
            if size != 4 * words {
                return Err(Error::Mismatch(format!(
                    "array `{name}` has {words} words in the state, {} in the scene",
                    size / 4
                )));
            }
        }
        for name in simulation.persistent() {
            simulation.machine.write(name, bytemuck::cast_slice(&state.arrays[name]))?;
        }
        if let Some(gravity) = state.gravity {
            simulation.set_gravity(Vec3::from(gravity).as_dvec3())?;
        }
        simulation.control = Control { targets_reached: 0, ..state.control };
        simulation.machine.write_control(&simulation.control);
        simulation.set_course()?;
        simulation.bake_frame(simulation.frame_start(), true)?;
        simulation.read_control().await?;
        Ok(simulation)
    }

    /// Persistent buffers of this simulation.
    pub(super) fn persistent(&self) -> Vec<&'static str> {
        let own = self.setup.chosen.methods().flat_map(Method::arrays);
        let rows = ARRAYS.iter().chain(own).filter(|row| row.persistent);
        rows.map(|row| row.name).filter(|name| self.machine.buffer(name).is_some()).collect()
    }
}
