//! Particles of a file in place of a simulation's own, to draw them.

use bytemuck::cast_slice;
use glam::{DQuat, DVec3};
use meniscus_methods::{Quantity, foam};
use meniscus_model::{BodyReport, params::KIND_FLUID};

use super::Simulation;
use crate::Error;

/// A particle of fluid to show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct ShownParticle {
    /// Number of the particle.
    pub id: u32,
    /// World position in m.
    pub position: [f32; 3],
    /// Velocity in m/s.
    pub velocity: [f32; 3],
    /// Density in kg/m³ (2-D: kg/m²); that of the material at rest if absent.
    pub density: Option<f32>,
    /// Index of its material in the scene.
    pub material: u32,
}

/// A particle of foam to show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct ShownFoam {
    /// Number of the particle.
    pub id: u32,
    /// World position in m.
    pub position: [f32; 3],
    /// Velocity in m/s.
    pub velocity: [f32; 3],
    /// Number of its kind: 0 spray, 1 foam, 2 bubble.
    pub kind: u32,
    /// Time since birth in s.
    pub age: f32,
}

/// A frame of an earlier run, as files have it.
#[derive(Clone, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "built by its users")]
pub struct Shown {
    /// Number of the frame, from which follow the time and the places of boundaries that move.
    pub frame: u32,
    /// Particles of the fluid.
    pub particles: Vec<ShownParticle>,
    /// Particles of foam; left out in scenes without foam.
    pub foam: Vec<ShownFoam>,
    /// Places of bodies, by their names.
    pub bodies: Vec<BodyReport>,
    /// Values of a quantity of one lane, one for each particle, to colour them.
    pub colors: Option<(Quantity, Vec<f32>)>,
}

impl Simulation {
    /// Puts the particles and bodies of a frame of an earlier run in place of its own, to draw them or to extract their surface.
    /// The simulation cannot go on from there: what files do not have, as forces and the particles of walls, is not there.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    pub fn show(&mut self, shown: &Shown) -> Result<(), Error> {
        let count = shown.particles.len();
        self.make_room_now(u32::try_from(count).unwrap_or(u32::MAX), count)?;
        let center = self.setup.center;
        let local =
            |[x, y, z]: [f32; 3]| (DVec3::new(x.into(), y.into(), z.into()) - center).as_vec3();
        let materials = &self.setup.params.materials;
        let last = materials.len() as u32 - 1;
        let (mut position, mut velocity) = (Vec::new(), Vec::new());
        let mut identity = Vec::new();
        for one in &shown.particles {
            let material = one.material.min(last);
            let density = one.density.unwrap_or(materials[material as usize].rest_density);
            position.push(local(one.position).extend(density).to_array());
            let [x, y, z] = one.velocity;
            velocity.push([x, y, z, 0.0]);
            identity.push([one.id, KIND_FLUID | material << 8]);
        }
        self.machine.write("position", cast_slice(&position))?;
        self.machine.write("velocity", cast_slice(&velocity))?;
        self.machine.write("identity", cast_slice(&identity))?;
        if let Some((quantity, values)) = &shown.colors {
            let (stride, lanes) = (quantity.stride(), quantity.scalars());
            let own = ["position", "velocity", "identity"].contains(&quantity.array.name);
            if !own && lanes.len() == 1 && !quantity.is_whole() {
                let mut words = vec![0.0_f32; stride * values.len()];
                for (element, value) in words.chunks_exact_mut(stride).zip(values) {
                    element[lanes.start] = *value;
                }
                self.machine.write(quantity.array.name, cast_slice(&words))?;
            } else if quantity.array.name == "velocity" && lanes == (3..4) {
                for (element, value) in velocity.iter_mut().zip(values) {
                    element[3] = *value;
                }
                self.machine.write("velocity", cast_slice(&velocity))?;
            }
        }
        if self.setup.foam > 0 {
            self.show_foam(&shown.foam[..shown.foam.len().min(self.setup.foam as usize)])?;
        }
        for (name, number) in &self.setup.bodies {
            let found = shown.bodies.iter().find(|body| body.name == *name);
            let Some((body, own)) = found.zip(self.bodies.get_mut(*number as usize)) else {
                continue;
            };
            let place = (DVec3::from(body.position) - center).as_vec3();
            own.position = place.extend(own.position.w);
            own.rotation = DQuat::from_array(body.rotation).normalize().as_quat().into();
        }
        self.control.frame = shown.frame;
        self.control.frame_done = 1;
        self.control.particle_count = count as u32;
        self.machine.write_control(&self.control);
        Ok(())
    }

    fn show_foam(&self, particles: &[ShownFoam]) -> Result<(), Error> {
        let center = self.setup.center.as_vec3();
        let (mut position, mut velocity) = (Vec::new(), Vec::new());
        for one in particles {
            // The time left is not in files, so none of it fades.
            position.push((glam::Vec3::from(one.position) - center).extend(1e9).to_array());
            velocity.push(glam::Vec3::from(one.velocity).extend(one.age).to_array());
        }
        let numbers: Vec<_> = particles.iter().map(|one| [one.id, one.kind]).collect();
        self.machine.write("foam_position", cast_slice(&position))?;
        self.machine.write("foam_velocity", cast_slice(&velocity))?;
        self.machine.write("foam_identity", cast_slice(&numbers))?;
        let count = foam::FOAM_COUNT as usize;
        let mut state = vec![0_u32; count + 1];
        state[count] = particles.len() as u32;
        self.machine.write("foam_state", cast_slice(&state))
    }
}
