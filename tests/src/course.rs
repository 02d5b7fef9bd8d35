//! A scene in the reference, stage by stage: its steps, and what is computed between them.

use glam::DVec3;
use meniscus::methods::tables::Extra;
use meniscus_methods::{
    ListError, Registry,
    lists::{
        step::queries,
        surface::{SurfaceOptions, mesh, splats},
    },
    plan::Placed,
    space::{INDEX_SPACE, NEIGHBOURS, QUERY_SPACE, TILE_SPACE, VERTEX_SPACE},
    stage::{Entry, List, Phase},
    tables::Tables,
};
use meniscus_model::{Params, Scene, Setup, scene::Fluid, surface::SurfaceControl};
use meniscus_reference::{Interpreter, Perform, Replica, Twins, World};

use crate::{compare::Stop, moment::Moment};

/// What is told of each stage, after it.
pub type See<'a> = &'a mut dyn FnMut(&Moment) -> Result<(), Stop>;

/// A change of the world before a stage, for input that no scene reaches.
pub type Alter = fn(&mut World, &Placed);

/// Points of a query: more than a workgroup.
const QUERIES: u32 = 70;

/// A scene in the reference.
#[derive(Debug)]
pub struct Course {
    replica: Replica,
    watch: Watch,
}

/// What is done around stages.
#[derive(Debug)]
struct Watch {
    extras: Vec<Extra>,
    /// Pass of the stages that are told; all if there is none.
    only: Option<String>,
    alter: Option<Alter>,
}

impl Course {
    /// A scene before its first step, with these methods and their twins. Only stages of the pass `only`
    /// are told, if it names one.
    ///
    /// # Errors
    /// A scene with problems, a list that the reference cannot run, what `see` returns.
    pub fn new(
        scene: &Scene,
        registry: &Registry,
        twins: Twins,
        only: Option<&str>,
        see: See<'_>,
    ) -> Result<Self, Stop> {
        let mut setup = Setup::with_methods(scene, registry)
            .map_err(|problems| Stop::Failed(meniscus::Error::Scene(problems)))?;
        // Worlds have gravities of their own, which no scene can say.
        let gravity = setup.params.world.gravity;
        let of_worlds = 0..setup.params.counts.worlds;
        let own: Vec<_> = of_worlds.map(|world| gravity * (1.0 + 0.5 * world as f32)).collect();
        setup.params.set_gravities(&own);
        let extras = Extra::of(&setup.chosen);
        let watch = Watch { extras, only: only.map(str::to_owned), alter: None };
        let replica = watch.run(see, |perform| Replica::by(&setup, twins, perform))?;
        Ok(Self { replica, watch })
    }

    /// Course in which the world is changed before stages.
    #[must_use]
    pub fn altered(mut self, alter: Alter) -> Self {
        self.watch.alter = Some(alter);
        self
    }

    /// The scene.
    #[must_use]
    pub fn replica(&self) -> &Replica {
        &self.replica
    }

    /// The scene, which may be changed between steps.
    pub fn replica_mut(&mut self) -> &mut Replica {
        &mut self.replica
    }

    /// Makes a step, opening a frame if the last one is done.
    ///
    /// # Errors
    /// What `see` returns, a stage that the reference cannot do.
    pub fn step(&mut self, see: See<'_>) -> Result<(), Stop> {
        let replica = &mut self.replica;
        self.watch.run(see, |perform| replica.step_by(perform))
    }

    /// Computes the diagnostics of a line of the log.
    ///
    /// # Errors
    /// As [`Course::step`].
    pub fn report(&mut self, see: See<'_>) -> Result<(), Stop> {
        let Replica { world, interpreter, .. } = &mut self.replica;
        self.watch.run(see, |perform| interpreter.run_by(world, "report", perform))
    }

    /// Fluid that a program removes between steps from the middle, and adds over and around what is left; and the last body, which it moves
    /// and takes out.
    ///
    /// # Errors
    /// As [`Course::step`].
    pub fn change(&mut self, see: See<'_>) -> Result<(), Stop> {
        let Replica { world, interpreter, setup, .. } = &mut self.replica;
        let radius = f64::from(setup.params.world.particle_radius);
        let (low, high) = around(world, 3.0 * radius);
        let middle = setup.center + 0.5 * (low + high);
        let half = 0.25 * (high - low);
        let block = Fluid::block((middle - half).to_array(), (middle + half).to_array());
        if let Some(region) = world.regions.last_mut() {
            *region = setup.region(&block.shape).map_err(ListError)?;
        }
        self.watch.run(see, |perform| interpreter.run_by(world, "remove", perform))?;
        let wanted = world.spawn_position.len() as u32 - 1;
        for (k, place) in spread(low, high).take(wanted as usize).enumerate() {
            let words = |v| flat(&setup.params, v).extend(0.0).to_array();
            world.spawn_position[k] = words(place);
            world.spawn_velocity[k] = words(DVec3::new(0.5, -1.0, 0.25));
        }
        let identity = world.identity[0][1] & 0xff00;
        world.spawn_state.copy_from_slice(&[wanted, identity, 1.2_f32.to_bits()]);
        self.watch.run(see, |perform| interpreter.run_by(world, "spawn", perform))?;
        let params = world.params;
        if params.counts.driven == params.counts.colliders {
            return Ok(());
        }
        // The last body, first beside its place and faster, and then out.
        let last = params.counts.colliders - 1;
        let mut body = world.bodies[last as usize];
        (body[0], body[8]) = (body[0] + 0.3 * radius, 2.0);
        let mut put = |world: &mut World, body: [f64; 20], speed: f32| {
            world.put_body[0] = body;
            world.put_state.copy_from_slice(&[last, speed.to_bits()]);
            self.watch.run(&mut *see, |perform| interpreter.run_by(world, "put", perform))
        };
        put(world, body, 2.5)?;
        let away = params.parking().unwrap_or_default().as_dvec3();
        let mut out = [0.0; 20];
        out[..3].copy_from_slice(&away.to_array());
        out[7] = 1.0;
        put(world, out, 0.0)
    }

    /// The fluid at points in and around it. The simulation goes on as without.
    ///
    /// # Errors
    /// As [`Course::step`].
    pub fn query(&self, see: See<'_>) -> Result<(), Stop> {
        let Replica { world, setup, .. } = &self.replica;
        let entries = queries(&setup.scope()).into_iter().flat_map(|list| list.entries).collect();
        let mut world = world.clone();
        world.resize(QUERY_SPACE, QUERIES);
        let (low, high) = around(&world, 5.0 * f64::from(setup.params.world.particle_radius));
        for (place, point) in spread(low, high).zip(&mut world.query_point).skip(1) {
            *point = flat(&world.params, place).extend(1.0).to_array();
        }
        self.between(world, entries, SurfaceControl::default(), see).map(drop)
    }

    /// Splats of the particles. The simulation goes on as without.
    ///
    /// # Errors
    /// As [`Course::step`].
    pub fn splats(&self, see: See<'_>) -> Result<(), Stop> {
        let entries = splats(&self.replica.setup.scope());
        let world = self.replica.world.clone();
        self.between(world, entries, SurfaceControl::default(), see).map(drop)
    }

    /// The mesh of the surface: first in too little room, of which only the counts come, then in enough.
    ///
    /// # Errors
    /// As [`Course::step`].
    pub fn surface(&self, options: &SurfaceOptions, see: See<'_>) -> Result<(), Stop> {
        let mut room = SurfaceControl {
            iso: options.iso(),
            fineness: options.fineness,
            block_capacity: 2,
            vertex_capacity: 3,
            index_capacity: 6,
            material: options.only(),
            ..SurfaceControl::default()
        };
        loop {
            let entries = mesh(&self.replica.setup.scope(), options);
            let world = self.replica.world.clone();
            let found = self.between(world, entries, room, see)?.surface_control;
            if found.overflow == 0 {
                return Ok(());
            }
            room.block_capacity = room.block_capacity.max(found.block_count + 1);
            room.vertex_capacity = room.vertex_capacity.max(found.vertex_count + 5);
            room.index_capacity = room.index_capacity.max(found.index_count + 7);
        }
    }

    /// Runs a list between steps, on a copy of the world.
    fn between(
        &self,
        mut world: World,
        entries: Vec<Entry>,
        room: SurfaceControl,
        see: See<'_>,
    ) -> Result<World, Stop> {
        let list = List { name: "between", phase: Phase::Any, entries };
        let counts = self
            .replica
            .setup
            .counts()
            .with(NEIGHBOURS.space, world.neighbours.len() as u32)
            .with(QUERY_SPACE, world.query_point.len() as u32)
            .with(TILE_SPACE, room.block_capacity * room.fineness.pow(3))
            .with(VERTEX_SPACE, room.vertex_capacity)
            .with(INDEX_SPACE, room.index_capacity);
        let interpreter = Interpreter::new(&[list], &counts, &Tables::with(&self.watch.extras))?;
        world.allocate(&interpreter.plans().counts);
        world.surface_control = room;
        // λ and μ of the smoothing, which the host writes.
        (world.taubin_shrink[0], world.taubin_inflate[0]) = (0.5, -0.53);
        self.watch.run(see, |perform| interpreter.run_by(&mut world, "between", perform))?;
        Ok(world)
    }
}

/// Corners of a box around the particles, so far beyond them.
fn around(world: &World, beyond: f64) -> (DVec3, DVec3) {
    let live = &world.position[..world.control.particle_count as usize];
    let places = || live.iter().map(|x| DVec3::from_slice(&x[..3]));
    let low = places().reduce(DVec3::min).unwrap_or_default() - beyond;
    let high = places().reduce(DVec3::max).unwrap_or_default() + beyond;
    (low, high)
}

/// Places that fill a box evenly: by irrational shares (Weyl 1916).
fn spread(low: DVec3, high: DVec3) -> impl Iterator<Item = DVec3> {
    let share = |k: u32| DVec3::new(0.414_213_56, 0.732_050_81, 0.236_067_98) * f64::from(k);
    (0..).map(move |k| low + (high - low) * share(k).fract())
}

fn flat(params: &Params, v: DVec3) -> DVec3 {
    if params.world.dimensions == 2 { v.with_z(0.0) } else { v }
}

impl Watch {
    /// Lets `walk` do stages, and tells `see` of them. Ends with what `see` returns.
    fn run<T>(
        &self,
        see: See<'_>,
        walk: impl FnOnce(Perform<'_>) -> Result<T, ListError>,
    ) -> Result<T, Stop> {
        let mut stop = None;
        let done = walk(&mut |interpreter, world, placed| {
            if let Some(alter) = self.alter {
                interpreter.prepare(world)?;
                alter(world, placed);
            }
            let wanted = |only: &str| only == placed.pass.name || only == placed.stage.pass;
            if !self.only.as_deref().is_none_or(wanted) {
                world.round_to_f32();
                return interpreter.perform(world, placed);
            }
            let mut tell = |world: &mut World| {
                let moment = Moment::of(interpreter, &self.extras, world, placed)?;
                see(&moment).map_err(|why| {
                    stop = Some(why);
                    ListError("stopped".to_owned())
                })
            };
            tell(world)
        });
        match stop {
            Some(why) => Err(why),
            None => Ok(done?),
        }
    }
}
