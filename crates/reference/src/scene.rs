//! A scene in f64: its world, with frames and steps from the same lists as on the GPU.

use glam::Vec3;
use meniscus_methods::{
    ListError,
    arrays::ARRAYS,
    lists::{distances, step},
    space::{Counts, FIELD_NODE_SPACE, FIELD_ROW_SPACE, FIELDS, NEIGHBOURS},
    stage::{Entry, List, Phase},
    tables::Tables,
};
use meniscus_model::{Setup, bake, shared::encode};

use crate::{Interpreter, World};

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
        let lists = step::lists(&setup.scope());
        let mut interpreter = Interpreter::new(&lists, &setup.counts(), &Tables::default())?;
        let fields = setup.params.counts.force_fields > 0;
        interpreter.set_flags(if fields { &[FIELDS] } else { &[] });
        let mut world = World::new(setup.params, setup.control);
        for row in ARRAYS {
            let elements = interpreter.plans().counts.get(row.extent)?.max(1) as usize;
            if let Some(storage) = world.storage(row.name) {
                storage.resize(elements);
            }
        }
        let wide = |p: &[f32; 4]| p.map(f64::from);
        for (i, x) in setup.position.iter().enumerate() {
            world.position[i] = wide(x);
            world.velocity[i] = wide(&setup.velocity[i]);
            world.identity[i] = setup.identity[i];
        }
        world.set_colliders(&setup.colliders);
        floats(&mut world.bodies, &encode(&setup.initial_bodies()));
        for (to, from) in world.model_position.iter_mut().zip(&setup.model_position) {
            *to = wide(from);
        }
        for (to, from) in world.emitter_points.iter_mut().zip(&setup.emitter_points) {
            *to = wide(from);
        }
        copy_start(&mut world.drains, &setup.drains);
        copy_start(&mut world.emitters, &setup.emitters);
        bake_distances(&mut world, setup)?;
        let mut replica = Self { world, setup: setup.clone(), interpreter };
        replica.write_motions();
        Ok(replica)
    }

    /// Makes a step, opening a frame if the last one is done.
    ///
    /// # Errors
    /// As [`Interpreter::run`].
    pub fn step(&mut self) -> Result<(), ListError> {
        self.open_frame()?;
        self.interpreter.run(&mut self.world, "step")
    }

    /// Opens the next frame if the last one is done.
    ///
    /// # Errors
    /// As [`Interpreter::run`].
    pub fn open_frame(&mut self) -> Result<(), ListError> {
        if self.world.control.frame_done == 0 {
            return Ok(());
        }
        let slots = self.setup.capacity_of_frame(self.world.control.particle_count);
        if slots > self.world.params.counts.capacity {
            self.make_room(slots)?;
        }
        self.interpreter.run(&mut self.world, "begin")?;
        self.write_motions();
        Ok(())
    }

    /// Resizes the particle arrays to this number of slots.
    fn make_room(&mut self, slots: u32) -> Result<(), ListError> {
        self.setup.params.counts.capacity = slots;
        self.world.params.counts.capacity = slots;
        let flags = self.interpreter.flags().to_vec();
        let lists = step::lists(&self.setup.scope());
        let counts = self.setup.counts();
        self.interpreter = Interpreter::new(&lists, &counts, &Tables::default())?;
        self.interpreter.set_flags(&flags);
        // The neighbour lists grow on demand.
        for row in ARRAYS.iter().filter(|row| row.extent.space != NEIGHBOURS.space) {
            let elements = self.interpreter.plans().counts.get(row.extent)?.max(1) as usize;
            if let Some(storage) = self.world.storage(row.name) {
                let had = storage.copy().elements();
                storage.resize(elements.max(had));
            }
        }
        Ok(())
    }

    /// Motion of solids in the current frame.
    fn write_motions(&mut self) {
        let frames = f64::from(self.world.control.frame.saturating_sub(1));
        let start = frames * self.setup.frame_duration;
        let motions = self.setup.motions_from(start, [Vec3::ZERO; 2]);
        floats(&mut self.world.motions, &encode(&motions));
    }
}

/// Fills the start of an array from the bytes of f32 values.
fn floats<const N: usize>(to: &mut [[f64; N]], bytes: &[u8]) {
    for (to, from) in to.as_flattened_mut().iter_mut().zip(bytes.as_chunks().0) {
        *to = f64::from(f32::from_le_bytes(*from));
    }
}

/// Fills the start of an array, which has at least one element.
fn copy_start<T: Copy>(to: &mut [T], from: &[T]) {
    to[..from.len()].copy_from_slice(from);
}

/// Computes the distances of all meshes.
fn bake_distances(world: &mut World, setup: &Setup) -> Result<(), ListError> {
    world.distances.resize(setup.distance_count().max(1) as usize, 0.0);
    let run = |world: &mut World, counts: Counts, entries: Vec<Entry>| {
        let list = List { name: "field", phase: Phase::Any, entries };
        Interpreter::new(&[list], &counts, &Tables::default())?.run(world, "field")
    };
    for (solid, field) in &setup.fields {
        for batch in bake::batches(solid) {
            let field = field.with_batch(&batch.boxes);
            world.distance_field = field;
            (world.field_boxes, world.field_triangles) = (batch.boxes, batch.triangles);
            let nodes = field.size.element_product();
            run(world, setup.counts().with(FIELD_NODE_SPACE, nodes), distances::bake())?;
        }
        let rows = field.nodes.y * field.nodes.z;
        run(world, setup.counts().with(FIELD_ROW_SPACE, rows), distances::flood())?;
    }
    Ok(())
}
