//! Bodies that a program takes out and puts in.

use glam::{Vec2, Vec4};
use meniscus_model::{
    SolidId,
    motion::{Movement, Pose},
    params::{Body, Collider},
    shared::encode,
};

use super::{Simulation, frames::Change};
use crate::Error;

impl Simulation {
    /// Takes a free body out of the scene, so that nothing touches it or acts on it, and it is not drawn, until
    /// [`Simulation::add_body`]. It acts as [`Simulation::set_gravity`] does, and is part of the state. The water does not fill its place at
    /// once.
    ///
    /// # Errors
    /// [`Error::Options`] if the scene has no `[capacity]`, for a solid that does not move freely or that a joint holds, no such
    /// solid, and where every axis is periodic; [`Error::Device`].
    pub fn remove_body(&mut self, body: SolidId) -> Result<(), Error> {
        self.puttable(body)?;
        let Some(away) = self.setup.params.parking() else {
            return Err(Error::Options(
                "a body has no place to go where every axis is periodic".into(),
            ));
        };
        let out = Body { position: away.extend(0.0), rotation: Vec4::W, ..Body::default() };
        self.change(Change::Put(body.index(), Box::new(out), 0.0))
    }

    /// Puts a free body of the scene somewhere with velocities, whether it was out or not. The fluid at its place goes. The scene's bodies are the
    /// most that there may be: one that is not there from the start is taken out at once by [`Simulation::remove_body`]. It acts as
    /// [`Simulation::set_gravity`] does, and is part of the state.
    ///
    /// # Errors
    /// As [`Simulation::remove_body`], and for a place that is not finite, beyond all cells or leaves the plane of a 2-D scene.
    pub fn add_body(&mut self, body: SolidId, at: Movement) -> Result<(), Error> {
        self.puttable(body)?;
        let Movement { pose: Pose { position, rotation }, velocity, angular_velocity } = at;
        let refuse = |text: &str| Err(Error::Options(format!("the place of body {body} {text}")));
        let is_turn = rotation.is_finite() && (0.5..2.0).contains(&rotation.length());
        let vectors =
            [position - self.setup.center, velocity, angular_velocity].map(|v| v.as_vec3());
        if !is_turn || !vectors.iter().all(|v| v.is_finite()) {
            return refuse(
                "has a value that is not finite, or a rotation that is no unit quaternion",
            );
        }
        let is_flat = self.setup.params.world.dimensions == 2;
        let [mut local, v, spin] = vectors;
        if is_flat {
            let in_plane = v.z == 0.0 && spin.truncate() == Vec2::ZERO;
            if !in_plane || rotation.x != 0.0 || rotation.y != 0.0 {
                return refuse(
                    "leaves the plane: in 2-D, velocities have no z, and rotations are about z",
                );
            }
            local.z = 0.0;
        }
        if self.setup.params.is_parked(local) {
            return refuse("is farther away than anything may be");
        }
        let own = self.setup.colliders[body.index()];
        let rotation = rotation.normalize().as_quat();
        let inertia = own.inverse_inertia.map(|i| if i > 0.0 { 1.0 / i } else { 0.0 });
        let put = Body {
            position: local.extend(0.0),
            rotation: rotation.into(),
            velocity: v.extend(0.0),
            angular_velocity: spin.extend(0.0),
            angular_momentum: (rotation * (inertia * (rotation.inverse() * spin))).extend(0.0),
        };
        let fastest = v.length() + spin.length() * (own.half_extents.length() + own.radius);
        let place = Collider { position: local, rotation: rotation.into(), ..own };
        self.change(Change::Remove(Box::new(place)))?;
        self.change(Change::Put(body.index(), Box::new(put), fastest))
    }

    /// Whether a body is in the scene, as last read back.
    ///
    /// # Errors
    /// [`Error::Options`] if there is no such solid.
    pub fn has_body(&self, body: SolidId) -> Result<bool, Error> {
        let place = self.place(body)?.pose.position - self.setup.center;
        Ok(!self.setup.params.is_parked(place.as_vec3()))
    }

    fn puttable(&self, body: SolidId) -> Result<(), Error> {
        self.room()?;
        self.known(body)?;
        let refuse = |text: &str| Err(Error::Options(format!("body {body} {text}")));
        let own = &self.setup.colliders[body.index()];
        if own.inverse_mass == 0.0 {
            return refuse("does not move freely: steer it");
        }
        let is_of = |number: f32| number == body.number() as f32;
        if own.hinged_mass > 0.0
            || self.setup.joints.iter().any(|joint| is_of(joint.who.y) || is_of(joint.who.z))
        {
            return refuse("is held by a joint: it cannot be taken out or put in");
        }
        Ok(())
    }

    pub(super) fn apply_put(
        &mut self,
        number: usize,
        body: Body,
        fastest: f32,
    ) -> Result<(), Error> {
        self.machine.write("put_body", &encode(&[body]))?;
        let state = [number as u32, fastest.to_bits()];
        self.machine.write("put_state", bytemuck::cast_slice(&state))?;
        if let Some(known) = self.bodies.get_mut(number) {
            *known = body;
        }
        self.machine.submit("put")
    }
}
