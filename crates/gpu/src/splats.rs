//! Splats: what M §4.1 draws of a simulation.

use crate::{
    Error, Simulation,
    buffers::Sizes,
    machine::{List, Machine, Phase},
    shaders::Shaders,
    solvers,
};

/// `splat_position` and `splat_normal` of a simulation's particles. Later steps do not touch them.
#[derive(Debug)]
pub struct Splats {
    machine: Machine,
}

impl Splats {
    /// Buffers for the splats of all particles that the simulation may have.
    ///
    /// # Errors
    /// Buffers that do not fit, a device error.
    pub fn new(simulation: &Simulation) -> Result<Self, Error> {
        Self::with_shaders(simulation, &Shaders::embedded())
    }

    /// Like [`Splats::new`], with shader files that may have been changed.
    ///
    /// # Errors
    /// As [`Splats::new`], and shaders that do not compile.
    pub fn with_shaders(simulation: &Simulation, shaders: &Shaders) -> Result<Self, Error> {
        let setup = simulation.setup();
        let entries = solvers::surface::splats(setup);
        let lists = [List { name: "splats", phase: Phase::Any, entries }];
        let sizes = Sizes::of(setup);
        let shaders = shaders.clone().with_kernel(setup.kernel);
        Ok(Self { machine: simulation.machine().beside(&shaders, sizes, &lists)? })
    }

    /// Computes the splats of the particles as they are after the last step.
    pub fn extract(&self) {
        self.machine.submit("splats");
    }

    /// `array<vec4<f32>>`: place relative to the domain's centre in m, and |n| in m⁻¹.
    #[must_use]
    pub fn position(&self) -> &wgpu::Buffer {
        self.machine.expect("splat_position")
    }

    /// `array<vec4<f32>>`: the outward unit normal, and the speed in m/s.
    #[must_use]
    pub fn normal(&self) -> &wgpu::Buffer {
        self.machine.expect("splat_normal")
    }
}
