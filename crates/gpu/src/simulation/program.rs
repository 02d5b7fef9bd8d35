//! What a program does to a running simulation: solids that follow it, forces on bodies, force fields.

use std::collections::BTreeMap;

use glam::{DQuat, DVec3, Vec3};
use meniscus_model::{
    SolidId, State,
    colliders::force_field,
    motion::{self, Movement, Pose},
    params::{self, Collider, EmitterParams, FrameMotion, MAX_FORCE_FIELDS},
    scene::{Force, check},
};

use super::Simulation;
use crate::Error;

/// Most parts of a frame in which the speed of a steered solid is looked at.
const SPEEDS: u32 = 8;

/// Where a steered solid shall be at the end of the next frame: [`Simulation::set_kinematic_target`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct KinematicTarget {
    /// Position of its centre and rotation of its own axes, as in [`Simulation::place`].
    pub pose: Pose,
    /// Velocity in m/s that it has there; its mean in the frame if absent.
    pub velocity: Option<DVec3>,
    /// Angular velocity in rad/s that it has there; its mean in the frame if absent.
    pub angular_velocity: Option<DVec3>,
}

impl KinematicTarget {
    /// Goal at a position in m with a rotation, reached at the frame's mean velocity.
    #[must_use]
    pub fn new(position: DVec3, rotation: DQuat) -> Self {
        Self { pose: Pose { position, rotation }, velocity: None, angular_velocity: None }
    }

    /// Goal with velocity in m/s and angular velocity in rad/s at the end of the frame.
    #[must_use]
    pub fn with_velocities(self, velocity: DVec3, angular_velocity: DVec3) -> Self {
        Self { velocity: Some(velocity), angular_velocity: Some(angular_velocity), ..self }
    }
}

/// A force field of a simulation, which keeps its identity when others are added or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ForceField(u32);

/// Solids steered by the program, forces on bodies, and the identities of force fields.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    steered: BTreeMap<SolidId, Steered>,
    /// Force, and then torque, on each collider.
    pushes: Vec<[[f32; 4]; 2]>,
    /// Identities of the force fields, in their order in `Params`.
    fields: Vec<ForceField>,
    next_field: u32,
    fastest: f32,
    /// Longest step in s of the scene, but for its emitters.
    pub(super) max_step: f32,
    /// Emitters and their points as the scene has them.
    pub(super) mouths: (Vec<EmitterParams>, Vec<[f32; 4]>),
    /// Gravity before the program set it, the same in all worlds; `None` while it has not.
    pub(super) gravity_before: Option<Vec3>,
}

#[derive(Clone, Copy, Debug)]
struct Steered {
    /// At the start of the frame.
    from: Movement,
    /// At its end.
    to: Movement,
    next: Option<KinematicTarget>,
}

impl Program {
    pub(super) fn steers(&self) -> bool {
        !self.steered.is_empty()
    }

    pub(super) fn steers_solid(&self, solid: SolidId) -> bool {
        self.steered.contains_key(&solid)
    }

    /// Places of steered solids at the start and at the end of the frame.
    pub(super) fn steered(&self) -> BTreeMap<SolidId, [Movement; 2]> {
        self.steered.iter().map(|(&number, solid)| (number, [solid.from, solid.to])).collect()
    }

    /// Goals of the next frame, which states do not have.
    pub(super) fn take_goals(&mut self) -> BTreeMap<SolidId, KinematicTarget> {
        let all = self.steered.iter_mut();
        all.filter_map(|(number, solid)| Some((*number, solid.next.take()?))).collect()
    }

    /// Gives solids that are steered still their goals back.
    pub(super) fn put_goals(&mut self, mut goals: BTreeMap<SolidId, KinematicTarget>) {
        for (number, solid) in &mut self.steered {
            solid.next = goals.remove(number);
        }
    }

    /// Largest speed in m/s of steered solids in the frame.
    pub(super) fn fastest(&self) -> f32 {
        self.fastest
    }

    /// Gives every force field an identity when their number has changed.
    pub(super) fn count_fields(&mut self, count: usize) {
        self.fields.truncate(count);
        while self.fields.len() < count {
            self.fields.push(ForceField(self.next_field));
            self.next_field += 1;
        }
    }
}

impl Simulation {
    /// The solid with this name, a body or a boundary, for [`Simulation::place`], [`Simulation::set_kinematic_target`] and
    /// [`Simulation::set_force`].
    #[must_use]
    pub fn solid(&self, name: &str) -> Option<SolidId> {
        let mut all = self.setup.bodies.iter().chain(&self.setup.names);
        all.find(|(known, _)| known == name).map(|(_, number)| SolidId::new(*number))
    }

    /// Place of a solid in the world as last read back: the position of its centre (of mass, of bodies), the rotation
    /// from its own axes, and its velocities.
    ///
    /// # Errors
    /// [`Error::Options`] if there is no such solid.
    pub fn place(&self, solid: SolidId) -> Result<Movement, Error> {
        self.known(solid)?;
        let Collider { position, rotation, velocity, angular_velocity, .. } =
            self.colliders()[solid.index()];
        Ok(Movement {
            pose: Pose {
                position: position.as_dvec3() + self.setup.center,
                rotation: DQuat::from_vec4(rotation.as_dvec4()).normalize(),
            },
            velocity: velocity.as_dvec3(),
            angular_velocity: angular_velocity.as_dvec3(),
        })
    }

    /// Moves a solid in the next frame to a goal, in place of the scene's motion and for the rest of the run: a boundary,
    /// or a body that is fixed or has a motion. On the way its position and rotation are cubic curves with the velocities
    /// at both ends, and the fluid feels it move. Without another goal it stays where it is in the frame after.
    ///
    /// Steps become short enough for its speed, but the speed of sound and walls of weakly compressible solvers are those
    /// of the scene: [`Simulation::gentle_speed`] is what they follow easily. Where it is in the frame is part
    /// of a state, a goal of a frame that has not begun is not.
    ///
    /// # Errors
    /// [`Error::Options`] for a solid that moves freely, no such solid, a goal that is not finite, or one that
    /// leaves the plane of a 2-D scene.
    pub fn set_kinematic_target(
        &mut self,
        solid: SolidId,
        goal: KinematicTarget,
    ) -> Result<(), Error> {
        self.known(solid)?;
        if self.setup.colliders[solid.index()].inverse_mass > 0.0 {
            return Err(Error::Options(format!(
                "solid {solid} moves freely: push it, or make it a body with fixed = true"
            )));
        }
        let KinematicTarget { pose, velocity, angular_velocity } = goal;
        let [v, spin] = [velocity, angular_velocity].map(Option::unwrap_or_default);
        let length = pose.rotation.length();
        let finite = [pose.position, v, spin].iter().all(|v| v.is_finite());
        if !finite || !(0.5..2.0).contains(&length) {
            return Err(Error::Options(format!(
                "the goal of solid {solid} has a value that is not finite, or a rotation that is no unit quaternion"
            )));
        }
        let turn = pose.rotation.to_array();
        let in_plane = v.z == 0.0 && spin.truncate() == glam::DVec2::ZERO;
        if self.setup.params.world.dimensions == 2
            && !(in_plane && turn[0] == 0.0 && turn[1] == 0.0)
        {
            return Err(Error::Options(format!(
                "the goal of solid {solid} leaves the plane: in 2-D, velocities have no z, and rotations are about z"
            )));
        }
        let pose = Pose { rotation: pose.rotation.normalize(), ..pose };
        let here = self.setup.movement_at(solid.index(), self.frame_end());
        let steered = Steered { from: here, to: here, next: None };
        let steered = self.program.steered.entry(solid).or_insert(steered);
        steered.next = Some(KinematicTarget { pose, ..goal });
        Ok(())
    }

    /// Force in N (N/m in 2-D) at the centre of mass of a free body and torque in N m about it, in world axes, from the
    /// next submission until the next call; 0 ends it. It is part of a state.
    ///
    /// # Errors
    /// [`Error::Options`] for a solid that does not move freely, no such solid, or a value that is not finite;
    /// [`Error::Device`].
    pub fn set_force(&mut self, body: SolidId, force: DVec3, torque: DVec3) -> Result<(), Error> {
        self.known(body)?;
        if self.setup.colliders[body.index()].inverse_mass == 0.0 {
            return Err(Error::Options(format!("solid {body} does not move freely: steer it")));
        }
        if !(force.is_finite() && torque.is_finite()) {
            return Err(Error::Options(format!("the force on body {body} is not finite")));
        }
        let (force, torque) = match self.setup.params.world.dimensions {
            2 => (force.with_z(0.0), torque * DVec3::Z),
            _ => (force, torque),
        };
        let words = |v: DVec3| v.as_vec3().extend(0.0).to_array();
        let pushes = &mut self.program.pushes;
        pushes.resize(self.setup.colliders.len(), Default::default());
        pushes[body.index()] = [words(force), words(torque)];
        self.machine.write("body_push", bytemuck::cast_slice(pushes))
    }

    /// Takes gravity, steered solids and pushes from a state.
    pub(super) fn take_program(&mut self, state: &State) {
        self.take_gravity(&state.gravity);
        let all = state.steered.iter();
        let all = all.map(|(&number, &[from, to])| (number, Steered { from, to, next: None }));
        self.program.steered = all.collect();
        let pushes = state.arrays.get("body_push").map(|words| bytemuck::pod_collect_to_vec(words));
        self.program.pushes = pushes.unwrap_or_default();
        self.find_fastest();
    }

    /// Force fields that act, in order: the scene's own and those added.
    #[must_use]
    pub fn force_fields(&self) -> &[ForceField] {
        &self.program.fields
    }

    /// Adds a force field from the next submission on.
    ///
    /// # Errors
    /// [`Error::Options`] if there are eight already, or with what is wrong with it.
    pub fn add_force_field(&mut self, force: &Force) -> Result<ForceField, Error> {
        let count = self.program.fields.len();
        if count >= MAX_FORCE_FIELDS {
            return Err(Error::Options(format!(
                "at most {MAX_FORCE_FIELDS} force fields act at once"
            )));
        }
        let field = self.field_of(force)?;
        let mut params = self.setup.params;
        params.force_fields[count] = field;
        params.counts.force_fields += 1;
        self.program.count_fields(count + 1);
        self.write_params(params);
        Ok(self.program.fields[count])
    }

    /// Puts another force field in place of one, as to move it, from the next submission on.
    ///
    /// # Errors
    /// [`Error::Options`] if it has been removed, or with what is wrong with the new one.
    pub fn set_force_field(&mut self, field: ForceField, force: &Force) -> Result<(), Error> {
        let (at, new) = (self.index_of(field)?, self.field_of(force)?);
        let mut params = self.setup.params;
        params.force_fields[at] = new;
        self.write_params(params);
        Ok(())
    }

    /// Removes a force field from the next submission on.
    ///
    /// # Errors
    /// [`Error::Options`] if it has been removed already.
    pub fn remove_force_field(&mut self, field: ForceField) -> Result<(), Error> {
        let at = self.index_of(field)?;
        self.program.fields.remove(at);
        let mut params = self.setup.params;
        params.force_fields[at..].rotate_left(1);
        params.force_fields[MAX_FORCE_FIELDS - 1] = params::ForceField::default();
        params.counts.force_fields -= 1;
        self.write_params(params);
        Ok(())
    }

    /// Solids that the program steers: where each is at the start and at the end of the frame.
    #[must_use]
    pub fn steered(&self) -> BTreeMap<SolidId, [Movement; 2]> {
        self.program.steered()
    }

    fn index_of(&self, field: ForceField) -> Result<usize, Error> {
        let found = self.program.fields.iter().position(|known| *known == field);
        found.ok_or_else(|| Error::Options("the force field has been removed".into()))
    }

    fn field_of(&self, force: &Force) -> Result<params::ForceField, Error> {
        let dimensions = self.setup.params.world.dimensions;
        let problems = check::force(force, dimensions);
        if !problems.is_empty() {
            return Err(Error::Scene(problems));
        }
        Ok(force_field(force, dimensions, self.setup.center))
    }

    pub(super) fn known(&self, solid: SolidId) -> Result<(), Error> {
        let count = self.setup.colliders.len();
        if solid.index() < count {
            return Ok(());
        }
        Err(Error::Options(format!("there is no solid {solid}: the scene has {count}")))
    }

    /// End time of the current frame, or of the last one.
    fn frame_end(&self) -> f64 {
        f64::from(self.control.frame) * self.setup.frame_duration
    }

    /// Begins a frame: each steered solid leaves for its goal, or stays.
    pub(super) fn follow_goals(&mut self) {
        if !self.program.steers() {
            return;
        }
        let (duration, flat) = (self.setup.frame_duration, self.setup.params.world.dimensions == 2);
        for solid in self.program.steered.values_mut() {
            solid.from = solid.to;
            let Some(mut goal) = solid.next.take() else {
                solid.to =
                    Movement { velocity: DVec3::ZERO, angular_velocity: DVec3::ZERO, ..solid.to };
                solid.from = solid.to;
                continue;
            };
            if flat {
                goal.pose.position.z = solid.from.pose.position.z;
            }
            let [way, turn] = motion::way([solid.from.pose, goal.pose]);
            solid.to = Movement {
                pose: goal.pose,
                velocity: goal.velocity.unwrap_or(way / duration),
                angular_velocity: goal.angular_velocity.unwrap_or(turn / duration),
            };
        }
        self.find_fastest();
    }

    /// Finds the largest speed of steered solids in the frame.
    fn find_fastest(&mut self) {
        let (duration, flat) = (self.setup.frame_duration, self.setup.params.world.dimensions == 2);
        let mut fastest = 0.0_f32;
        for (&number, solid) in &self.program.steered {
            let [way, turn] = motion::way([solid.from.pose, solid.to.pose]);
            let collider = &self.setup.colliders[number.index()];
            let half = collider.half_extents;
            let half = if flat { half.truncate().length() } else { half.length() };
            let reach = f64::from(half + collider.radius);
            let speed = |k: u32| {
                let share = f64::from(k) / f64::from(SPEEDS);
                let curve = |v0, way: DVec3, v1| motion::speed([v0, way / duration, v1], share);
                let v = curve(solid.from.velocity, way, solid.to.velocity);
                let spin = curve(solid.from.angular_velocity, turn, solid.to.angular_velocity);
                v.length() + reach * spin.length()
            };
            fastest = fastest.max((0..=SPEEDS).map(speed).fold(0.0, f64::max) as f32);
        }
        self.program.fastest = fastest;
        self.write_min_speed();
    }

    /// Puts the motions of steered solids in place of the scene's.
    pub(super) fn steer_motions(&self, motions: &mut [FrameMotion]) {
        let (duration, center) = (self.setup.frame_duration, self.setup.center);
        for (&number, solid) in &self.program.steered {
            let motion = &mut motions[number.index()];
            let [share, change] = [motion.position.w, motion.way.w];
            *motion = motion::between_places([solid.from, solid.to], duration, center, DVec3::ZERO);
            (motion.position.w, motion.way.w) = (share, change);
        }
    }
}
