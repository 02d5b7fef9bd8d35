//! A scene in f64: its world, with frames and steps from the same lists as on the GPU.

use glam::Vec3;
use meniscus_methods::{
    ListError,
    lists::{distances, step},
    space::{Counts, FIELD_NODE_SPACE, FIELD_ROW_SPACE, NEIGHBOURS},
    stage::{Entry, List, Phase},
    tables::{Extra, Tables},
};
use meniscus_model::{Setup, bake, mesh::Solid, params::DistanceField, shared::encode};

use crate::{Interpreter, Twins, Values, World, interpret::Perform};

/// A scene, simulated in f64.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Replica {
    /// All arrays.
    pub world: World,
    /// Initial data made from the scene.
    pub setup: Setup,
    /// The lists `begin`, `step` and `report`.
    pub interpreter: Interpreter,
}

impl Replica {
    /// The scene before its first step, which has length 0 and ends frame 0.
    ///
    /// # Errors
    /// A list that refers to something that the reference does not have.
    pub fn new(setup: &Setup) -> Result<Self, ListError> {
        Self::with_twins(setup, Twins::standard())
    }

    /// A scene before its first step with other twins, for methods that have their own.
    ///
    /// # Errors
    /// As [`Replica::new`].
    pub fn with_twins(setup: &Setup, twins: Twins) -> Result<Self, ListError> {
        Self::by(setup, twins, &mut Interpreter::perform)
    }

    /// A scene before its first step, with each stage that fills the distances of meshes done by `perform`.
    ///
    /// # Errors
    /// As [`Replica::new`], and those of `perform`.
    pub fn by(setup: &Setup, twins: Twins, perform: Perform<'_>) -> Result<Self, ListError> {
        let mut interpreter = interpreter(setup)?.with_twins(twins);
        interpreter.set_flags(&setup.flags(true));
        let mut world = World::new(setup.params, setup.control);
        world.methods = setup.chosen.registry().clone();
        world.allocate(&interpreter.plans().counts);
        interpreter.prepare(&mut world)?;
        world.set_colliders(&setup.colliders);
        world.regions.clone_from(&setup.regions);
        world.emitters.clone_from(&setup.emitters);
        world.openings.clone_from(&setup.openings);
        for (name, bytes) in setup.uploads() {
            match world.buffer(name) {
                Some(Values::Floats { data, .. }) => floats(data, &bytes),
                Some(Values::Words { data, .. }) => {
                    let words = bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word));
                    data.iter_mut().zip(words).for_each(|(to, from)| *to = from);
                }
                // Structs that no pass writes.
                None => {}
            }
        }
        bake_distances(&mut world, setup, perform)?;
        let mut replica = Self { world, setup: setup.clone(), interpreter };
        replica.write_motions();
        Ok(replica)
    }

    /// Makes a step, opening a frame if the last one is done.
    ///
    /// # Errors
    /// As [`Interpreter::run`].
    pub fn step(&mut self) -> Result<(), ListError> {
        self.step_by(&mut Interpreter::perform)
    }

    /// Makes a step, with each stage done by `perform`.
    ///
    /// # Errors
    /// As [`Interpreter::run`], and those of `perform`.
    pub fn step_by(&mut self, perform: Perform<'_>) -> Result<(), ListError> {
        self.open_frame_by(perform)?;
        self.interpreter.run_by(&mut self.world, "step", perform)
    }

    /// Opens the next frame if the last one is done.
    ///
    /// # Errors
    /// As [`Interpreter::run`].
    pub fn open_frame(&mut self) -> Result<(), ListError> {
        self.open_frame_by(&mut Interpreter::perform)
    }

    fn open_frame_by(&mut self, perform: Perform<'_>) -> Result<(), ListError> {
        if self.world.control.frame_done != 1 {
            return Ok(());
        }
        let slots = self.setup.capacity_of_frame(self.world.control.particle_count);
        if slots > self.world.params.counts.capacity {
            self.make_room(slots)?;
        }
        self.world.aim_at_next_frame();
        self.interpreter.run_by(&mut self.world, "begin", perform)?;
        self.write_motions();
        let fields = self.setup.frame_fields(self.frame_start(), false);
        for (solid, field) in fields.collect::<Vec<_>>() {
            let first = field.first as usize;
            self.world.distances[first..first + field.length() as usize].fill(0.0);
            fill_field(&mut self.world, &self.setup, &solid, field, perform)?;
        }
        Ok(())
    }

    /// Start time in s of the current frame.
    fn frame_start(&self) -> f64 {
        f64::from(self.world.control.frame.saturating_sub(1)) * self.setup.frame_duration
    }

    /// Resizes the particle arrays to this number of slots.
    fn make_room(&mut self, slots: u32) -> Result<(), ListError> {
        self.setup.params.counts.capacity = slots;
        self.world.params.counts.capacity = slots;
        let (flags, twins) = (self.interpreter.flags().to_vec(), self.interpreter.twins().clone());
        self.interpreter = interpreter(&self.setup)?.with_twins(twins);
        self.interpreter.set_flags(&flags);
        // The neighbour lists grow on demand.
        let neighbours = self.world.neighbours.len() as u32;
        let counts = self.interpreter.plans().counts.clone().with(NEIGHBOURS.space, neighbours);
        self.world.allocate(&counts);
        Ok(())
    }

    /// Motion of solids in the current frame.
    fn write_motions(&mut self) {
        let start = self.frame_start();
        let motions = self.setup.motions_from(start, [Vec3::ZERO; 2]);
        floats(self.world.motions.as_flattened_mut(), &encode(&motions));
        let ways = self.setup.ways_from(start);
        let numbers = ways.as_flattened().as_flattened();
        for (to, from) in self.world.wall_ways.as_flattened_mut().iter_mut().zip(numbers) {
            *to = f64::from(*from);
        }
    }
}

/// The lists of a scene's frames and steps.
fn interpreter(setup: &Setup) -> Result<Interpreter, ListError> {
    let extras = Extra::of(&setup.chosen);
    Interpreter::new(&step::lists(&setup.scope()), &setup.counts(), &Tables::with(&extras))
}

/// Fills the start of an array from the bytes of f32 values.
fn floats(to: &mut [f64], bytes: &[u8]) {
    for (to, from) in to.iter_mut().zip(bytes.as_chunks().0) {
        *to = f64::from(f32::from_le_bytes(*from));
    }
}

/// Computes the distances of all meshes.
fn bake_distances(world: &mut World, setup: &Setup, perform: Perform<'_>) -> Result<(), ListError> {
    for (solid, field) in &setup.fields {
        fill_field(world, setup, solid, *field, perform)?;
    }
    Ok(())
}

/// Computes the distances of a mesh on its grid, which is empty.
fn fill_field(
    world: &mut World,
    setup: &Setup,
    solid: &Solid,
    field: DistanceField,
    perform: Perform<'_>,
) -> Result<(), ListError> {
    let mut run = |world: &mut World, counts: Counts, entries: Vec<Entry>| {
        let list = List { name: "field", phase: Phase::Any, entries };
        Interpreter::new(&[list], &counts, &Tables::default())?.run_by(world, "field", perform)
    };
    for batch in bake::batches(solid) {
        let field = field.with_batch(&batch.boxes);
        world.distance_field = field;
        (world.field_boxes, world.field_triangles) = (batch.boxes, batch.triangles);
        let nodes = field.size.element_product();
        run(world, setup.counts().with(FIELD_NODE_SPACE, nodes), distances::bake())?;
    }
    let rows = field.nodes.y * field.nodes.z;
    run(world, setup.counts().with(FIELD_ROW_SPACE, rows), distances::flood())
}
