//! A scene on the GPU and in the reference side by side: each stage of a step runs on both from the
//! same bits, and the results are compared.

use std::collections::BTreeMap;

use meniscus::{Gpu, Shaders};
use meniscus_methods::Registry;
use meniscus_model::Scene;
use meniscus_reference::{Replica, Twins};

use crate::{
    compare::{Difference, Stop, check},
    course::Course,
    moment::Moment,
    single::Side,
};

/// A scene on both sides.
#[derive(Debug)]
pub struct SideBySide {
    side: Side,
    course: Course,
    largest: BTreeMap<String, f64>,
}

impl SideBySide {
    /// A scene before its first step.
    ///
    /// # Errors
    /// A scene with problems, a device error, a list that the reference cannot run.
    pub fn new(gpu: &Gpu, scene: &Scene, shaders: &Shaders) -> Result<Self, Stop> {
        Self::with_methods(gpu, scene, shaders, &Registry::standard(), Twins::standard())
    }

    /// A scene before its first step, with methods of this registry and their twins.
    ///
    /// # Errors
    /// As [`SideBySide::new`].
    pub fn with_methods(
        gpu: &Gpu,
        scene: &Scene,
        shaders: &Shaders,
        registry: &Registry,
        twins: Twins,
    ) -> Result<Self, Stop> {
        let course = Course::new(scene, registry, twins, None, &mut |_| Ok(()))?;
        let setup = &course.replica().setup;
        let shaders = shaders.clone().for_scene(setup).with_methods(registry);
        Ok(Self { side: Side::new(gpu, shaders), course, largest: BTreeMap::new() })
    }

    /// Largest error of each stage relative to its scale, by label.
    #[must_use]
    pub fn largest(&self) -> &BTreeMap<String, f64> {
        &self.largest
    }

    /// The reference's side.
    #[must_use]
    pub fn replica(&self) -> &Replica {
        self.course.replica()
    }

    /// The reference's side, which may be changed between steps.
    pub fn replica_mut(&mut self) -> &mut Replica {
        self.course.replica_mut()
    }

    /// Makes a step, running each stage on both sides from the reference's state in f32. Returns
    /// the first difference, at which the step ends.
    ///
    /// # Errors
    /// A device error, a list that one side cannot run, a failed simulation.
    pub fn step(&mut self) -> Result<Option<Difference>, meniscus::Error> {
        let Self { side, course, largest } = self;
        let see = &mut |moment: &Moment| {
            let error = check(side, moment)?;
            let most = largest.entry(moment.placed.stage.label()).or_default();
            *most = most.max(error);
            Ok(())
        };
        match course.step(see) {
            Ok(()) => Ok(None),
            Err(Stop::Differs(difference)) => Ok(Some(*difference)),
            Err(Stop::Failed(error)) => Err(error),
        }
    }
}
