//! Simulations in the render world, and their steps in the frames of the game.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    sync::Arc,
    thread::JoinHandle,
};

use bevy::{
    platform::collections::HashMap,
    prelude::*,
    render::{
        Extract,
        render_resource::{CommandEncoderDescriptor, TextureFormat},
        renderer::{PendingCommandBuffers, RenderAdapter, RenderDevice, RenderQueue},
    },
};
use meniscus::{Budget, Error, Gpu, Scene, Simulation, blocking::block_on};
use meniscus_render::{Renderer, View};

use crate::{
    Afloat, Status, Water, WaterState,
    colliders::{self, Collider, Solids, Start, WaterSolid},
};

/// How far the game's clock may be ahead of the water, in s.
const AHEAD: f64 = 0.05;

/// All simulations, in the render world.
#[derive(Debug, Resource)]
pub struct Waters {
    /// Bevy's device, or why it cannot be used.
    pub(crate) gpu: Result<Gpu, String>,
    pub(crate) all: BTreeMap<Entity, Placed>,
}

impl Waters {
    /// The simulation of an entity of the main world, once it runs: its particles, and what comes and goes.
    pub fn get_mut(&mut self, water: Entity) -> Option<&mut Simulation> {
        self.all.get_mut(&water)?.simulation()
    }
}

/// A water, and where it is.
#[derive(Debug)]
pub(crate) struct Placed {
    scene: Arc<Scene>,
    pub(crate) look: View,
    budget: Budget,
    state: WaterState,
    pub(crate) world_from_water: GlobalTransform,
    pub(crate) is_visible: bool,
    /// Time of the game for this water in s.
    clock: f64,
    stage: Stage,
    solids: Solids,
    afloat: Afloat,
    /// Renderers of views, since one draws a single layer in a submission.
    pub(crate) renderers: HashMap<(Entity, TextureFormat), Renderer>,
    /// What was last said of its picture.
    told: String,
}

#[derive(Debug)]
enum Stage {
    Loading(JoinHandle<Result<Simulation, String>>),
    Running(Box<Simulation>),
    Failed,
}

/// Takes Bevy's device.
pub(crate) fn open(
    mut commands: Commands,
    adapter: Res<RenderAdapter>,
    device: Res<RenderDevice>,
    queue: Res<RenderQueue>,
) {
    let gpu = Gpu::from_wgpu(&adapter, device.wgpu_device(), &queue);
    let gpu = gpu.map_err(|error| error.to_string());
    if let Err(error) = &gpu {
        error!("no water on this device: {error}");
    }
    commands.insert_resource(Waters { gpu, all: BTreeMap::new() });
}

/// Takes what the main world says of waters.
pub(crate) fn extract(
    mut waters: ResMut<Waters>,
    placed: Extract<Query<(Entity, &Water, &WaterState, &GlobalTransform, &InheritedVisibility)>>,
    colliders: Extract<Query<Collider, With<WaterSolid>>>,
    afloat: Extract<Res<Afloat>>,
    meshes: Extract<Res<Assets<Mesh>>>,
    time: Extract<Res<Time>>,
) {
    let Waters { gpu, all } = &mut *waters;
    all.retain(|entity, old| {
        placed.get(*entity).is_ok_and(|(_, water, ..)| Arc::ptr_eq(&water.scene, &old.scene))
    });
    for (entity, water, state, transform, visibility) in &placed {
        let water_from_world = transform.affine().inverse();
        let own = || colliders.iter().filter(|one| one.is_in(entity));
        let one = match all.entry(entity) {
            Entry::Occupied(one) => one.into_mut(),
            Entry::Vacant(place) => {
                let starts = own().map(|one| one.start(&meshes, water_from_world));
                // Some meshes are not loaded yet.
                let Some(starts) = starts.collect::<Option<Result<_, _>>>() else { continue };
                place.insert(Placed::new(gpu, water, state, afloat.shared(), starts))
            }
        };
        own().for_each(|solid| one.solids.see(&solid, water_from_world));
        one.look.clone_from(&water.look);
        one.budget = water.budget;
        one.world_from_water = *transform;
        one.is_visible = visibility.get();
        one.pass(time.delta_secs_f64());
    }
}

/// Records the steps of a frame, before all cameras.
pub(crate) fn step(
    mut waters: ResMut<Waters>,
    device: Res<RenderDevice>,
    mut pending: ResMut<PendingCommandBuffers>,
) {
    for (entity, water) in &mut waters.all {
        if let Err(error) = water.step(&device, &mut pending) {
            error!("the water {entity}: {error}");
            water.state.set(Status::Failed(error));
            water.stage = Stage::Failed;
        }
    }
}

impl Placed {
    /// Begins to make a simulation, on a thread of its own, since that waits for the GPU.
    fn new(
        gpu: &Result<Gpu, String>,
        water: &Water,
        state: &WaterState,
        afloat: Afloat,
        starts: Result<Vec<Start>, String>,
    ) -> Self {
        state.set(Status::Loading);
        let scene = Arc::clone(&water.scene);
        let solids = starts.as_deref().map(Solids::new).unwrap_or_default();
        let (gpu, own) = (gpu.clone(), Arc::clone(&scene));
        let stage = Stage::Loading(std::thread::spawn(move || {
            let (gpu, scene) = (gpu?, colliders::add(&own, &starts?)?);
            block_on(&gpu, Simulation::new(&gpu, &scene)).map_err(|error| error.to_string())
        }));
        Self {
            scene,
            look: water.look.clone(),
            budget: water.budget,
            state: state.shared(),
            world_from_water: GlobalTransform::IDENTITY,
            is_visible: true,
            clock: 0.0,
            stage,
            solids,
            afloat,
            renderers: HashMap::default(),
            told: String::new(),
        }
    }

    pub(crate) fn simulation(&mut self) -> Option<&mut Simulation> {
        match &mut self.stage {
            Stage::Running(simulation) => Some(simulation),
            Stage::Loading(_) | Stage::Failed => None,
        }
    }

    /// Lets time pass: all of a frame's or none, so that the bits depend on the frames alone.
    fn pass(&mut self, time: f64) {
        let Stage::Running(simulation) = &self.stage else { return };
        let later = self.clock + time.min(AHEAD);
        if later <= simulation.time() + AHEAD {
            self.clock = later;
        }
    }

    fn step(
        &mut self,
        device: &RenderDevice,
        pending: &mut PendingCommandBuffers,
    ) -> Result<(), String> {
        if matches!(&self.stage, Stage::Loading(thread) if thread.is_finished()) {
            let Stage::Loading(thread) = std::mem::replace(&mut self.stage, Stage::Failed) else {
                return Ok(());
            };
            let made = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            self.stage = Stage::Running(Box::new(made?));
        }
        let (clock, budget) = (self.clock, self.budget);
        let Stage::Running(simulation) = &mut self.stage else { return Ok(()) };
        let solids = &mut self.solids;
        let mut encoder =
            device.create_command_encoder(&CommandEncoderDescriptor { label: Some("water") });
        let mut frame = || {
            let progress = simulation.poll()?;
            let afloat = solids.meet(simulation)?;
            simulation.record(&mut encoder, clock, budget)?;
            Ok::<_, Error>((progress, afloat))
        };
        let (progress, afloat) = frame().map_err(|error| error.to_string())?;
        self.afloat.set(afloat);
        pending.push_encoder(encoder, "water");
        self.state.set(Status::Running(progress));
        Ok(())
    }

    /// Says why it is not drawn, once.
    pub(crate) fn complain(&mut self, entity: Entity, why: String) {
        if self.told != why {
            error!("the water {entity} is not drawn: {why}");
            self.told = why;
        }
    }
}
