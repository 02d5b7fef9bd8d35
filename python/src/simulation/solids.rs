//! Solids of a simulation: where they are, and the forces on them.

use meniscus::SolidId;

use super::{Inner, Triple};
use crate::errors::Failure;

impl Inner {
    /// Name and number of the bodies and then of the boundaries with a name, whether it is a body, and whether it moves
    /// freely.
    pub(super) fn solids(&self) -> Result<Vec<(String, u32, bool, bool)>, Failure> {
        let setup = self.simulation.setup();
        let is_free = |number: u32| setup.colliders[number as usize].inverse_mass > 0.0;
        let bodies = setup.bodies.iter().map(|(name, number)| (name, *number, true));
        let walls = setup.names.iter().map(|(name, number)| (name, *number, false));
        let all = bodies.chain(walls);
        Ok(all.map(|(name, k, is_body)| (name.clone(), k, is_body, is_free(k))).collect())
    }

    /// Position in m, rotation (w, x, y, z), velocity in m/s and angular velocity in rad/s of a solid.
    pub(super) fn place(&self, solid: u32) -> Result<(Triple, [f64; 4], Triple, Triple), Failure> {
        let place = self.simulation.place(SolidId::new(solid))?;
        let [x, y, z, w] = place.pose.rotation.to_array();
        let position = place.pose.position.to_array();
        let [velocity, spin] = [place.velocity, place.angular_velocity].map(|v| v.to_array());
        Ok((position, [w, x, y, z], velocity, spin))
    }

    /// Positions and rotations of solids.
    pub(super) fn places(&self, solids: Vec<u32>) -> Result<Vec<(Triple, [f64; 4])>, Failure> {
        let colliders = self.simulation.colliders();
        let center = self.simulation.setup().center;
        let of = |solid: u32| {
            let own = colliders
                .get(solid as usize)
                .ok_or_else(|| Failure::Value(format!("there is no solid {solid}")))?;
            let [x, y, z, w] = own.rotation.as_dvec4().to_array();
            Ok(((own.position.as_dvec3() + center).to_array(), [w, x, y, z]))
        };
        solids.into_iter().map(of).collect()
    }

    /// Numbers of the solid of this name in all worlds; `None` if there is no such.
    pub(super) fn solids_in_worlds(&self, name: &str) -> Result<Option<Vec<u32>>, Failure> {
        let simulation = &self.simulation;
        let all = (0..simulation.worlds())
            .map(|world| Ok(simulation.solid_in(world, name)?.map(SolidId::number)));
        let all: Vec<_> = all.collect::<Result<_, Failure>>()?;
        Ok(all.into_iter().collect())
    }

    /// Force in N and torque in N m on the solid of this name in the last step, and then their means in the frame; `None` if
    /// they are not measured.
    pub(super) fn forces(&self, name: &str) -> Result<Option<[Triple; 4]>, Failure> {
        let found = self.simulation.forces().into_iter().find(|one| one.name == name);
        Ok(found.map(|one| [one.force, one.torque, one.mean_force, one.mean_torque]))
    }

    /// Mean force in N and torque in N m in the frame on the solid of this name in each world; `None` if they are not measured.
    pub(super) fn forces_in_worlds(&self, name: &str) -> Result<Option<Vec<[Triple; 2]>>, Failure> {
        let simulation = &self.simulation;
        let number = simulation.forces().iter().position(|one| one.name == name);
        let Some(number) = number else { return Ok(None) };
        let of = |world| {
            let own = &simulation.forces_in(world)?[number];
            Ok([own.mean_force, own.mean_torque])
        };
        (0..simulation.worlds()).map(of).collect::<Result<_, Failure>>().map(Some)
    }

    /// Impulse in N s and angular impulse in N m s on the solid of this name since the last call; `None` if they are not measured.
    pub(super) fn impulse(&mut self, name: &str) -> Result<Option<[f64; 6]>, Failure> {
        let number = self.simulation.forces().iter().position(|one| one.name == name);
        Ok(number.map(|number| self.impulses.take(number)))
    }
}
