//! What a program changes from a target or a step on: gravity, emitters, and fluid that it adds or removes.

use glam::{DVec3, Vec3};
use meniscus_model::{
    Control,
    motion::Pose,
    params::{Body, Collider, MAX_GRAVITIES},
};

use super::{Course, Target};
use crate::{
    Error,
    simulation::{Simulation, life::Added},
};

/// A change that follows a target or a step.
#[derive(Debug)]
pub(in crate::simulation) enum Change {
    /// Of all worlds, or of each.
    Gravity(Vec<Vec3>),
    Spawn(Added),
    Remove(Box<Collider>),
    /// Number of an emitter, its speed, and the place of its mouth.
    Emitter(usize, f32, Option<Pose>),
    /// Number of a body, its place and motion, and its largest speed.
    Put(usize, Box<Body>, f32),
}

/// Fluid that was added or removed, as long as it is not known how much there is now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    /// Recordings before it.
    after: u64,
    /// Particles that it has added at most.
    added: u32,
    removes: bool,
}

impl Simulation {
    /// Gravity in m/s² from the next step on; after a target of [`Simulation::record`] that is not reached yet, from there on, so
    /// that the bits depend on targets and gravities alone. It is part of the state. What follows from the scene's gravity stays,
    /// as the speed of sound of weakly compressible liquids and the heights of openings.
    ///
    /// # Errors
    /// [`Error::Options`] if it is not finite, too large for an f32, or leaves the plane of a 2-D scene; [`Error::Device`].
    pub fn set_gravity(&mut self, gravity: DVec3) -> Result<(), Error> {
        let gravity = self.checked_gravity(gravity)?;
        self.change(Change::Gravity(vec![gravity]))
    }

    /// Gravity in m/s² of each world, as [`Simulation::set_gravity`] of all. Steps are chosen by the largest.
    ///
    /// # Errors
    /// As [`Simulation::set_gravity`], for another number of gravities than worlds, and for more than 256 worlds.
    pub fn set_gravities(&mut self, gravities: &[DVec3]) -> Result<(), Error> {
        let (given, worlds) = (gravities.len(), self.worlds() as usize);
        if given != worlds {
            return Err(Error::Options(format!("{given} gravities for {worlds} worlds")));
        }
        if worlds > MAX_GRAVITIES {
            return Err(Error::Options(format!(
                "at most {MAX_GRAVITIES} worlds have gravities of their own, not {worlds}"
            )));
        }
        let all = gravities.iter().map(|gravity| self.checked_gravity(*gravity));
        let all = all.collect::<Result<_, _>>()?;
        self.change(Change::Gravity(all))
    }

    fn checked_gravity(&self, gravity: DVec3) -> Result<Vec3, Error> {
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
        Ok(words)
    }

    /// Sets gravity at once.
    fn apply_gravity(&mut self, gravity: &[Vec3]) {
        let mut params = self.setup.params;
        self.program.gravity_before.get_or_insert(params.world.gravity);
        params.set_gravities(gravity);
        self.write_params(params);
    }

    /// Takes gravity from a state, or the scene's if it has none.
    pub(in crate::simulation) fn take_gravity(&mut self, gravity: &[[f32; 3]]) {
        if !gravity.is_empty() {
            let all: Vec<_> = gravity.iter().copied().map(Vec3::from).collect();
            self.apply_gravity(&all);
        } else if let Some(before) = self.program.gravity_before {
            self.apply_gravity(&[before]);
            self.program.gravity_before = None;
        }
    }

    /// Gravity that acts, if the program has set it: of all worlds, or of each.
    fn own_gravity(&self) -> Vec<Vec3> {
        if self.program.gravity_before.is_none() {
            return Vec::new();
        }
        let params = &self.setup.params;
        match params.has_one_gravity() {
            true => vec![params.world.gravity],
            false => (0..params.counts.worlds).map(|world| params.gravity_in(world)).collect(),
        }
    }

    /// Makes a change after the last target that was recorded, and after a step whose loops go on in the next submission.
    pub(in crate::simulation) fn change(&mut self, change: Change) -> Result<(), Error> {
        let reached = self.reached();
        let after = self.course.recorded.filter(|target| *target > reached).unwrap_or(reached);
        self.course.changes.push_back((after, change));
        self.apply_changes()
    }

    /// Makes the changes whose time has come.
    pub(super) fn apply_changes(&mut self) -> Result<(), Error> {
        let reached = self.reached();
        while self.course.changes.front().is_some_and(|(after, _)| *after <= reached)
            && !self.control.stalled()
        {
            let Some((_, change)) = self.course.changes.pop_front() else { break };
            let (added, removes) = (change.added(), matches!(change, Change::Remove(_)));
            if added > 0 || removes {
                self.course.unknown.push(Unknown { after: self.submissions, added, removes });
            }
            match change {
                Change::Gravity(gravity) => self.apply_gravity(&gravity),
                Change::Spawn(added) => self.apply_spawn(&added)?,
                Change::Remove(region) => self.apply_removal(&region)?,
                Change::Emitter(number, speed, mouth) => {
                    self.apply_emitter(number, speed, mouth, self.time_of(reached))?;
                }
                Change::Put(number, body, fastest) => self.apply_put(number, *body, fastest)?,
            }
        }
        Ok(())
    }

    /// Gravity of the program where Control is.
    pub(in crate::simulation) fn gravity_at(&self, control: &Control) -> Vec<[f32; 3]> {
        let at = Target::of(control);
        let passed = |(after, _): &&(Target, Change)| *after <= at && !control.stalled();
        let waiting = self.course.changes.iter().filter(passed);
        let gravity = |(_, change): &(Target, Change)| match change {
            Change::Gravity(gravity) => Some(gravity.clone()),
            _ => None,
        };
        let last = waiting.filter_map(gravity).next_back();
        last.unwrap_or_else(|| self.own_gravity()).iter().map(Vec3::to_array).collect()
    }

    /// Particles that changes may have added beyond those that are known; `None` if some may have been removed.
    pub(in crate::simulation) fn most_added(&self) -> Option<u32> {
        let Course { changes, unknown, .. } = &self.course;
        let removes = unknown.iter().any(|one| one.removes)
            || changes.iter().any(|(_, change)| matches!(change, Change::Remove(_)));
        let added = changes.iter().map(|(_, change)| change.added());
        let added = added.chain(unknown.iter().map(|one| one.added));
        (!removes).then(|| added.fold(0, u32::saturating_add))
    }

    /// Forgets what a recording has told.
    pub(super) fn know(&mut self, recording: u64) {
        self.course.unknown.retain(|one| one.after >= recording);
    }
}

impl Change {
    fn added(&self) -> u32 {
        match self {
            Self::Spawn(added) => added.count(),
            _ => 0,
        }
    }
}
