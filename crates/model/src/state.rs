//! State: the persistent buffers by name.

use std::collections::BTreeMap;

use crate::Control;

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
    /// Words of each persistent buffer, by name.
    pub arrays: BTreeMap<String, Vec<u32>>,
}

/// Current state of a rigid body, in the world.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "the host builds it")]
pub struct BodyReport {
    /// Name in the scene.
    pub name: String,
    /// Index of its collider.
    pub collider: u32,
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

impl State {
    /// Number of live particles.
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

    fn words(&self, name: &str) -> &[u32] {
        self.arrays.get(name).map_or(&[], Vec::as_slice)
    }
}
