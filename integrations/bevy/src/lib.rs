//! Water for Bevy, simulated and drawn on its own device by [meniscus](https://github.com/meniscus-sph/meniscus).
//!
//! [`MeniscusPlugin`] is added after Bevy's plugins, and each entity with a [`Water`] is a scene of its own, which moves with
//! the game's time; meshes with a [`WaterCollider`] are in its way, and those with a [`WaterBody`] float. Its [`WaterState`] says how far it is, and why it is not, if so. [`Waters`] has the simulations, in the render world.

mod colliders;
mod draw;
mod waters;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bevy::{
    core_pipeline::{
        Core3d, Core3dSystems,
        core_3d::{main_opaque_pass_3d, main_transparent_pass_3d},
    },
    prelude::*,
    render::{
        ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems,
        renderer::{RenderGraph, RenderGraphSystems},
    },
};
pub use meniscus;
use meniscus::{Budget, Progress, Scene};
pub use meniscus_render;
use meniscus_render::{Mode, View};

pub use colliders::{WaterBody, WaterCollider};
pub use waters::Waters;

/// Water in Bevy's 3-D cameras. Bevy asks for all features and limits of the adapter by default, which is what meniscus needs; an app with
/// other `WgpuSettings` adds those of [`Gpu::required`](meniscus::Gpu::required).
#[derive(Clone, Copy, Debug, Default)]
#[allow(clippy::exhaustive_structs, reason = "a plugin is written by its name")]
pub struct MeniscusPlugin;

impl Plugin for MeniscusPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Afloat>().add_systems(PreUpdate, float);
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
        let waters = resource_exists::<Waters>;
        render_app
            // Again after a loss of the device, when all water starts anew.
            .add_systems(RenderStartup, waters::open)
            .add_systems(ExtractSchedule, waters::extract.run_if(waters))
            .add_systems(Render, draw::let_depths_be_copied.in_set(RenderSystems::PrepareViews))
            .add_systems(RenderGraph, waters::step.run_if(waters).in_set(RenderGraphSystems::Begin))
            .add_systems(
                Core3d,
                draw::draw
                    .run_if(waters)
                    .after(main_opaque_pass_3d)
                    .before(main_transparent_pass_3d)
                    .in_set(Core3dSystems::MainPass),
            );
    }
}

/// A scene of meniscus, placed by the entity's transform, which turns and moves it but has no scale.
#[derive(Clone, Component, Debug)]
#[require(Transform, Visibility, WaterState)]
#[non_exhaustive]
pub struct Water {
    /// Fluid and what it meets, in m. Another scene starts anew.
    pub scene: Arc<Scene>,
    /// How it is drawn. The direction to the sun is of the world, not of the scene. Camera, floor and legend are not used.
    pub look: View,
    /// How much of each frame it may have. Where it needs more, its time passes more slowly than the game's.
    pub budget: Budget,
}

impl Water {
    /// A scene with 4 ms of the GPU in each frame, drawn as water.
    #[must_use]
    pub fn new(scene: Scene) -> Self {
        Self {
            scene: Arc::new(scene),
            look: View { mode: Mode::ScreenSpace, boundaries: false, ..View::default() },
            budget: Budget::time(Duration::from_millis(4)),
        }
    }
}

/// How far a [`Water`] is, a frame or two later.
#[derive(Component, Debug, Default)]
pub struct WaterState(Arc<Mutex<Status>>);

/// What became of a [`Water`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Status {
    /// It is made on a thread of its own, which compiles shaders.
    #[default]
    Loading,
    /// It runs.
    Running(Progress),
    /// It does not, for this reason.
    Failed(String),
}

impl WaterState {
    /// What is known.
    #[must_use]
    pub fn status(&self) -> Status {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, status: Status) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = status;
    }

    /// The same state in the render world.
    fn shared(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Where bodies are, a frame or two later: their transforms in the frames of their waters. Both worlds have it.
#[derive(Debug, Default, Resource)]
pub(crate) struct Afloat(Arc<Mutex<BTreeMap<Entity, Transform>>>);

impl Afloat {
    pub(crate) fn shared(&self) -> Self {
        Self(Arc::clone(&self.0))
    }

    pub(crate) fn set(&self, bodies: Vec<(Entity, Transform)>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bodies);
    }
}

/// Moves bodies to where the water has them.
fn float(afloat: Res<Afloat>, mut bodies: Query<&mut Transform, With<WaterBody>>) {
    let places = std::mem::take(&mut *afloat.0.lock().unwrap_or_else(PoisonError::into_inner));
    for (entity, place) in places {
        if let Ok(mut transform) = bodies.get_mut(entity) {
            *transform = place;
        }
    }
}
