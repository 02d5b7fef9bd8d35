//! Joints of a running simulation: what they carry, and their motors.

use glam::{DVec3, Vec4};
use meniscus_model::{
    JointReport,
    geometry::shape::rod,
    joints,
    params::{Collider, Joint},
};

use super::Simulation;
use crate::Error;

impl Simulation {
    /// What the scene's joints, and then its mooring lines, carry, as last read back.
    #[must_use]
    pub fn joints(&self) -> Vec<JointReport> {
        let share = self.per_time_in_frame();
        let mean = |impulse: Vec4| (share * impulse.truncate().as_dvec3()).to_array();
        let now = if self.joints.is_empty() { &self.setup.joints } else { &self.joints };
        let of = |(name, joint): (&String, &Joint)| JointReport {
            name: name.clone(),
            force: mean(joint.impulse),
            torque: mean(joint.angular_impulse),
            way: joint.along.w.into(),
        };
        self.setup.joint_names.iter().zip(now).map(of).collect()
    }

    /// Springs, ropes and mooring lines where the bodies are now, as rods of this radius in m for pictures.
    #[must_use]
    pub fn lines(&self, radius: f32) -> Vec<Collider> {
        let start;
        let bodies = match self.bodies.is_empty() {
            true => {
                start = self.setup.initial_bodies();
                &start
            }
            false => &self.bodies,
        };
        let gravity = self.setup.params.world.gravity.as_dvec3();
        let rod = |ends: &[DVec3]| {
            let shape = rod([ends[0], ends[1]], radius.into());
            let placed = shape.placed(3);
            Collider {
                position: placed.position.as_vec3(),
                shape: shape.number(),
                half_extents: placed.size.half_extents,
                radius: placed.size.radius,
                rotation: placed.rotation.into(),
                ..Collider::default()
            }
        };
        let all = joints::lines(&self.setup.joints, bodies, gravity);
        all.iter().flat_map(|line| line.windows(2).map(rod)).collect()
    }

    /// Gives a hinge or slider another motor from the next submission on: a speed in rad/s or m/s, and the largest torque in N m or
    /// force in N, of which 0 lets it go. Part of a state.
    ///
    /// # Errors
    /// [`Error::Options`] if there is no such joint, it has no axis, or a value is not finite or negative; [`Error::Device`].
    pub fn drive(&mut self, joint: &str, speed: f64, most: f64) -> Result<(), Error> {
        let names = &self.setup.joint_names;
        let Some(number) = names.iter().position(|name| name == joint) else {
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(Error::Options(format!(
                "there is no joint {joint:?}: the scene has {known}"
            )));
        };
        if self.setup.joints[number].axis_b.truncate().as_dvec3() == DVec3::ZERO {
            return Err(Error::Options(format!(
                "joint {joint:?} has no axis: a hinge or slider has a motor"
            )));
        }
        if !speed.is_finite() || !most.is_finite() || most < 0.0 {
            return Err(Error::Options(format!(
                "the motor of joint {joint:?} needs a finite speed and a torque or force from 0 on, not {speed} and {most}"
            )));
        }
        let words = [speed as f32, most as f32];
        let at = number as u64 * Joint::BYTES + Joint::MOTOR;
        self.machine.write_from("joints", at, bytemuck::cast_slice(&words))
    }
}
