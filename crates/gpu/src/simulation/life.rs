//! Fluid that a program adds and removes, and emitters that it switches and moves.

use glam::{DVec3, Vec3};
use meniscus_methods::Space;
use meniscus_model::{
    State,
    motion::Pose,
    params::{Collider, EmitterParams, KIND_FLUID, pack_identity},
    scene::{Fluid, Shape, check},
    shared::{decode, encode},
};

use super::{Simulation, frames::Change, malformed};
use crate::Error;

/// Points at which particles shall be added, relative to the domain's centre.
#[derive(Debug)]
pub(super) struct Added {
    positions: Vec<[f32; 4]>,
    velocities: Vec<[f32; 4]>,
    identity: u32,
    fastest: f32,
}

impl Added {
    pub(super) fn count(&self) -> u32 {
        self.positions.len() as u32
    }
}

impl Simulation {
    /// Adds fluid, as the scene's `[[fluid]]` does at the start, but only where there is neither fluid nor a solid: at points with no
    /// particle within 0.9 spacings and no solid within half a one. It is there from the next step on; after a target of
    /// [`Simulation::record`] that is not reached yet, from there on, so that the bits depend on targets and calls alone. Nothing waits.
    /// Returns the number of points, which is the most that it adds; where particles were removed shortly before, fewer may find room.
    ///
    /// # Errors
    /// [`Error::Options`] if the scene has no `[capacity]`, or too little; [`Error::Scene`] with what is wrong with the fluid;
    /// [`Error::Device`]. Nothing is added then.
    pub fn spawn(&mut self, fluid: &Fluid) -> Result<u32, Error> {
        let room = self.room()?;
        let world = &self.setup.params.world;
        let (spacing, dimensions) = (2.0 * f64::from(world.particle_radius), world.dimensions);
        let problems = check::fluid(fluid, dimensions, spacing);
        if !problems.is_empty() {
            return Err(Error::Scene(problems));
        }
        let material = match &fluid.material {
            None => 0,
            Some(name) => {
                let names = &self.setup.materials;
                names.iter().position(|known| known == name).ok_or_else(|| {
                    Error::Options(format!(
                        "there is no material {name:?}; the scene has {}",
                        names.join(", ")
                    ))
                })?
            }
        };
        let most = fluid.particle_count(spacing, dimensions);
        if most > 2.0 * f64::from(room) + 1000.0 {
            return Err(too_many(&format!("about {most:.0}"), room, None));
        }
        // Each has its own displacements.
        let seed = self.control.next_id;
        let own = fluid.shape.velocities().iter().map(|v| DVec3::from(*v));
        let places: Vec<DVec3> =
            fluid.particles(spacing, dimensions, seed).into_iter().map(DVec3::from).collect();
        let middle = places.iter().sum::<DVec3>() / places.len().max(1) as f64;
        let plane = |v: Vec3| if dimensions == 2 { v.with_z(0.0) } else { v };
        let (given, spin) = (DVec3::from(fluid.velocity), DVec3::from(fluid.angular_velocity));
        let velocities = own.chain(std::iter::repeat(DVec3::ZERO)).zip(&places);
        let velocities: Vec<Vec3> = velocities
            .map(|(own, place)| plane((given + spin.cross(place - middle) + own).as_vec3()))
            .collect();
        let added = Added {
            fastest: velocities.iter().map(|v| v.length()).fold(0.0, f32::max),
            velocities: velocities.iter().map(|v| v.extend(0.0).into()).collect(),
            positions: places
                .iter()
                .map(|place| plane((place - self.setup.center).as_vec3()).extend(0.0).into())
                .collect(),
            identity: pack_identity(KIND_FLUID, material as u32, 0),
        };
        let count = added.count();
        let fluid = self.control.particle_count.saturating_sub(self.setup.wall_particles());
        // After a removal nobody knows yet.
        let known = self.most_added().map(|added| fluid.saturating_add(added));
        if known.unwrap_or(0).saturating_add(count) > room {
            return Err(too_many(&count.to_string(), room, known));
        }
        if count > 0 {
            self.change(Change::Spawn(added))?;
        }
        Ok(count)
    }

    /// Removes the fluid inside a shape, whose particles' numbers are not given again. It is gone at once; after a target of
    /// [`Simulation::record`] that is not reached yet, from there on. Nothing waits.
    ///
    /// # Errors
    /// [`Error::Options`] if the scene has no `[capacity]`, or for a shape with a mesh;
    /// [`Error::Scene`] with what is wrong with the shape; [`Error::Device`]. Nothing is removed then.
    pub fn remove(&mut self, region: &Shape) -> Result<(), Error> {
        self.room()?;
        let world = &self.setup.params.world;
        let spacing = 2.0 * f64::from(world.particle_radius);
        let problems = check::region(region, world.dimensions, spacing);
        if !problems.is_empty() {
            return Err(Error::Scene(problems));
        }
        let region = self.setup.region(region).map_err(Error::Options)?;
        self.change(Change::Remove(Box::new(region)))
    }

    /// Lets an emitter, by its number in the scene, flow at a speed in m/s, or stop at 0, from a mouth whose centre is at a position in m, turned
    /// by a rotation from how the scene has it; without a pose the mouth stays where it is. It acts as [`Simulation::set_gravity`] does. At
    /// another speed the next layer leaves when the last one has gone its way at the old and the new one, and the emitter's end and its most
    /// particles no longer hold. What is on its way beside a mouth that has moved is let go. The speed of sound stays that of the scene.
    ///
    /// # Errors
    /// [`Error::Options`] if there is no emitter of that number, for a speed that is negative, not finite, or such that a layer leaves in each
    /// thousandth of the longest step, for a pose that is not finite or leaves the plane of a 2-D scene, or that is beyond the cells of a grid
    /// method; [`Error::Device`]. Nothing is changed then.
    pub fn set_emitter(
        &mut self,
        emitter: u32,
        speed: f64,
        mouth: Option<Pose>,
    ) -> Result<(), Error> {
        let refuse = |text: String| Err(Error::Options(text));
        let own = self.emitter(emitter)?;
        if !(speed.is_finite() && speed >= 0.0) {
            return refuse(format!("the speed of an emitter is 0 m/s or more, not {speed}"));
        }
        let fastest = f64::from(own.gap()) / (1e-3 * f64::from(self.program.max_step));
        if speed > fastest {
            return refuse(format!("an emitter of {speed} m/s is too fast: at most {fastest:.3}"));
        }
        // So slow that no f32 has the time of a layer.
        let speed = if speed < 1e-15 * fastest { 0.0 } else { speed as f32 };
        let number = emitter as usize;
        let mouth = mouth.map(|mouth| self.checked_mouth(number, mouth)).transpose()?;
        self.change(Change::Emitter(number, speed, mouth))
    }

    /// The pose of a mouth, if it can be there.
    fn checked_mouth(&self, number: usize, mouth: Pose) -> Result<Pose, Error> {
        let refuse =
            |text: &str| Err(Error::Options(format!("the mouth of emitter {number} {text}")));
        let Pose { position, rotation } = mouth;
        let is_turn = rotation.is_finite() && (0.5..2.0).contains(&rotation.length());
        if !(position.is_finite() && is_turn) {
            return refuse(
                "gets a place that is not finite, or a rotation that is no unit quaternion",
            );
        }
        let flat = self.setup.params.world.dimensions == 2;
        if flat && (rotation.x != 0.0 || rotation.y != 0.0) {
            return refuse("leaves the plane: in 2-D, rotations are about z");
        }
        let mouth = Pose { position, rotation: rotation.normalize() };
        let grid = &self.setup.params.grid;
        let end = grid.origin + grid.size.as_vec3() * grid.cell;
        let is_inside = |point: Vec3| {
            let (after, before) = (point.cmpge(grid.origin), point.cmple(end));
            after.x && after.y && before.x && before.y && (flat || after.z && before.z)
        };
        let (_, points) = self.mouth_at(number, mouth);
        if self.setup.chosen.family().space == Space::Box && !points.into_iter().all(is_inside) {
            return refuse("would be outside of the domain");
        }
        Ok(mouth)
    }

    /// Checks that there is an emitter.
    fn emitter(&self, number: u32) -> Result<&EmitterParams, Error> {
        let count = self.setup.emitters.len();
        self.setup.emitters.get(number as usize).ok_or_else(|| {
            Error::Options(format!("there is no emitter {number}: the scene has {count}"))
        })
    }

    /// Centre of a mouth and its points, from the scene's.
    fn mouth_at(&self, number: usize, Pose { position, rotation }: Pose) -> (Vec3, Vec<Vec3>) {
        let (emitters, points) = &self.program.mouths;
        let EmitterParams { center, first_point, point_count, .. } = emitters[number];
        let flat = self.setup.params.world.dimensions == 2;
        let position = if flat { position.with_z(0.0) } else { position };
        let new = position - self.setup.center.with_z(if flat { 0.0 } else { self.setup.center.z });
        let points = points[first_point as usize..][..point_count as usize].iter();
        let moved = points.map(|[x, y, z, _]| {
            let arm = (Vec3::new(*x, *y, *z) - center).as_dvec3();
            (new + rotation * arm).as_vec3()
        });
        (new.as_vec3(), moved.collect())
    }

    /// Changes an emitter at a time in s.
    pub(super) fn apply_emitter(
        &mut self,
        number: usize,
        speed: f32,
        mouth: Option<Pose>,
        now: f64,
    ) -> Result<(), Error> {
        if let Some(mouth) = mouth {
            self.move_mouth(number, mouth)?;
        }
        let scene_start = self.program.mouths.0[number].start;
        let emitter = &mut self.setup.emitters[number];
        let before = emitter.velocity.length();
        let flows = (now as f32) < emitter.end;
        if speed == 0.0 {
            emitter.end = emitter.end.min(now as f32);
        } else if !flows || (speed - before).abs() > 1e-6 * before {
            let gap = emitter.gap();
            let [start, interval] = [emitter.start, emitter.interval].map(f64::from);
            // Layers whose time has come; the GPU keeps their number. One that it has not emitted yet is as far ahead then as it should be.
            let until = now.min(emitter.end.into());
            let layers =
                (((until - start) / interval).floor() + 1.0).clamp(0.0, emitter.max_layers.into());
            // The way of the next one to the mouth. One that the scene lets wait comes at once.
            let way = match layers == 0.0 && emitter.start == scene_start {
                true => 0.0,
                false => (start + layers * interval - now) * f64::from(before),
            };
            let [way, speed] = [way.clamp(0.0, gap.into()), speed.into()];
            emitter.interval = gap / speed as f32;
            emitter.start = (now + (way - layers * f64::from(gap)) / speed) as f32;
            emitter.velocity = speed as f32 * emitter.direction;
            emitter.end = f32::MAX;
            emitter.max_layers = u32::MAX;
        }
        self.machine.write("emitters", &encode(&self.setup.emitters))?;
        self.follow_emitters();
        Ok(())
    }

    /// Moves a mouth; the emitters are not written.
    fn move_mouth(&mut self, number: usize, mouth: Pose) -> Result<(), Error> {
        let (center, points) = self.mouth_at(number, mouth);
        let direction = self.program.mouths.0[number].direction.as_dvec3();
        let emitter = &mut self.setup.emitters[number];
        let speed = emitter.velocity.length();
        emitter.center = center;
        emitter.direction = (mouth.rotation * direction).as_vec3();
        emitter.velocity = speed * emitter.direction;
        let first = 16 * u64::from(emitter.first_point);
        let points: Vec<[f32; 4]> =
            points.into_iter().map(|point| point.extend(number as f32).into()).collect();
        self.machine.write_from("emitter_points", first, bytemuck::cast_slice(&points))
    }

    /// Takes emitters from a state.
    pub(super) fn take_emitters(&mut self, state: &State) -> Result<(), Error> {
        let words = state.arrays.get("emitters").filter(|_| !self.setup.emitters.is_empty());
        let Some(words) = words else { return Ok(()) };
        let emitters = decode(bytemuck::cast_slice(words));
        self.setup.emitters = emitters.map_err(|error| malformed("emitters", &error))?;
        self.follow_emitters();
        Ok(())
    }

    /// Chooses steps for the emitters.
    pub(super) fn follow_emitters(&mut self) {
        let mut params = self.setup.params;
        let intervals = self.setup.emitters.iter().map(|emitter| emitter.interval);
        params.time.max_step = intervals.fold(self.program.max_step, f32::min);
        self.write_params(params);
        self.write_min_speed();
    }

    /// Most particles of fluid at once.
    pub(super) fn room(&self) -> Result<u32, Error> {
        match self.setup.room {
            0 => Err(Error::Options(
                "the scene has no room for changes: give it [capacity] with particles, the most at once".into(),
            )),
            room => Ok(room.max(self.setup.capacity() - self.setup.wall_particles())),
        }
    }

    pub(super) fn apply_spawn(&mut self, added: &Added) -> Result<(), Error> {
        let machine = &self.machine;
        machine.write_from("spawn_position", 0, bytemuck::cast_slice(&added.positions))?;
        machine.write_from("spawn_velocity", 0, bytemuck::cast_slice(&added.velocities))?;
        let state = [added.count(), added.identity, added.fastest.to_bits()];
        machine.write("spawn_state", bytemuck::cast_slice(&state))?;
        machine.submit("spawn")
    }

    pub(super) fn apply_removal(&mut self, region: &Collider) -> Result<(), Error> {
        let bytes = encode(&[*region]);
        let last = (self.setup.regions.len() - 1) * bytes.len();
        self.machine.write_from("regions", last as u64, &bytes)?;
        self.machine.submit("remove")
    }
}

fn too_many(count: &str, room: u32, known: Option<u32>) -> Error {
    let there = known.map_or(String::new(), |known| format!(" with the {known} that there may be"));
    Error::Options(format!(
        "{count} particles more are too many{there}: the scene's capacity.particles is {room}"
    ))
}
