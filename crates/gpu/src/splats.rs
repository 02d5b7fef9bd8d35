//! Splats for rendering (M §4.1).

use meniscus_methods::lists;

use crate::{
    Error, Simulation,
    machine::{List, Machine, Phase},
    shaders::Shaders,
};

/// Splats of a simulation's particles: buffers to draw from, unaffected by later steps.
#[derive(Debug)]
pub struct Splats {
    machine: Machine,
    shaders: Shaders,
    slots: u32,
}

impl Splats {
    /// Buffers for the splats of all particles that the simulation may have.
    ///
    /// # Errors
    /// Buffers that do not fit, a device error.
    pub fn new(simulation: &Simulation) -> Result<Self, Error> {
        Self::with_shaders(simulation, &Shaders::standard())
    }

    /// Like [`Splats::new`], with shader files that may have been changed.
    ///
    /// # Errors
    /// As [`Splats::new`], and shaders that do not compile.
    pub fn with_shaders(simulation: &Simulation, shaders: &Shaders) -> Result<Self, Error> {
        let setup = simulation.setup();
        let shaders = shaders.clone().for_scene(setup);
        let machine = build(simulation, &shaders)?;
        Ok(Self { machine, shaders, slots: setup.params.counts.capacity })
    }

    /// Computes the splats of the current particles. If the simulation has moved to larger buffers,
    /// so do the splats.
    ///
    /// # Errors
    /// As [`Splats::new`].
    pub fn extract(&mut self, simulation: &Simulation) -> Result<(), Error> {
        let slots = simulation.setup().params.counts.capacity;
        if self.slots != slots {
            self.machine = build(simulation, &self.shaders)?;
            self.slots = slots;
        }
        self.machine.submit("splats")
    }

    /// Positions, `array<vec4<f32>>`: relative to the domain's centre in m, and |n| in m⁻¹.
    #[must_use]
    pub fn position(&self) -> &wgpu::Buffer {
        self.machine.expect("splat_position")
    }

    /// Outward unit normals and speed in m/s, `array<vec4<f32>>`.
    #[must_use]
    pub fn normal(&self) -> &wgpu::Buffer {
        self.machine.expect("splat_normal")
    }

    /// Numbers of materials, `array<u32>`.
    #[must_use]
    pub fn material(&self) -> &wgpu::Buffer {
        self.machine.expect("splat_material")
    }
}

fn build(simulation: &Simulation, shaders: &Shaders) -> Result<Machine, Error> {
    let setup = simulation.setup();
    let entries = lists::surface::splats(&setup.scope());
    let lists = [List { name: "splats", phase: Phase::Any, entries }];
    simulation.machine().beside(shaders, &setup.counts(), &lists)
}
