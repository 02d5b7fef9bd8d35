//! A running scene.

use std::time::Duration;

use glam::DVec3;
use meniscus::{
    Error, FrameReport, Gpu, Pull, Registry, Scene, Shaders, Simulation, State, SurfaceOptions,
    Watch,
    raw::model::params::{FIELD_ATTRACT, FIELD_STIR, ForceField},
};
use meniscus_render::{FluidBuffers, Mode};

use crate::{Chosen, Grip, HandCommand, Tuning, fluid_surface::FluidSurface, pick, tank_motion};

/// Target duration of a submission: drawing waits for at most one.
const SUBMISSION_TIME: Duration = Duration::from_millis(8);

/// A simulation together with the user's settings for it.
#[derive(Debug)]
pub struct Run {
    gpu: Gpu,
    chosen: Chosen,
    simulation: Simulation,
    /// Parameters as given by the scene.
    scene_tuning: Tuning,
    /// Target offset of the tank from its place in the scene, in m.
    tank: DVec3,
    tank_velocity: DVec3,
    tuning: Tuning,
    grip: Option<Grip>,
    /// Velocity of the hand in m/s.
    wind: DVec3,
    pull: Option<Pull>,
    timed: bool,
    mode: (Mode, SurfaceOptions),
    surface: FluidSurface,
    shaders: Shaders,
    /// Buffer handles to draw from, as they were at the start.
    fluid: FluidBuffers,
    /// What warns when energy comes from nowhere, or particles pair.
    watch: Watch,
}

impl Run {
    /// Sets up the scene, or resumes it from a state.
    ///
    /// # Errors
    /// A scene that does not fit, shaders that do not compile, a device error.
    pub async fn new(
        gpu: &Gpu,
        chosen: Chosen,
        state: Option<&State>,
        shaders: &Shaders,
    ) -> Result<Self, Error> {
        let scene = &chosen.scene;
        let mut simulation = match state {
            Some(state) => Simulation::resume_with_shaders(gpu, scene, state, shaders).await?,
            None => Simulation::with_shaders(gpu, scene, shaders).await?,
        };
        simulation.set_submission_time(SUBMISSION_TIME);
        let tuning = Tuning::of(scene, simulation.setup());
        let mut watch = Watch::of(scene, &simulation.setup().chosen);
        // The state at the start is what later ones are compared with.
        if !watch.is_done() {
            watch.frame(&simulation.report().await?);
        }
        Ok(Self {
            gpu: gpu.clone(),
            chosen,
            fluid: FluidBuffers::of(&simulation),
            simulation,
            scene_tuning: tuning.clone(),
            tank: DVec3::ZERO,
            tank_velocity: DVec3::ZERO,
            tuning,
            grip: None,
            wind: DVec3::ZERO,
            pull: None,
            timed: false,
            mode: Default::default(),
            surface: FluidSurface::None,
            shaders: shaders.clone(),
            watch,
        })
    }

    /// Restarts the same scene, or resumes it from a state, with the current settings.
    ///
    /// # Errors
    /// As [`Run::new`].
    pub async fn again(&self, state: Option<&State>, shaders: &Shaders) -> Result<Self, Error> {
        let mut run = Self::new(&self.gpu, self.chosen.clone(), state, shaders).await?;
        run.tune(self.tuning.clone());
        run.set_timed(self.timed)?;
        run.show(self.mode).await?;
        Ok(run)
    }

    /// The run as it goes on with another transfer between particles and grid: with the scene `chosen`, if that differs
    /// from this one in its liquid solver alone. Otherwise there is none.
    ///
    /// # Errors
    /// As [`Run::new`].
    pub async fn with_transfer(
        &mut self,
        chosen: &Chosen,
        shaders: &Shaders,
    ) -> Result<Option<Self>, Error> {
        let mut same = chosen.scene.clone();
        same.solver.clone_from(&self.chosen.scene.solver);
        same.settings.clone_from(&self.chosen.scene.settings);
        let family = |scene: &Scene| Some(Registry::standard().choose(scene).ok()?.family());
        let both = family(&chosen.scene).filter(|family| family.one_state);
        if both.is_none()
            || both != family(&self.chosen.scene)
            || same != self.chosen.scene
            || self.simulation.control().failure != 0
        {
            return Ok(None);
        }
        // A step that waits for more iterations is made to its end.
        while self.simulation.control().stalled() {
            self.simulation.step(1).await?;
        }
        let old = self.state().await?;
        let new = Self::new(&self.gpu, chosen.clone(), None, shaders).await?.state().await?;
        let state = continued(old, &new);
        Self::new(&self.gpu, chosen.clone(), Some(&state), shaders).await.map(Some)
    }

    /// The scene.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.chosen.scene
    }

    /// The scene, and how it was chosen.
    #[must_use]
    pub fn chosen(&self) -> &Chosen {
        &self.chosen
    }

    /// The simulation.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The simulation, to step it or to set its pacing.
    #[must_use]
    pub fn simulation_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }

    /// Parameters as given by the scene.
    #[must_use]
    pub fn scene_tuning(&self) -> &Tuning {
        &self.scene_tuning
    }

    /// Parameters as set.
    #[must_use]
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// Buffers to draw from.
    #[must_use]
    pub fn fluid(&self) -> FluidBuffers {
        self.surface.attach_to(self.fluid.clone().at_present(&self.simulation))
    }

    /// Creates the surface or the splats that a view mode needs.
    ///
    /// # Errors
    /// Buffers that do not fit, a device error.
    pub async fn show(&mut self, mode: (Mode, SurfaceOptions)) -> Result<(), Error> {
        self.mode = mode;
        // Drop the old one first: two may not fit in memory.
        self.surface = FluidSurface::None;
        self.surface = FluidSurface::new(&self.gpu, &self.simulation, mode, &self.shaders)?;
        self.extract().await
    }

    /// Whether the view mode needs [`Run::extract`] after steps.
    #[must_use]
    pub fn has_surface(&self) -> bool {
        self.surface.is_some()
    }

    /// Number of live fluid particles, or of cells of a fluid without particles.
    #[must_use]
    pub fn count(&self) -> u32 {
        let setup = self.simulation.setup();
        let particles = || self.simulation.control().particle_count - setup.params.counts.walls;
        setup.fluid_cells().unwrap_or_else(particles)
    }

    /// Computes the surface of the current particles.
    ///
    /// # Errors
    /// Buffers that do not fit, a device error.
    pub async fn extract(&mut self) -> Result<(), Error> {
        self.surface.extract(&self.simulation).await
    }

    /// Bytes per buffer, largest first.
    #[must_use]
    pub fn memory(&self) -> Vec<(String, u64)> {
        let own = self.simulation.machine().memory();
        let own = own.map(|(name, bytes)| (name.to_owned(), bytes));
        let mut memory: Vec<_> = own.chain(self.surface.memory()).collect();
        memory.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        memory
    }

    /// Applies changed parameters.
    pub fn tune(&mut self, tuning: Tuning) {
        // Other weights have other energies.
        if tuning.gravity != self.scene_tuning.gravity
            || tuning.materials != self.scene_tuning.materials
        {
            self.watch.forget_energy();
        }
        self.tuning = tuning;
        self.write_params();
    }

    /// Carries out what the hand does. Returns where a [`HandCommand::Grab`] has found fluid, in m.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn hand(&mut self, command: HandCommand) -> Result<Option<DVec3>, Error> {
        match command {
            HandCommand::Grab { origin, direction } => return self.pick(origin, direction).await,
            HandCommand::Grip(grip) => {
                if self.grip != grip {
                    self.watch.forget_energy();
                    let duration = self.simulation.setup().frame_duration;
                    self.wind = wind(self.wind, [self.grip, grip], duration);
                    self.grip = grip;
                    self.write_params();
                }
            }
            HandCommand::Pull(pull) => {
                if self.pull != pull {
                    self.watch.forget_energy();
                    self.pull = pull;
                    self.simulation.pull(pull);
                }
            }
            HandCommand::MoveTank(tank) => {
                if self.tank != tank {
                    self.watch.forget_energy();
                }
                self.tank = tank;
            }
        }
        Ok(None)
    }

    fn write_params(&mut self) {
        let center = self.simulation.setup().center;
        let flat = self.scene().dimensions == 2;
        let hand = self.grip.map(|grip| {
            let place = (grip.center - center).as_vec3();
            let radius = grip.radius.max(f32::MIN_POSITIVE);
            let attraction = ForceField {
                center: if flat { place.with_z(0.0) } else { place },
                kind: FIELD_ATTRACT,
                strength: grip.strength,
                radius,
                ..ForceField::default()
            };
            if self.simulation.setup().fluid_cells().is_none() {
                return attraction;
            }
            let (direction, radius) = (self.wind.as_vec3(), 0.3 * radius);
            ForceField { kind: FIELD_STIR, direction, strength: 1.0, radius, ..attraction }
        });
        let set = self.simulation.set_params(|params| self.tuning.apply(params, hand));
        set.expect("a tuning changes only parameters that may change");
    }

    /// Times every pass, or stops timing.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub fn set_timed(&mut self, timed: bool) -> Result<(), Error> {
        self.timed = timed;
        self.simulation.set_timed(timed)?;
        Ok(())
    }

    /// Makes one submission of steps. Returns their number.
    ///
    /// # Errors
    /// [`Error::Failed`] if the simulation fails, [`Error::Device`].
    pub async fn advance(&mut self) -> Result<u32, Error> {
        self.move_tank();
        let steps = self.simulation.advance().await?;
        if self.simulation.control().frame_done != 0 {
            self.calm();
        }
        Ok(steps)
    }

    /// Advances by one step.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub async fn step(&mut self) -> Result<u32, Error> {
        self.move_tank();
        self.simulation.step(1).await?;
        Ok(1)
    }

    /// Advances to the end of the current frame, or of the next one. Returns the number of steps.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub async fn frame(&mut self) -> Result<u32, Error> {
        self.move_tank();
        let before = self.simulation.control().step;
        self.simulation.next_frame().await?;
        self.calm();
        Ok(self.simulation.control().step.saturating_sub(before))
    }

    /// Ends the wind of a hand that rests.
    fn calm(&mut self) {
        if self.wind != DVec3::ZERO {
            self.wind = DVec3::ZERO;
            self.write_params();
        }
    }

    /// Sets the tank's velocity towards its target. Takes effect between frames only.
    fn move_tank(&mut self) {
        let still = self.tank_velocity == DVec3::ZERO && self.tank == self.tank_offset();
        if still || self.simulation.control().frame_done == 0 {
            return;
        }
        let way = self.tank - self.tank_offset();
        let (duration, fastest) =
            (self.simulation.setup().frame_duration, self.simulation.gentle_speed().into());
        let velocity = tank_motion::velocity(way, duration, fastest);
        if velocity != self.tank_velocity {
            self.tank_velocity = velocity;
            self.simulation.move_walls(velocity.as_vec3());
        }
    }

    /// Current offset of the tank from its place in the scene, in m.
    fn tank_offset(&self) -> DVec3 {
        let own = self.simulation.setup().colliders_at(self.simulation.time());
        let now = self.simulation.colliders();
        let tank = own.iter().zip(&now).find(|(own, _)| own.inside == 1);
        tank.map_or(self.tank, |(own, now)| (now.position - own.position).as_dvec3())
    }

    /// Diagnostics of the current state, and sentences, each once, on what is wrong with it.
    ///
    /// # Errors
    /// As [`Run::advance`].
    pub async fn report(&mut self) -> Result<(FrameReport, Vec<String>), Error> {
        let report = self.simulation.report().await?;
        let found = self.watch.frame(&report);
        Ok((report, found))
    }

    /// The complete state, for resuming.
    ///
    /// # Errors
    /// [`Error::Device`].
    pub async fn state(&self) -> Result<State, Error> {
        self.simulation.read().await
    }

    /// Approximate number of bytes that [`Run::state`] reads.
    #[must_use]
    pub fn state_bytes(&self) -> u64 {
        // Position, velocity, identity and solver data: about 64 bytes per particle; of smoke 32 per cell.
        let setup = self.simulation.setup();
        let cells = setup.fluid_cells().unwrap_or(0);
        64 * u64::from(setup.params.counts.capacity) + 32 * u64::from(cells)
    }

    /// First point of the fluid along a ray, in m.
    async fn pick(&self, origin: DVec3, direction: DVec3) -> Result<Option<DVec3>, Error> {
        let Some(particles) = self.simulation.particles() else {
            // Smoke is everywhere: where the ray is nearest to the middle, in 2-D in the scene's plane.
            let params = &self.simulation.setup().params;
            let to = self.simulation.setup().center - origin;
            let depth = match params.world.dimensions {
                2 => to.z / direction.z,
                _ => to.dot(direction),
            };
            return Ok((depth > 0.0).then(|| origin + depth * direction));
        };
        let bytes = self.gpu.read(&[particles.positions]).await?;
        let words: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes[0]);
        let live = (self.simulation.control().particle_count as usize).min(words.len());
        let setup = self.simulation.setup();
        let radius = setup.params.world.particle_radius.into();
        let depth = pick::depth(&words[..live], setup.center, radius, origin, direction);
        Ok(depth.map(|depth| origin + depth * direction))
    }
}

/// Velocity in m/s with which smoke moves: that of the hand since the last frame, of which `wind` was found before its
/// grip changed; a hand that has just taken hold rests.
fn wind(wind: DVec3, [old, new]: [Option<Grip>; 2], frame_duration: f64) -> DVec3 {
    let way = old.zip(new).map(|(old, new)| new.center - old.center);
    way.map_or(DVec3::ZERO, |way| wind + way / frame_duration)
}

/// A state with the arrays that `new` has: those of `old`, and zeros for what each of its particles lacks.
fn continued(mut old: State, new: &State) -> State {
    let slots = |state: &State| state.arrays.get("identity").map_or(0, |words| words.len() / 2);
    let (now, first) = (slots(&old), slots(new).max(1));
    for (name, words) in &new.arrays {
        let zeros = || vec![0; words.len() / first * now];
        old.arrays.entry(name.clone()).or_insert_with(zeros);
    }
    old.arrays.retain(|name, _| new.arrays.contains_key(name));
    old
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_transfer_goes_on_with_the_particles_and_without_gradients() {
        let state = |slots: usize, own: &[(&str, usize)]| {
            let all = [("identity", 2), ("position", 4)].iter().chain(own);
            State {
                control: Default::default(),
                frame_duration: 0.02,
                center: [0.0; 3],
                gravity: Vec::new(),
                steered: Default::default(),
                arrays: all
                    .map(|(name, words)| (name.to_string(), vec![7; slots * words]))
                    .collect(),
            }
        };
        // An emitter has made room for more.
        let found = continued(state(5, &[("gone", 1)]), &state(2, &[("affine", 12)]));
        let lengths: Vec<_> =
            found.arrays.iter().map(|(name, words)| (name.as_str(), words.len())).collect();
        assert_eq!(lengths, [("affine", 60), ("identity", 10), ("position", 20)]);
        assert!(found.arrays["affine"].iter().all(|word| *word == 0));
        assert!(found.arrays["position"].iter().all(|word| *word == 7));
    }

    #[test]
    fn moves_of_a_hand_in_one_frame_add_up() {
        let grip =
            |x: f64| Some(Grip { center: DVec3::new(x, 0.0, 0.0), strength: 1.0, radius: 0.1 });
        let mut found = wind(DVec3::ONE, [None, grip(0.0)], 0.1);
        assert_eq!(found, DVec3::ZERO, "it has just taken hold");
        for (old, new) in [(0.0, 0.25), (0.25, 0.5)] {
            found = wind(found, [grip(old), grip(new)], 0.1);
        }
        assert_eq!(found, DVec3::new(5.0, 0.0, 0.0));
        assert_eq!(wind(found, [grip(0.5), None], 0.1), DVec3::ZERO);
    }
}
