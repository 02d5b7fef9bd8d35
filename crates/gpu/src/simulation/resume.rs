//! Simulations from states that were read back.

use glam::{DQuat, DVec3};
use meniscus_methods::{Method, Registry, space::PARTICLES};
use meniscus_model::{Control, Scene, SolidId, State, motion::Movement};

use super::Simulation;
use crate::{
    Error, Gpu,
    methods::arrays::{ARRAYS, Row},
    shaders::Shaders,
};

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
        simulation.fits(state)?;
        simulation.put(state).await?;
        Ok(simulation)
    }

    /// Goes on from a state of this scene, also of another simulation of it, with the bits of [`Simulation::resume`], but nothing is
    /// compiled or allocated. Parameters and force fields that the program has changed stay as they are; goals and targets ahead
    /// are forgotten. A simulation that has failed goes on, too.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if the state's arrays are not those of this scene; the simulation is unchanged then.
    /// [`Error::TooLarge`], [`Error::DeviceLost`], [`Error::Device`].
    pub async fn restore(&mut self, state: &State) -> Result<(), Error> {
        self.fits(state)?;
        self.land().await?;
        self.empty()?;
        self.put(state).await
    }

    /// Checks that a state is one of this scene.
    fn fits(&self, state: &State) -> Result<(), Error> {
        let mismatch = |text: String| Err(Error::Mismatch(text));
        if state.frame_duration != self.setup.frame_duration {
            let [theirs, ours] = [state.frame_duration, self.setup.frame_duration].map(|s| 1.0 / s);
            return mismatch(format!("the state has {theirs} frames per second, the scene {ours}"));
        }
        if state.center != self.setup.center.to_array() {
            return mismatch("the state belongs to another domain".into());
        }
        let (slots, own) = (self.slots(state), self.capacity());
        if !self.grows() && slots != own {
            return mismatch(format!(
                "the state has room for {slots} particles, the scene for {own}"
            ));
        }
        for row in self.persistent_rows() {
            let mut size = self.machine.buffer(row.name).map_or(0, wgpu::Buffer::size);
            if row.extent == PARTICLES {
                size = size / own.max(1) as u64 * slots.max(1) as u64;
            }
            let words = state.arrays.get(row.name).map_or(0, Vec::len) as u64;
            if size != 4 * words {
                return mismatch(format!(
                    "array `{}` has {words} words in the state, {} in the scene",
                    row.name,
                    size / 4
                ));
            }
        }
        if state.control.particle_count as usize > slots {
            return mismatch(format!(
                "the state has {} particles, but room for {slots}",
                state.control.particle_count
            ));
        }
        let colliders = &self.setup.colliders;
        let is_driven =
            |n: &SolidId| colliders.get(n.index()).is_some_and(|it| it.inverse_mass == 0.0);
        if let Some(number) = state.steered.keys().find(|number| !is_driven(number)) {
            return mismatch(format!(
                "the state steers solid {number}, which the scene does not have or which moves freely"
            ));
        }
        let gravities = state.gravity.len();
        if gravities > 1 && gravities != self.worlds() as usize {
            return mismatch(format!(
                "the state has gravities of {gravities} worlds, the scene {}",
                self.worlds()
            ));
        }
        let is_finite = |one: &Movement| {
            let Movement { pose, velocity, angular_velocity } = *one;
            let is_turn = |turn: DQuat| turn.is_finite() && turn.length() > 0.5;
            is_turn(pose.rotation)
                && [pose.position, velocity, angular_velocity].iter().all(|v: &DVec3| v.is_finite())
        };
        let is_sound = state.steered.values().flatten().all(is_finite)
            && state.gravity.iter().flatten().all(|g| g.is_finite());
        if !is_sound {
            return mismatch(
                "the state has a gravity or a steered solid that is not finite".into(),
            );
        }
        Ok(())
    }

    /// Slots of particles.
    fn capacity(&self) -> usize {
        self.setup.params.counts.capacity as usize
    }

    /// Slots of particles of a state: with emitters or inlets, buffers may have grown before or since.
    fn slots(&self, state: &State) -> usize {
        // Smoke has none.
        match self.machine.buffer("identity") {
            Some(_) => state.arrays.get("identity").map_or(0, |words| words.len() / 2),
            None => self.capacity(),
        }
    }

    fn grows(&self) -> bool {
        let counts = self.setup.params.counts;
        counts.emitters + counts.openings > 0
    }

    /// Sets all arrays to 0 as before the first step, but those that the scene fills.
    fn empty(&mut self) -> Result<(), Error> {
        let filled: Vec<_> = self.setup.uploads().into_iter().map(|(name, _)| name).collect();
        let persistent = self.persistent();
        // The host has written workgroups into arguments of dispatches.
        let own = self.setup.chosen.methods().flat_map(Method::arrays);
        let drawn: Vec<_> = ARRAYS.iter().chain(own).filter(|row| row.drawn).collect();
        let stays = |name: &str| {
            let is_filled = filled.contains(&name) || drawn.iter().any(|row| row.name == name);
            name == "distances" || is_filled && !persistent.contains(&name)
        };
        let all: Vec<&str> = self.machine.buffer_names().filter(|name| !stays(name)).collect();
        self.machine.clear_all(&all)?;
        self.is_fresh = true;
        Ok(())
    }

    /// Writes a state that fits into arrays that are 0 or as the scene fills them.
    async fn put(&mut self, state: &State) -> Result<(), Error> {
        let slots = self.slots(state);
        self.make_room_now(u32::try_from(slots).unwrap_or(u32::MAX), slots)?;
        for name in self.persistent() {
            self.machine.write(name, bytemuck::cast_slice(&state.arrays[name]))?;
        }
        self.control = Control { targets_reached: 0, ..state.control };
        self.machine.write_control(&self.control);
        self.take_program(state);
        self.take_emitters(state)?;
        self.set_course()?;
        self.bake_frame(self.frame_start(), true)?;
        self.read_control().await
    }

    /// Goes on from a state that the program has made of the current one: goals of solids stay.
    pub(super) async fn go_on_from(&mut self, state: &State) -> Result<(), Error> {
        let goals = self.program.take_goals();
        self.restore(state).await?;
        self.program.put_goals(goals);
        Ok(())
    }

    /// The state after the step under way.
    pub(super) async fn read_between_steps(&mut self) -> Result<State, Error> {
        self.land().await?;
        while self.control.stalled() {
            self.submit(1).await?;
        }
        self.sound()?;
        self.read().await
    }

    /// Rows of the persistent buffers of this simulation.
    pub(super) fn persistent_rows(&self) -> impl Iterator<Item = &'static Row> {
        let own = self.setup.chosen.methods().flat_map(Method::arrays);
        let rows = ARRAYS.iter().chain(own).filter(|row| row.persistent);
        rows.filter(|row| self.machine.buffer(row.name).is_some())
    }

    /// Persistent buffers of this simulation.
    pub(super) fn persistent(&self) -> Vec<&'static str> {
        self.persistent_rows().map(|row| row.name).collect()
    }
}
