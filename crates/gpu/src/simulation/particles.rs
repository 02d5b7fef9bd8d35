//! The particles' buffers, for shaders of the program.

use glam::DVec3;
use meniscus_model::Control;

use super::Simulation;

/// The particles of a simulation on the GPU, after what was submitted so far. A slot is a particle, in an order that changes from
/// step to step; those below the count are in use. A shader of the program declares what it reads so:
///
/// ```wgsl
/// // Position in m relative to the origin, and density in kg/m³.
/// @group(0) @binding(0) var<storage, read> positions: array<vec4<f32>>;
/// // Velocity in m/s, and pressure in Pa.
/// @group(0) @binding(1) var<storage, read> velocities: array<vec4<f32>>;
/// // Number of the particle, which stays; kind (8 bits: 0 fluid, 1 or 2 solid, 255 removed), material (8 bits) and body (16), or of
/// // fluid in a scene of several worlds its world.
/// @group(0) @binding(2) var<storage, read> identities: array<vec2<u32>>;
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Particles<'a> {
    /// Positions and densities; the density of a solid's particle is its volume in m³ (in 2-D per metre of depth, as all).
    pub positions: &'a wgpu::Buffer,
    /// Velocities and pressures.
    pub velocities: &'a wgpu::Buffer,
    /// Numbers, kinds, materials and bodies.
    pub identities: &'a wgpu::Buffer,
    /// The buffer with the number of slots in use, a u32, and its place there in bytes.
    pub count: (&'a wgpu::Buffer, u64),
    /// Slots of the buffers.
    pub slots: u32,
    /// What positions are relative to, in m.
    pub origin: DVec3,
    /// Changes when buffers are replaced, as by emitters that need more slots: bind groups are then to be made anew.
    pub generation: u64,
}

impl Simulation {
    /// The particles on the GPU; `None` of smoke, which has none.
    #[must_use]
    pub fn particles(&self) -> Option<Particles<'_>> {
        let machine = &self.machine;
        Some(Particles {
            positions: machine.buffer("position")?,
            velocities: machine.buffer("velocity")?,
            identities: machine.buffer("identity")?,
            count: (machine.control_buffer(), Control::offset_of("particle_count").ok()?),
            slots: self.setup.params.counts.capacity,
            origin: self.setup.center,
            generation: machine.generation(),
        })
    }
}
