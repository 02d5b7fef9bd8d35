//! Setup: a scene converted to the data that the host uploads before the first step.

mod around;
mod frames;
mod openings;
mod size;
mod uniform;
mod worlds;

use std::{borrow::Cow, collections::BTreeSet, sync::Arc};

use bytemuck::cast_slice;
use glam::{DQuat, DVec3, Quat, Vec3, Vec4};
use meniscus_geometry::mesh::Solid;
use meniscus_methods::{
    Chosen, Registry, Walls,
    share::Shares,
    space::{FIELDS, Flag, MOVING, NO_TENSION, RESTING, TENSION},
};
use meniscus_scene::{Contact, Kernel, Motion, Problem, Response, Scene};

use crate::{
    check,
    colliders::{collider, placed, plane, rigid},
    control::Control,
    deforming::Deforming,
    extent::Bounds,
    level_set, limits,
    motion::{self, Movement, Pose},
    params::{
        self, Collider, DistanceField, EmitterParams, FrameMotion, OpeningParams, Params,
        pack_identity,
    },
    shared::encode,
    smoke, walls,
};

pub use meniscus_scene::body_depth;
pub use uniform::apply_methods;

/// Initial data of a simulation. Positions are relative to `center`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Setup {
    /// Uniform of every pass.
    pub params: Params,
    /// Control before the first step.
    pub control: Control,
    /// The domain's centre in m.
    pub center: DVec3,
    /// Methods of the scene.
    pub chosen: Chosen,
    /// The smoothing kernel.
    pub kernel: Kernel,
    /// Layers of particles of the fluid at the start, along gravity.
    pub depth: u32,
    /// Length of a frame in s.
    pub frame_duration: f64,
    /// Expected largest speed in m/s.
    pub expected_speed: f64,
    /// Default kinematic viscosity in m²/s of materials.
    pub artificial_viscosity: f64,
    /// (x, y, z, rest density) of each particle; the volume `V_b` in w of boundary particles.
    pub position: Vec<[f32; 4]>,
    /// (velocity, 0) of each particle; the friction in w of boundary particles.
    pub velocity: Vec<[f32; 4]>,
    /// (id, kind | material << 8 | body << 16) of each particle.
    pub identity: Vec<[u32; 2]>,
    /// Solids at the start: boundaries, then bodies that do not move freely, then free bodies.
    pub colliders: Vec<Collider>,
    /// Motions of the solids that do not move freely.
    pub motions: Vec<Vec<Motion>>,
    /// Name and collider of each rigid body of the scene.
    pub bodies: Vec<(String, u32)>,
    /// Name and collider of each boundary that has a name.
    pub names: Vec<(String, u32)>,
    /// Joints of bodies, and then mooring lines.
    pub joints: Vec<params::Joint>,
    /// Names of the joints and mooring lines.
    pub joint_names: Vec<String>,
    /// Boundaries on which forces are measured, with a name: those of particles, and with grids all: their names, and their numbers among the colliders.
    pub measured: Vec<(String, u32)>,
    /// Position of each boundary particle in the axes of its solid, in the order of ids.
    pub model_position: Vec<[f32; 4]>,
    /// Meshes whose distances the GPU computes before the first step, and their grids.
    pub fields: Vec<(Arc<Solid>, DistanceField)>,
    /// Boundaries that change their shape.
    pub deforming: Vec<Deforming>,
    /// Mesh of each collider that is a mesh, at the start, in its own axes about its position.
    pub meshes: Vec<(u32, Arc<Solid>)>,
    /// Regions of the drains, and then of the sources of smoke.
    pub regions: Vec<Collider>,
    /// Floats of the methods' arrays that the host writes, by their names.
    pub of_methods: Vec<(&'static str, Vec<f32>)>,
    /// Shares of walls without particles by distance ([`meniscus_methods::share`]).
    pub wall_shares: Vec<[f32; 4]>,
    /// Most particles of fluid at once where a program adds and removes some; else 0.
    pub room: u32,
    /// Names of the materials.
    pub materials: Vec<String>,
    /// Sources of particles.
    pub emitters: Vec<EmitterParams>,
    /// (x, y, z, emitter) of the points of all emitters' layers.
    pub emitter_points: Vec<[f32; 4]>,
    /// Open boundaries.
    pub openings: Vec<OpeningParams>,
    /// Their names.
    pub opening_names: Vec<String>,
    /// (x, y, z, opening) of the points of all of them.
    pub opening_points: Vec<[f32; 4]>,
    /// (distance, 0) of the last particle that has come in at each point before the start.
    pub opening_state: Vec<[f32; 2]>,
    /// (time, velocity) of the inflow of all of them.
    pub opening_rows: Vec<[f32; 2]>,
    /// Slots for particles of foam; 0 without foam.
    pub foam: u32,
}

/// Response of a solid to the nodes of a grid.
fn contact(contact: Option<Contact>) -> u32 {
    match contact {
        Some(Contact::Sticky) => params::RESPONSE_STICKY,
        Some(Contact::Slip) => params::RESPONSE_SLIP,
        None | Some(Contact::Separate) => params::RESPONSE_SEPARATE,
    }
}

impl Setup {
    /// Builds the setup of a scene.
    ///
    /// # Errors
    /// All problems that [`check::problems`] finds.
    pub fn new(scene: &Scene) -> Result<Self, Vec<Problem>> {
        Self::with_methods(scene, &Registry::standard())
    }

    /// Numbers of the materials that its particles are of, at the start, from emitters or from a program, ascending; 0 if
    /// there are none.
    #[must_use]
    pub fn fluid_materials(&self) -> Vec<u32> {
        let start = self.identity.iter().map(|who| who[1]);
        let all = start.chain(self.emitters.iter().map(|emitter| emitter.identity));
        let fluid = all.filter(|what| what & 255 == params::KIND_FLUID);
        let mut numbers: BTreeSet<_> = fluid.map(|what| what >> 8 & 255).collect();
        if self.room > 0 {
            numbers.extend(0..self.materials.len() as u32);
        }
        if numbers.is_empty() { vec![0] } else { numbers.into_iter().collect() }
    }

    /// Numbers of the materials that a picture of surfaces shows by one: not sand, of which grains are drawn, except where
    /// there is nothing else.
    #[must_use]
    pub fn smooth_materials(&self) -> Vec<u32> {
        let is_sand =
            |number: &u32| self.params.materials[*number as usize].look == params::LOOK_GRAINS;
        let mut all = self.fluid_materials();
        if all.len() > 1 {
            all.retain(|number| !is_sand(number));
        }
        all
    }

    /// Like [`Setup::new`], with these methods.
    ///
    /// # Errors
    /// All that [`check::problems_with`] finds.
    pub fn with_methods(scene: &Scene, registry: &Registry) -> Result<Self, Vec<Problem>> {
        let problems = check::problems_with(scene, registry);
        if !problems.is_empty() {
            return Err(problems);
        }
        let chosen = registry.choose(scene).map_err(|problem| vec![problem])?;
        let openings = scene.openings().unwrap_or_default();
        let scene = &scene.with_room(openings::room(scene, &chosen));
        let spacing = scene.spacing();
        let mut fluids = Vec::new();
        for (number, fluid) in scene.fluids.iter().enumerate() {
            let material = scene.material_index(fluid.material.as_deref()).unwrap_or(0);
            // Each fluid has its own, and seeds beside each other share none of them.
            let seed = scene.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number as u32);
            let own = fluid.shape.velocities().iter().map(|v| DVec3::from(*v));
            let places = fluid.particles(spacing, scene.dimensions, seed);
            let velocities = own.chain(std::iter::repeat(DVec3::ZERO));
            let mut points: Vec<_> = places.into_iter().zip(velocities).collect();
            // Solids displace the fluid; a sheet that acts in sums is one spacing thick.
            let has_sheets = chosen.family().walls == Walls::Sums;
            for boundary in &scene.boundaries {
                let clear = match (boundary.is_obstacle(), has_sheets && boundary.shape.is_sheet())
                {
                    (true, _) => 0.499 * spacing,
                    (_, true) => 0.999 * spacing,
                    _ => continue,
                };
                // A finite one may be across a periodic end.
                let depth = |p: &[f64; 3]| {
                    let p = match boundary.shape.is_endless() {
                        true => *p,
                        false => around::image_near(*p, boundary.shape.middle(), scene),
                    };
                    boundary.shape.depth(DVec3::from(p), scene.dimensions)
                };
                points.retain(|(point, _)| depth(point) < -clear);
            }
            around::displace(&mut points, fluid, scene, &chosen);
            fluids.push((points, fluid, material));
        }
        let places = fluids.iter().flat_map(|(points, ..)| points).map(|(place, _)| place);
        let bounds = Bounds::of(scene, places);
        let center = bounds.center();
        let local = |p: &[f64; 3]| (DVec3::from(*p) - center).as_vec3();

        let mut setup = Self {
            params: Params::default(),
            control: Control::start(0),
            center,
            kernel: chosen.kernel(scene),
            depth: bounds.layers(scene),
            chosen,
            frame_duration: scene.frame_duration(),
            expected_speed: 0.0,
            artificial_viscosity: 0.0,
            position: Vec::new(),
            velocity: Vec::new(),
            identity: Vec::new(),
            colliders: Vec::new(),
            motions: Vec::new(),
            bodies: Vec::new(),
            names: Vec::new(),
            joints: Vec::new(),
            joint_names: Vec::new(),
            measured: Vec::new(),
            model_position: Vec::new(),
            fields: Vec::new(),
            deforming: Vec::new(),
            meshes: Vec::new(),
            regions: Vec::new(),
            of_methods: Vec::new(),
            wall_shares: Vec::new(),
            room: scene.capacity.map_or(0, |capacity| capacity.particles),
            materials: scene.materials.iter().map(|material| material.name.clone()).collect(),
            emitters: Vec::new(),
            emitter_points: Vec::new(),
            openings: Vec::new(),
            opening_names: Vec::new(),
            opening_points: Vec::new(),
            opening_state: Vec::new(),
            opening_rows: Vec::new(),
            foam: 0,
        };
        for (points, fluid, material) in &fluids {
            let rest_density = scene.materials[*material].rest_density as f32;
            let middle = points.iter().map(|(p, _)| DVec3::from(*p)).sum::<DVec3>()
                / points.len().max(1) as f64;
            for (point, own) in points {
                let spin = DVec3::from(fluid.angular_velocity).cross(DVec3::from(*point) - middle);
                let v = plane(scene, (DVec3::from(fluid.velocity) + spin + *own).as_vec3());
                let identity = pack_identity(params::KIND_FLUID, *material as u32, 0);
                setup.identity.push([setup.position.len() as u32, identity]);
                setup.position.push(local(point).extend(rest_density).into());
                setup.velocity.push(v.extend(0.0).into());
            }
        }
        setup.fill_openings(scene, &openings);
        setup.add_boundaries(scene, &bounds);
        setup.add_bodies(scene);
        let drains = scene.drains.iter().map(|drain| (&drain.shape, u32::from(drain.outside)));
        let sources = scene.sources.iter().map(|source| (&source.shape, 0));
        for (shape, inside) in drains.chain(sources) {
            let region = placed(shape, shape.placed(scene.dimensions), scene, center);
            let region = setup.with_distances(region, shape.mesh(), spacing);
            setup.regions.push(Collider { inside, ..region });
        }
        setup.regions.extend((setup.room > 0).then(Collider::default));
        setup.of_methods = smoke::arrays(scene, center);
        setup.add_emitters(scene, center);
        setup.control = Control::start(setup.position.len() as u32);
        setup.add_openings(scene, &openings);
        setup.set_params(scene, &bounds, center);
        setup.of_methods.extend(smoke::initial(scene, &setup.params.grid, center));
        setup.of_methods.extend(level_set::initial(
            scene,
            &setup.chosen,
            &setup.params.grid,
            center,
        ));
        setup.fit_openings();
        setup.take_in();
        setup.foam = setup.foam_slots(scene);
        setup.params.set_gravities(&[setup.params.world.gravity]);
        setup.repeat(scene.worlds);
        Ok(setup)
    }

    /// Moves particles on the sides of a grid method's box into it: what stands on a side belongs to the cell inside.
    fn take_in(&mut self) {
        let grid = &self.params.grid;
        let slack = 1e-4 * grid.cell;
        for axis in 0..self.params.world.dimensions as usize {
            if grid.cell == 0.0 || grid.period[axis] > 0.0 {
                continue;
            }
            // Without the ring.
            let low = grid.origin[axis] + grid.cell;
            let high = grid.origin[axis] + (grid.size[axis] as f32 - 1.0) * grid.cell;
            for x in self.position.iter_mut().map(|position| &mut position[axis]) {
                if (low - slack..=high + slack).contains(x) {
                    *x = x.clamp(low + slack, high - slack);
                }
            }
        }
    }

    /// Flags that the host knows when it records a step; `moving`: whether solids move, or have not been placed yet.
    #[must_use]
    pub fn flags(&self, moving: bool) -> Vec<Flag> {
        let tension = self.params.materials.iter().any(|material| material.surface_tension != 0.0);
        let flags = [
            (FIELDS, self.params.counts.force_fields > 0),
            (MOVING, moving),
            (RESTING, !moving),
            (TENSION, tension),
            (NO_TENSION, !tension),
        ];
        flags.into_iter().filter(|(_, set)| *set).map(|(flag, _)| flag).collect()
    }

    /// Number of walls without particles.
    fn volumes(&self) -> u32 {
        let volume = |collider: &&Collider| collider.response == params::RESPONSE_VOLUME;
        self.colliders.iter().filter(volume).count() as u32
    }

    /// Number of boundary particles: live particles that are not fluid.
    #[must_use]
    pub fn wall_particles(&self) -> u32 {
        let wall = |identity: &&[u32; 2]| identity[1] & 255 == params::KIND_BOUNDARY;
        self.identity.iter().filter(wall).count() as u32
    }

    /// Colliders at `time` in s; free bodies at their initial place.
    #[must_use]
    pub fn colliders_at(&self, time: f64) -> Vec<Collider> {
        let moved = |(number, collider): (usize, &Collider)| {
            let now = self.movement_at(number, time);
            Collider {
                position: (now.pose.position - self.center).as_vec3(),
                rotation: Vec4::from(now.pose.rotation.as_quat()),
                velocity: now.velocity.as_vec3(),
                angular_velocity: now.angular_velocity.as_vec3(),
                ..*collider
            }
        };
        let driven = self.params.counts.driven as usize;
        let mut colliders = self.colliders.clone();
        for (number, collider) in colliders.iter_mut().enumerate().take(driven) {
            if !self.motions[number].is_empty() {
                *collider = moved((number, &self.colliders[number]));
            }
        }
        colliders
    }

    /// Motion of all colliders in the frame that begins at `start` s: [`motion::for_frame`] of
    /// each, with containers displaced by `hand` m and this additional velocity in m/s.
    #[must_use]
    pub fn motions_from(&self, start: f64, hand: [Vec3; 2]) -> Vec<FrameMotion> {
        let of = |(number, collider): (usize, &Collider)| {
            let [way, velocity] =
                hand.map(|v| if collider.inside != 0 { v.as_dvec3() } else { DVec3::ZERO });
            let (motions, pose) = (&self.motions[number], self.pose(number));
            let center = self.center - way;
            motion::for_frame(motions, pose, start, self.frame_duration, center, velocity)
        };
        let mut all: Vec<_> = self.colliders.iter().enumerate().map(of).collect();
        let second = self.begins_with_second(start);
        for own in &self.deforming {
            let motion = &mut all[own.number as usize];
            (motion.position.w, motion.way.w) = if second { (1.0, -1.0) } else { (0.0, 1.0) };
        }
        all
    }

    /// Place of a collider at `time` in s by its motions; of a free body its initial one, at rest.
    #[must_use]
    pub fn movement_at(&self, number: usize, time: f64) -> Movement {
        motion::movement_at(&self.motions[number], self.pose(number), time)
    }

    /// Initial place of a collider in the world.
    fn pose(&self, number: usize) -> Pose {
        let collider = &self.colliders[number];
        Pose {
            position: collider.position.as_dvec3() + self.center,
            rotation: DQuat::from_vec4(collider.rotation.as_dvec4()).normalize(),
        }
    }

    /// Bytes of all arrays that the host writes once, before the first step, by their names.
    #[must_use]
    pub fn uploads(&self) -> Vec<(&'static str, Cow<'_, [u8]>)> {
        let own = self.of_methods.iter().map(|(name, floats)| (*name, cast_slice(floats).into()));
        let common = [
            ("position", cast_slice(&self.position).into()),
            ("velocity", cast_slice(&self.velocity).into()),
            ("identity", cast_slice(&self.identity).into()),
            ("model_position", cast_slice(&self.model_position).into()),
            ("wall_ways", cast_slice(&self.ways_from(0.0)).to_vec().into()),
            ("emitter_points", cast_slice(&self.emitter_points).into()),
            ("opening_points", cast_slice(&self.opening_points).into()),
            ("opening_state", cast_slice(&self.opening_state).into()),
            ("opening_rows", cast_slice(&self.opening_rows).into()),
            ("openings", encode(&self.openings).into()),
            ("wall_shares", cast_slice(&self.wall_shares).into()),
            ("colliders", encode(&self.colliders).into()),
            ("bodies", encode(&self.initial_bodies()).into()),
            ("joints", encode(&self.joints).into()),
            ("regions", encode(&self.regions).into()),
            ("emitters", encode(&self.emitters).into()),
        ];
        common.into_iter().chain(own).collect()
    }

    /// State of all solids before the first step.
    #[must_use]
    pub fn initial_bodies(&self) -> Vec<params::Body> {
        let vector = |v: Vec3| v.extend(0.0);
        let of = |collider: &Collider| {
            let rotation = Quat::from_vec4(collider.rotation);
            let local = rotation.inverse() * collider.angular_velocity;
            let inertia = collider.inverse_inertia.map(|i| if i > 0.0 { 1.0 / i } else { 0.0 });
            params::Body {
                position: vector(collider.position),
                rotation: collider.rotation,
                velocity: vector(collider.velocity),
                angular_velocity: vector(collider.angular_velocity),
                angular_momentum: vector(rotation * (inertia * local)),
            }
        };
        self.colliders.iter().map(of).collect()
    }

    /// Colliders of the scene's boundaries, and their boundary particles.
    fn add_boundaries(&mut self, scene: &Scene, bounds: &Bounds) {
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        let (h, kernel) = (self.chosen.support_radius(scene), self.kernel);
        let holding = self.chosen.no_slip_friction(kernel, h, spacing, dimensions);
        let shares = Shares::new(kernel, h, spacing, dimensions);
        self.wall_shares = shares.table();
        let mut walls = Vec::new();
        // Walls whose forces are measured come last, before the particles of bodies.
        let is_measured = |number: usize| scene.boundaries[number].name.is_some();
        for (number, boundary) in scene.boundaries.iter().enumerate() {
            let response = self.chosen.response(boundary);
            let own = collider(boundary, scene, &response, self.center);
            let mesh = boundary.shape.mesh();
            let own = self.with_fields(own, boundary, spacing);
            self.colliders.push(own);
            self.motions.push(limits::motions(boundary));
            self.names.extend(boundary.name.clone().map(|name| (name, number as u32)));
            self.meshes.extend(mesh.map(|solid| (number as u32, solid.clone())));
            if self.chosen.family().walls == Walls::Contact {
                // Nodes of the grid keep the fluid off, not particles of the wall.
                let own = &mut self.colliders[number];
                own.response = contact(boundary.contact);
                own.damping = self.chosen.friction(scene, boundary) as f32;
                if let Some(name) = boundary.name.clone().filter(|_| self.chosen.family().leans) {
                    own.is_body = 2;
                    self.measured.push((name, number as u32));
                }
                continue;
            }
            let friction = match response {
                Response::Particles { no_slip: true, .. } => holding,
                Response::Particles { friction, .. } => friction,
                Response::Volume { friction, no_slip } => {
                    let share = if no_slip { 1.0 } else { friction / holding };
                    self.colliders[number].damping = (share * shares.no_slip_friction()) as f32;
                    continue;
                }
                _ => continue,
            };
            let (low, high) = (bounds.min, bounds.max);
            let mut layer = boundary.shape.layer(
                boundary.side,
                0.5 * spacing,
                spacing,
                dimensions,
                [low, high],
            );
            if let Some(domain) = &scene.domain {
                let fit = boundary.shape.is_endless();
                walls::keep_one_period(&mut layer, domain, spacing, fit);
            }
            walls.extend(layer.into_iter().map(|point| (point, number, friction)));
        }
        walls.sort_by_key(|(_, number, _)| is_measured(*number));
        let points: Vec<_> = walls.iter().map(|(point, ..)| *point).collect();
        let images = scene.domain.as_ref().map(|domain| walls::images(&points, domain, h));
        let all = [points, images.unwrap_or_default()].concat();
        let volumes = walls::volumes(&all, kernel, h, spacing, dimensions);
        for ((point, number, friction), volume) in walls.into_iter().zip(volumes) {
            let pose = self.pose(number);
            let local = pose.rotation.inverse() * (DVec3::from(point) - pose.position);
            if is_measured(number) {
                let collider = &mut self.colliders[number];
                if collider.particle_count == 0 {
                    collider.first_particle = self.model_position.len() as u32;
                    let name = scene.boundaries[number].name.clone().unwrap_or_default();
                    self.measured.push((name, number as u32));
                }
                collider.particle_count += 1;
            }
            let carrier = self.deforming.iter_mut().find(|own| own.number == number as u32);
            if let Some(own) = carrier {
                own.carry(self.model_position.len(), point.into(), volume);
            }
            self.add_wall(number, local, friction, walls::marked(volume, false));
        }
        // In w of the position in its own axes, the number of a particle's way from 1.
        let carried = self.deforming.iter().flat_map(Deforming::numbers);
        for (way, number) in (1..).zip(carried) {
            self.model_position[number as usize][3] = way as f32;
        }
    }

    /// Colliders and boundary particles of the scene's bodies. Their volumes do not take other
    /// solids into account, since those may move.
    fn add_bodies(&mut self, scene: &Scene) {
        let (spacing, dimensions) = (scene.spacing(), scene.dimensions);
        let mut order: Vec<_> = (0..scene.bodies.len()).collect();
        order.sort_by_key(|k| scene.bodies[*k].is_free());
        self.bodies = vec![(String::new(), 0); scene.bodies.len()];
        for k in order {
            let body = &scene.bodies[k];
            let number = self.colliders.len();
            let mesh = body.shape.mesh().and_then(|solid| solid.as_body()).map(|(_, own)| own);
            let mut own = rigid(body, scene, self.center);
            if self.chosen.family().walls == Walls::Contact {
                own.response = contact(body.contact);
                own.damping = body.drag as f32;
            }
            let own = self.with_distances(own, mesh, spacing);
            self.meshes.extend(mesh.map(|solid| (number as u32, solid.clone())));
            let first = self.model_position.len() as u32;
            self.bodies[k] = (body.name_or_number(k), number as u32);
            self.colliders.push(own);
            self.motions.push(body.motion.clone());
            let points = body.layer(spacing, dimensions);
            let volumes = walls::volumes(
                &points,
                self.kernel,
                self.chosen.support_radius(scene),
                spacing,
                dimensions,
            );
            let (pose, middle) = (self.pose(number), body.shape.middle());
            for (point, volume) in points.iter().zip(volumes) {
                let arm = DVec3::from(*point) - middle;
                let arm = if dimensions == 2 { arm.with_z(0.0) } else { arm };
                let volume = walls::marked(volume, true);
                self.add_wall(number, pose.rotation.inverse() * arm, body.drag, volume);
            }
            self.colliders[number].first_particle = first;
            self.colliders[number].particle_count = self.model_position.len() as u32 - first;
        }
        self.add_joints(scene);
    }

    /// A boundary particle: in w of the position its volume `V_b`, of the velocity its friction.
    fn add_wall(&mut self, number: usize, local: DVec3, friction: f64, volume: f32) {
        let collider = &self.colliders[number];
        let arm = Quat::from_vec4(collider.rotation) * local.as_vec3();
        let velocity = collider.velocity + collider.angular_velocity.cross(arm);
        let identity = pack_identity(params::KIND_BOUNDARY, 0, number as u32);
        self.identity.push([self.position.len() as u32, identity]);
        self.position.push((collider.position + arm).extend(volume).into());
        self.velocity.push(velocity.extend(friction as f32).into());
        self.model_position.push(local.as_vec3().extend(0.0).into());
    }

    fn add_emitters(&mut self, scene: &Scene, center: DVec3) {
        let start = self.position.len() as u32;
        for (number, emitter) in scene.emitters.iter().enumerate() {
            let outflow = emitter.outflow(scene.spacing(), scene.dimensions);
            let velocity = plane(scene, outflow.as_vec3());
            let points = emitter.mouth.layer(
                emitter.center,
                emitter.velocity,
                emitter.up,
                scene.spacing(),
                scene.dimensions,
            );
            let material = scene.material_index(emitter.material.as_deref()).unwrap_or(0);
            let count = points.len() as u32;
            let middle = DVec3::from(emitter.center);
            self.emitters.push(EmitterParams {
                velocity,
                first_point: self.emitter_points.len() as u32,
                point_count: count,
                identity: pack_identity(params::KIND_FLUID, material as u32, number as u32 + 1),
                max_layers: emitter.max_particles.map_or(u32::MAX, |most| most / count.max(1)),
                max_live: emitter.max_live.map_or(u32::MAX, |most| start.saturating_add(most)),
                interval: emitter.interval(scene.spacing(), scene.dimensions) as f32,
                start: emitter.start as f32,
                end: emitter.end.min(f64::from(f32::MAX)) as f32,
                center: plane(scene, (DVec3::from(emitter.center) - center).as_vec3()),
                // Its particles grow on three quarters of it (emit/grow): with fewer spacings water is thrown.
                reach: (4.0 * scene.spacing()) as f32,
                direction: plane(scene, outflow.normalize_or_zero().as_vec3()),
                radius: points
                    .iter()
                    .map(|point| middle.distance((*point).into()))
                    .fold(0.0, f64::max) as f32
                    + scene.spacing() as f32,
            });
            // Particles of a point keep their distance.
            let gap = emitter.mouth.gap(scene.spacing(), scene.dimensions);
            let step = gap * outflow.normalize_or_zero();
            let points = points.iter().zip(meniscus_geometry::ahead());
            self.emitter_points.extend(points.map(|(point, share)| {
                let local = plane(scene, (DVec3::from(*point) + share * step - center).as_vec3());
                <[f32; 4]>::from(local.extend(number as f32))
            }));
        }
    }
}
