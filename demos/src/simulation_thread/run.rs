//! A running scene.

use std::{sync::Arc, time::Duration};

use glam::DVec3;
use meniscus::{
    Error, FrameReport, Gpu, Pull, Simulation, SurfaceOptions,
    blocking::block_on,
    model::{
        Scene, State,
        params::{FIELD_ATTRACT, ForceField},
    },
    shaders::Shaders,
};
use meniscus_render::{Fluid, Mode};

use super::{
    command::Grip,
    update::Summary,
    {fluid_surface::FluidSurface, pick, tank_motion},
};
use crate::{scene_choice::Chosen, tuning::Tuning};

/// Target duration of a submission: drawing waits for at most one.
const SUBMISSION_TIME: Duration = Duration::from_millis(8);

/// A simulation together with the window's settings for it.
#[derive(Debug)]
pub(super) struct Run {
    gpu: Gpu,
    chosen: Chosen,
    pub(super) simulation: Simulation,
    pub(super) summary: Arc<Summary>,
    /// Target offset of the tank from its place in the scene, in m.
    pub(super) tank: DVec3,
    tank_velocity: DVec3,
    tuning: Tuning,
    grip: Option<Grip>,
    pull: Option<Pull>,
    timed: bool,
    mode: (Mode, SurfaceOptions),
    surface: FluidSurface,
    shaders: Shaders,
    /// Buffer handles to draw from, as they were at the start.
    fluid: Fluid,
}

impl Run {
    /// Sets up the scene, or resumes it from a state.
    pub(super) fn new(
        gpu: &Gpu,
        chosen: Chosen,
        state: Option<&State>,
        shaders: &Shaders,
    ) -> Result<Self, Error> {
        let scene = &chosen.scene;
        let mut simulation = block_on(gpu, async {
            match state {
                Some(state) => Simulation::resume_with_shaders(gpu, scene, state, shaders).await,
                None => Simulation::with_shaders(gpu, scene, shaders).await,
            }
        })?;
        simulation.set_submission_time(SUBMISSION_TIME);
        let tuning = Tuning::of(scene, simulation.setup());
        let summary = Summary {
            tuning: tuning.clone(),
            dimensions: scene.dimensions,
            fps: scene.time.fps,
            can_time: gpu.has_timestamps(),
        };
        Ok(Self {
            gpu: gpu.clone(),
            chosen,
            fluid: Fluid::of(&simulation),
            simulation,
            summary: Arc::new(summary),
            tank: DVec3::ZERO,
            tank_velocity: DVec3::ZERO,
            tuning,
            grip: None,
            pull: None,
            timed: false,
            mode: Default::default(),
            surface: FluidSurface::None,
            shaders: shaders.clone(),
        })
    }

    /// Restarts the same scene, or resumes it from a state, with the current settings.
    pub(super) fn again(&self, state: Option<&State>, shaders: &Shaders) -> Result<Self, Error> {
        let mut run = Self::new(&self.gpu, self.chosen.clone(), state, shaders)?;
        run.tune(self.tuning.clone());
        run.set_timed(self.timed)?;
        run.show(self.mode)?;
        Ok(run)
    }

    pub(super) fn scene(&self) -> &Scene {
        &self.chosen.scene
    }

    /// Buffers for the window to draw from.
    pub(super) fn fluid(&self) -> Fluid {
        self.surface.attach_to(self.fluid.clone().at_present(&self.simulation))
    }

    /// Creates the surface or the splats that a view mode needs.
    pub(super) fn show(&mut self, mode: (Mode, SurfaceOptions)) -> Result<(), Error> {
        self.mode = mode;
        // Drop the old one first: two may not fit in memory.
        self.surface = FluidSurface::None;
        self.surface = FluidSurface::new(&self.gpu, &self.simulation, mode, &self.shaders)?;
        self.surface.extract(&self.gpu, &self.simulation)
    }

    /// Whether the view mode needs [`Run::extract`] after steps.
    pub(super) fn has_surface(&self) -> bool {
        self.surface.is_some()
    }

    /// Computes the surface of the current particles.
    pub(super) fn extract(&mut self) -> Result<(), Error> {
        self.surface.extract(&self.gpu, &self.simulation)
    }

    /// Bytes per buffer, largest first.
    pub(super) fn memory(&self) -> Vec<(String, u64)> {
        let own = self.simulation.machine().memory();
        let own = own.map(|(name, bytes)| (name.to_owned(), bytes));
        let mut memory: Vec<_> = own.chain(self.surface.memory()).collect();
        memory.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        memory
    }

    pub(super) fn tune(&mut self, tuning: Tuning) {
        self.tuning = tuning;
        self.write_params();
    }

    pub(super) fn grip(&mut self, grip: Option<Grip>) {
        if self.grip != grip {
            self.grip = grip;
            self.write_params();
        }
    }

    /// Pulls a body, or lets go.
    pub(super) fn pull(&mut self, pull: Option<Pull>) {
        if self.pull != pull {
            self.pull = pull;
            self.simulation.pull(pull);
        }
    }

    fn write_params(&mut self) {
        let center = self.simulation.setup().center;
        let flat = self.scene().dimensions == 2;
        let hand = self.grip.map(|grip| {
            let place = (grip.center - center).as_vec3();
            ForceField {
                center: if flat { place.with_z(0.0) } else { place },
                kind: FIELD_ATTRACT,
                strength: grip.strength,
                radius: grip.radius.max(f32::MIN_POSITIVE),
                ..ForceField::default()
            }
        });
        let set = self.simulation.set_params(|params| self.tuning.apply(params, hand));
        set.expect("the window changes only parameters that may change");
    }

    pub(super) fn set_timed(&mut self, timed: bool) -> Result<(), Error> {
        self.timed = timed;
        self.simulation.set_timed(timed)?;
        Ok(())
    }

    /// Makes one submission of steps. Returns their number.
    pub(super) fn advance(&mut self) -> Result<u32, Error> {
        self.make(|simulation, gpu| block_on(gpu, simulation.advance()).map(drop))
    }

    /// Advances by one step.
    pub(super) fn step(&mut self) -> Result<u32, Error> {
        self.make(|simulation, gpu| block_on(gpu, simulation.step(1)))
    }

    /// Advances to the end of the current frame, or of the next one.
    pub(super) fn frame(&mut self) -> Result<u32, Error> {
        self.make(|simulation, gpu| block_on(gpu, simulation.next_frame()))
    }

    fn make(
        &mut self,
        work: impl FnOnce(&mut Simulation, &Gpu) -> Result<(), Error>,
    ) -> Result<u32, Error> {
        self.move_tank();
        let before = self.simulation.control().step;
        work(&mut self.simulation, &self.gpu)?;
        Ok(self.simulation.control().step.saturating_sub(before))
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

    /// Diagnostics of the current state.
    pub(super) fn report(&mut self) -> Result<FrameReport, Error> {
        block_on(&self.gpu, self.simulation.report())
    }

    pub(super) fn state(&self) -> Result<State, Error> {
        block_on(&self.gpu, self.simulation.read())
    }

    /// Approximate number of bytes that [`Run::state`] reads.
    pub(super) fn state_bytes(&self) -> u64 {
        // Position, velocity, identity and solver data: about 64 bytes per particle.
        64 * u64::from(self.simulation.setup().params.counts.capacity)
    }

    /// First point of the fluid along a ray, in m.
    pub(super) fn pick(&self, origin: DVec3, direction: DVec3) -> Result<Option<DVec3>, Error> {
        let Some(buffer) = self.simulation.machine().buffer("position") else { return Ok(None) };
        let bytes = block_on(&self.gpu, self.gpu.read(&[buffer]))?;
        let words: Vec<[f32; 4]> = bytemuck::pod_collect_to_vec(&bytes[0]);
        let live = (self.simulation.control().particle_count as usize).min(words.len());
        let setup = self.simulation.setup();
        let radius = setup.params.world.particle_radius.into();
        let depth = pick::depth(&words[..live], setup.center, radius, origin, direction);
        Ok(depth.map(|depth| origin + depth * direction))
    }
}
