//! Gravity that a program sets, from a target or a step on.

use glam::{DVec3, Vec3};
use meniscus_model::Control;

use super::Target;
use crate::{Error, simulation::Simulation};

impl Simulation {
    /// Gravity in m/s² from the next step on; after a target of [`Simulation::record`] that is not reached yet, from there on, so
    /// that the bits depend on targets and gravities alone. It is part of the state. What follows from the scene's gravity stays,
    /// as the speed of sound of weakly compressible liquids and the heights of openings.
    ///
    /// # Errors
    /// [`Error::Options`] if it is not finite, too large for an f32, or leaves the plane of a 2-D scene.
    pub fn set_gravity(&mut self, gravity: DVec3) -> Result<(), Error> {
        let words = gravity.as_vec3();
        if !words.is_finite() {
            return Err(Error::Options(format!(
                "gravity is three finite numbers in m/s², not {gravity}"
            )));
        }
        if self.setup.params.world.dimensions == 2 && words.z != 0.0 {
            return Err(Error::Options(format!(
                "gravity {gravity} leaves the plane: in 2-D it has no z"
            )));
        }
        self.change_gravity(words);
        Ok(())
    }

    /// Sets gravity at once.
    fn apply_gravity(&mut self, gravity: Vec3) {
        let mut params = self.setup.params;
        self.program.gravity_before.get_or_insert(params.world.gravity);
        params.world.gravity = gravity;
        self.write_params(params);
    }

    /// Takes gravity from a state, or the scene's if it has none.
    pub(in crate::simulation) fn take_gravity(&mut self, gravity: Option<[f32; 3]>) {
        match (gravity, self.program.gravity_before.take()) {
            (Some(gravity), before) => {
                self.program.gravity_before = before;
                self.apply_gravity(gravity.into());
            }
            (None, Some(before)) => {
                self.apply_gravity(before);
                self.program.gravity_before = None;
            }
            (None, None) => {}
        }
    }

    /// Gravity that acts, if the program has set it.
    fn own_gravity(&self) -> Option<Vec3> {
        self.program.gravity_before.map(|_| self.setup.params.world.gravity)
    }

    /// Sets gravity after the last target that was recorded, and after a step whose loops go on in the next submission.
    fn change_gravity(&mut self, gravity: Vec3) {
        let reached = self.reached();
        let after = self.course.recorded.filter(|target| *target > reached).unwrap_or(reached);
        self.course.gravities.push_back((after, gravity));
        self.apply_gravities();
    }

    /// Sets the gravities whose time has come.
    pub(super) fn apply_gravities(&mut self) {
        let reached = self.reached();
        while let Some((after, gravity)) = self.course.gravities.front().copied()
            && after <= reached
            && !self.control.stalled()
        {
            self.course.gravities.pop_front();
            self.apply_gravity(gravity);
        }
    }

    /// Gravity of the program where Control is.
    pub(in crate::simulation) fn gravity_at(&self, control: &Control) -> Option<[f32; 3]> {
        let at = Target::of(control);
        let passed = |(after, _): &&(Target, Vec3)| *after <= at && !control.stalled();
        let waiting = self.course.gravities.iter().rev().find(passed);
        waiting
            .map(|(_, gravity)| *gravity)
            .or(self.own_gravity())
            .map(|gravity| gravity.to_array())
    }
}
