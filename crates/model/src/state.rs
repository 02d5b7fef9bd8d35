//! State: the persistent buffers by name.

use std::{collections::BTreeMap, fmt};

use meniscus_methods::foam;

use crate::Control;
use crate::motion::Movement;
use crate::params::{KIND_BOUNDARY, KIND_FLUID};

/// What a particle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParticleKind {
    /// Fluid.
    Fluid,
    /// Part of a wall or body.
    Solid,
    /// Removed by a drain or beyond the domain; its slot is free at the next sort.
    Removed,
}

/// A solid of a simulation, a body or a boundary, in one of its worlds. Simulations of one scene have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SolidId(u32);

impl SolidId {
    /// Solid by its number among the colliders.
    #[must_use]
    pub const fn new(number: u32) -> Self {
        Self(number)
    }

    /// Its number among the colliders.
    #[must_use]
    pub const fn number(self) -> u32 {
        self.0
    }

    /// Its index among the colliders.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for SolidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// State of a simulation between steps, as read back and as stored in checkpoints: [`Control`] and
/// every persistent buffer.
///
/// Arrays are 32-bit words under the name of the buffer (the WGSL variable); accessors convert
/// them. Positions are relative to [`State::center`].
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Time, number of particles, failure.
    pub control: Control,
    /// Length of a frame in s.
    pub frame_duration: f64,
    /// The domain's centre in m, to which positions are relative.
    pub center: [f64; 3],
    /// Gravity in m/s² that the program has set, of all worlds or of each; the scene's if there is none.
    pub gravity: Vec<[f32; 3]>,
    /// Solids that a program steers: where each is at the start and at the end of the frame.
    pub steered: BTreeMap<SolidId, [Movement; 2]>,
    /// Words of each persistent buffer, by name, as the engine has them: without promises of stability.
    pub arrays: BTreeMap<String, Vec<u32>>,
}

/// A particle of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Particle {
    /// Number of the particle, which stays; new ones get the next.
    pub id: u32,
    /// World position in m.
    pub position: [f64; 3],
    /// Velocity in m/s.
    pub velocity: [f32; 3],
    /// Density in kg/m³ (2-D: kg/m²); of a solid's its volume in m³ (m²).
    pub density: f32,
    /// Pressure in Pa; of a solid's its friction.
    pub pressure: f32,
    /// Index of its material in the scene.
    pub material: usize,
}

/// Kind of a particle of foam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums, reason = "callers tell each")]
pub enum FoamKind {
    /// Falls freely through the air.
    Spray,
    /// Floats on the fluid.
    Foam,
    /// Rises in the fluid.
    Bubble,
}

impl FoamKind {
    /// Its number in files: 0 spray, 1 foam, 2 bubble.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Spray => foam::FOAM_SPRAY,
            Self::Foam => foam::FOAM_FOAM,
            Self::Bubble => foam::FOAM_BUBBLE,
        }
    }
}

/// A particle of foam of a state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct FoamParticle {
    /// Number of the particle, by birth.
    pub id: u32,
    /// What it is.
    pub kind: FoamKind,
    /// World position in m.
    pub position: [f64; 3],
    /// Velocity in m/s.
    pub velocity: [f32; 3],
    /// Time since birth in s.
    pub age: f32,
}

/// Current state of a rigid body, in the world.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "the host builds it")]
pub struct BodyReport {
    /// Name in the scene.
    pub name: String,
    /// The body.
    pub solid: SolidId,
    /// Centre of mass in m.
    pub position: [f64; 3],
    /// Unit quaternion (x, y, z, w) from its own axes to the world's.
    pub rotation: [f64; 4],
    /// Velocity in m/s.
    pub velocity: [f64; 3],
    /// Angular velocity in rad/s.
    pub angular_velocity: [f64; 3],
    /// Force of the fluid in the last step, in N (N/m in 2-D).
    pub force: [f64; 3],
    /// Torque of the fluid about the centre of mass in the last step, in N m.
    pub torque: [f64; 3],
}

/// What a joint or a mooring line carries.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "the host builds it")]
pub struct JointReport {
    /// Name in the scene.
    pub name: String,
    /// Mean force on its first body's point since the start of the frame, in N (N/m in 2-D).
    pub force: [f64; 3],
    /// Mean torque on its first body since the start of the frame beside that of the force, in N m.
    pub torque: [f64; 3],
    /// Angle of a hinge in rad, way of a slider in m, or length of a spring, rope or mooring line in m; else 0.
    pub way: f64,
}

/// Forces of the fluid on a body, or on a boundary of particles that has a name: by pressure, viscosity and tension, and by
/// its surface, which stops what pressure does not. What is not pressure's or the surface's is friction.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "the host builds it")]
pub struct ForceReport {
    /// Name in the scene.
    pub name: String,
    /// Mean force since the start of the frame, in N (N/m in 2-D).
    pub mean_force: [f64; 3],
    /// Mean torque about the solid's centre since the start of the frame, in N m.
    pub mean_torque: [f64; 3],
    /// Part of `mean_force` by pressure and the surface; NaN with material points, which push by all stresses at once.
    pub mean_pressure: [f64; 3],
    /// Force in the last step, in N (N/m in 2-D).
    pub force: [f64; 3],
    /// Torque in the last step, in N m.
    pub torque: [f64; 3],
    /// Part of `force` by pressure and the surface; NaN with material points.
    pub pressure: [f64; 3],
}

impl ForceReport {
    /// Part of `mean_force` by viscosity and tension.
    #[must_use]
    pub fn mean_friction(&self) -> [f64; 3] {
        std::array::from_fn(|axis| self.mean_force[axis] - self.mean_pressure[axis])
    }

    /// Part of `force` by viscosity and tension.
    #[must_use]
    pub fn friction(&self) -> [f64; 3] {
        std::array::from_fn(|axis| self.force[axis] - self.pressure[axis])
    }
}

impl State {
    /// Number of live particles, those of walls and bodies among them; [`State::fluid`] has those of the fluid.
    #[must_use]
    pub fn particle_count(&self) -> usize {
        self.control.particle_count as usize
    }

    /// Simulated time in s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.control.time(self.frame_duration)
    }

    /// `position`: (x, y, z) relative to the centre in m, and density in kg/m³ in w.
    #[must_use]
    pub fn position(&self) -> &[[f32; 4]] {
        &bytemuck::cast_slice(self.words("position"))[..self.particle_count()]
    }

    /// `velocity`: (x, y, z) in m/s, and pressure in Pa in w.
    #[must_use]
    pub fn velocity(&self) -> &[[f32; 4]] {
        &bytemuck::cast_slice(self.words("velocity"))[..self.particle_count()]
    }

    /// `identity`: (id, kind | material << 8 | body << 16).
    #[must_use]
    pub fn identity(&self) -> &[[u32; 2]] {
        &bytemuck::cast_slice(self.words("identity"))[..self.particle_count()]
    }

    /// Density of live particle `i` in kg/m³; of a boundary particle its volume in m³ (m² in 2-D).
    #[must_use]
    pub fn density(&self, i: usize) -> f32 {
        self.position()[i][3]
    }

    /// Pressure of live particle `i` in Pa; of a boundary particle its friction.
    #[must_use]
    pub fn pressure(&self, i: usize) -> f32 {
        self.velocity()[i][3]
    }

    /// World position of live particle `i` in m.
    #[must_use]
    pub fn world_position(&self, i: usize) -> [f64; 3] {
        let p = self.position()[i];
        std::array::from_fn(|k| f64::from(p[k]) + self.center[k])
    }

    /// The particles of the fluid, without those of walls and bodies and without removed ones; in no order.
    pub fn fluid(&self) -> impl Iterator<Item = Particle> + '_ {
        self.of_kind(KIND_FLUID).map(|(particle, _)| particle)
    }

    /// The particles of walls and bodies, each with the solid; in no order.
    pub fn solids(&self) -> impl Iterator<Item = (Particle, SolidId)> + '_ {
        self.of_kind(KIND_BOUNDARY).map(|(particle, number)| (particle, SolidId(number)))
    }

    /// What the particle in this slot is.
    #[must_use]
    pub fn kind(&self, i: usize) -> ParticleKind {
        match self.identity()[i][1] & 0xff {
            KIND_FLUID => ParticleKind::Fluid,
            KIND_BOUNDARY => ParticleKind::Solid,
            _ => ParticleKind::Removed,
        }
    }

    fn of_kind(&self, kind: u32) -> impl Iterator<Item = (Particle, u32)> + '_ {
        let all = self.identity().iter().enumerate();
        all.filter(move |(_, [_, what])| what & 0xff == kind).map(|(i, &[id, what])| {
            let [vx, vy, vz, pressure] = self.velocity()[i];
            let particle = Particle {
                id,
                position: self.world_position(i),
                velocity: [vx, vy, vz],
                density: self.density(i),
                pressure,
                material: (what >> 8 & 0xff) as usize,
            };
            (particle, what >> 16)
        })
    }

    /// Particles of foam, oldest first; none without foam.
    pub fn foam(&self) -> impl Iterator<Item = FoamParticle> + '_ {
        let count = self.words("foam_state").get(foam::FOAM_COUNT as usize).copied().unwrap_or(0);
        let lanes = |name| bytemuck::cast_slice::<u32, [f32; 4]>(self.words(name));
        let identity = bytemuck::cast_slice::<u32, [u32; 2]>(self.words("foam_identity"));
        let all = identity.iter().zip(lanes("foam_position")).zip(lanes("foam_velocity"));
        all.take(count as usize).map(|((&[id, kind], place), &[vx, vy, vz, age])| FoamParticle {
            id,
            kind: match kind {
                foam::FOAM_SPRAY => FoamKind::Spray,
                foam::FOAM_BUBBLE => FoamKind::Bubble,
                _ => FoamKind::Foam,
            },
            position: std::array::from_fn(|k| f64::from(place[k]) + self.center[k]),
            velocity: [vx, vy, vz],
            age,
        })
    }

    fn words(&self, name: &str) -> &[u32] {
        self.arrays.get(name).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use meniscus_scene::{Boundary, Fluid, Material, Scene};

    use std::collections::BTreeMap;

    use super::ParticleKind;
    use crate::params::KIND_REMOVED;
    use crate::{Control, Setup, State};

    #[test]
    fn fluid_and_solids_are_told_apart() {
        let scene = Scene::new(0.05)
            .with_solver("muller")
            .with_material(Material::new("water"))
            .with_fluid(Fluid::block([0.0; 3], [0.2, 0.1, 0.1]))
            .with_boundary(Boundary::tank([0.0; 3], [0.3, 0.3, 0.1]));
        let setup = Setup::new(&scene).expect("a sound scene");
        let words = |rows: &[[f32; 4]]| rows.iter().flatten().map(|x| x.to_bits()).collect();
        let mut identity = setup.identity.clone();
        identity[0][1] = KIND_REMOVED;
        let arrays = [
            ("position".to_owned(), words(&setup.position)),
            ("velocity".to_owned(), words(&setup.velocity)),
            ("identity".to_owned(), identity.concat()),
        ];
        let control = Control::start(setup.position.len() as u32);
        let center = setup.center.to_array();
        let state = State {
            control,
            frame_duration: 0.1,
            center,
            gravity: Vec::new(),
            steered: BTreeMap::new(),
            arrays: arrays.into(),
        };
        assert_eq!((state.fluid().count(), state.solids().count()), (1, setup.position.len() - 2));
        let kinds = [0, 1, setup.position.len() - 1].map(|i| state.kind(i));
        assert_eq!(kinds, [ParticleKind::Removed, ParticleKind::Fluid, ParticleKind::Solid]);
        let last = state.fluid().next().expect("a particle");
        assert!((last.position[0] - 0.15).abs() < 1e-6 && last.material == 0, "{last:?}");
        assert!(state.solids().all(|(_, solid)| solid.index() == 0));
    }
}
