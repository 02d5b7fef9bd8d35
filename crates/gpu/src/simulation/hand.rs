//! Interaction with a running simulation: moving walls and pulling bodies, and the current place of
//! both.

use glam::{DVec3, Vec3};
use meniscus_model::{
    BodyReport, ForceReport, Params, SolidId,
    params::{self, Collider},
};

use super::Simulation;

/// ω of a pull without gravity, in s⁻¹: a body arrives within a fifth of a second.
const PULL_RATE: f32 = 20.0;

/// Pull on a body: [`Simulation::pull`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "its users build it")]
pub struct Pull {
    /// The body.
    pub body: SolidId,
    /// Point that is held, relative to the body's centre, in its own axes, in m.
    pub arm: Vec3,
    /// Goal of that point in the world, in m.
    pub goal: DVec3,
}

/// Motion of containers in addition to their own, and pull on bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hand {
    /// Velocity in m/s since the start of the frame.
    pub(super) velocity: Vec3,
    /// Velocity in m/s from the next frame on.
    pub(super) next: Vec3,
    /// Displacement at the start of the frame, in m.
    pub(super) offset: Vec3,
    /// `min_speed` without this motion.
    pub(super) min_speed: f32,
    /// Largest speed of a pulled body, in m/s.
    pub(super) pulling: f32,
}

impl Hand {
    /// Whether containers move, or begin to.
    pub(super) fn moves(&self) -> bool {
        [self.velocity, self.next].iter().any(|v| *v != Vec3::ZERO)
    }
}

impl Simulation {
    /// Moves all containers (boundaries with the fluid inside) at this velocity in m/s, in addition
    /// to their own, from the next frame until the next call; 0 stops them where they are. This is
    /// for interaction: it is not part of a state.
    pub fn move_walls(&mut self, velocity: Vec3) {
        self.hand.next = velocity;
        self.write_min_speed();
    }

    /// Pulls a free body, from the next submission until the next call; `None` releases it. The
    /// force F = m ω (ω (goal − x) − 2 v) in N is that of a spring at the held point x, critically
    /// damped for the body's mass m, and stiff enough that the body's weight stretches it by only a
    /// particle radius. A distant goal pulls no faster than [`Simulation::gentle_speed`]. Like
    /// [`Simulation::move_walls`], this is for interaction. Solids that are not free bodies do
    /// not follow.
    pub fn pull(&mut self, pull: Option<Pull>) {
        let fastest = self.gentle_speed();
        self.hand.pulling = if pull.is_some() { fastest } else { 0.0 };
        let params = &self.setup.params;
        let rate =
            (params.world.gravity.length() / params.world.particle_radius).sqrt().max(PULL_RATE);
        let (center, flat) = (self.setup.center, params.world.dimensions == 2);
        let plane = |v: Vec3| if flat { v.with_z(0.0) } else { v };
        let pull = pull.map_or_else(params::Pull::default, |pull| params::Pull {
            arm: plane(pull.arm),
            body: pull.body.number(),
            goal: plane((pull.goal - center).as_vec3()),
            rate,
            // At this length spring and damping balance at the largest speed.
            reach: 2.0 * fastest / rate,
        });
        let params = Params { pull, ..self.setup.params };
        self.write_params(params);
        self.write_min_speed();
    }

    /// Largest speed in m/s for moving solids interactively: a twentieth of the speed of sound,
    /// which compresses the fluid by less than a percent; in an incompressible fluid half of the
    /// expected speed, which is usually the same.
    #[must_use]
    pub fn gentle_speed(&self) -> f32 {
        let params = &self.setup.params;
        match self.setup.chosen.is_incompressible() {
            true => 0.5 * params.world.expected_speed,
            false => 0.05 * params.time.sound_speed,
        }
    }

    /// Writes the least speed for the CFL condition, including solids moved interactively.
    pub(super) fn write_min_speed(&mut self) {
        let hand = &self.hand;
        let mouths = self.setup.emitters.iter().map(|emitter| emitter.velocity.length());
        let speed = mouths.fold(hand.min_speed, f32::max).max(hand.next.length()).max(hand.pulling);
        let speed = speed.max(self.program.fastest());
        let mut params = self.setup.params;
        params.time.min_speed = speed;
        self.write_params(params);
    }

    /// Colliders at their current place. They are [raw](crate::raw).
    #[must_use]
    pub fn colliders(&self) -> Vec<Collider> {
        let mut colliders = self.setup.colliders_at(self.time());
        let in_frame = (self.time() - self.frame_start()) as f32;
        for collider in colliders.iter_mut().filter(|collider| collider.inside != 0) {
            collider.position += self.hand.offset + self.hand.velocity * in_frame;
            collider.velocity += self.hand.velocity;
        }
        let driven = self.setup.params.counts.driven as usize;
        for (number, (collider, body)) in colliders.iter_mut().zip(&self.bodies).enumerate() {
            if number < driven && !self.program.steers_solid(SolidId::new(number as u32)) {
                continue;
            }
            collider.position = body.position.truncate();
            collider.rotation = body.rotation;
            collider.velocity = body.velocity.truncate();
            collider.angular_velocity = body.angular_velocity.truncate();
        }
        colliders
    }

    /// Current state of the scene's rigid bodies, in its order.
    #[must_use]
    pub fn bodies(&self) -> Vec<BodyReport> {
        let colliders = self.colliders();
        let of = |(name, number): &(String, u32)| {
            let collider = &colliders[*number as usize];
            let [force, torque] = self.last_force(*number)[0];
            BodyReport {
                name: name.clone(),
                solid: SolidId::new(*number),
                position: (collider.position.as_dvec3() + self.setup.center).to_array(),
                rotation: collider.rotation.as_dvec4().to_array(),
                velocity: collider.velocity.as_dvec3().to_array(),
                angular_velocity: collider.angular_velocity.as_dvec3().to_array(),
                force,
                torque,
            }
        };
        self.setup.bodies.iter().map(of).collect()
    }

    /// 1 over the time in s since the start of the frame; 0 at its start.
    pub(super) fn per_time_in_frame(&self) -> f64 {
        let elapsed = match self.control.frame_done {
            1 => self.setup.params.time.frame_duration,
            _ => self.control.time_in_frame,
        };
        if elapsed > 0.0 { 1.0 / f64::from(elapsed) } else { 0.0 }
    }

    /// Forces of the fluid on the scene's bodies, and then on its boundaries with a name (of SPH those of particles), as last read back.
    #[must_use]
    pub fn forces(&self) -> Vec<ForceReport> {
        self.forces_of(0)
    }

    /// The same in a world.
    pub(super) fn forces_of(&self, world: u32) -> Vec<ForceReport> {
        let counts = &self.setup.params.counts;
        let share = self.per_time_in_frame();
        let of = |(name, number): &(String, u32)| {
            let number = counts.solid_in(world, *number);
            let impulses = self.impulses.get(number as usize).copied().unwrap_or_default();
            let [mean_force, mean_torque, mut mean_pressure, _] =
                impulses.map(|sum| (share * vector(sum).as_dvec3()).to_array());
            let [[force, torque], [mut pressure, _]] = self.last_force(number);
            if self.setup.chosen.family().whole_forces {
                (mean_pressure, pressure) = ([f64::NAN; 3], [f64::NAN; 3]);
            }
            let name = name.clone();
            ForceReport { name, mean_force, mean_torque, mean_pressure, force, torque, pressure }
        };
        self.setup.bodies.iter().chain(&self.setup.measured).map(of).collect()
    }

    /// Force and torque on a solid in the last step, and those of pressure alone.
    fn last_force(&self, number: u32) -> [[[f64; 3]; 2]; 2] {
        let of = |sums: &[[[f32; 4]; 2]]| {
            let sums = sums.get(number as usize).copied().unwrap_or_default();
            sums.map(|sum| vector(sum).as_dvec3())
        };
        let (others, pressure) = (of(&self.forces), of(&self.pressures));
        let all = [others[0] + pressure[0], others[1] + pressure[1]];
        [all, pressure].map(|pair| pair.map(|sum| sum.to_array()))
    }
}

fn vector([x, y, z, _]: [f32; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}
