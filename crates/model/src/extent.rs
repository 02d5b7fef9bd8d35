//! Extent of a scene's fluid and containers.

use glam::DVec3;
use meniscus_scene::{Scene, Side};

/// Extents of the fluid at the start, and of everything that the grid should cover.
pub(crate) struct Bounds {
    pub(crate) fluid_min: DVec3,
    pub(crate) fluid_max: DVec3,
    /// Fluid and containers.
    pub(crate) reach_min: DVec3,
    pub(crate) reach_max: DVec3,
    /// The scene's domain if given, else the reach.
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

impl Bounds {
    pub(crate) fn of<'a>(scene: &'a Scene, points: impl Iterator<Item = &'a [f64; 3]>) -> Self {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mouths = scene.emitters.iter().map(|emitter| &emitter.center);
        for point in points.chain(mouths) {
            low = low.min(DVec3::from(*point));
            high = high.max(DVec3::from(*point));
        }
        let half = DVec3::splat(scene.particle_radius);
        let (fluid_min, fluid_max) = (low - half, high + half);
        let (mut reach_min, mut reach_max) = (fluid_min, fluid_max);
        for wall in scene.boundaries.iter().filter(|wall| wall.side == Side::Inside) {
            if !wall.shape.is_endless() {
                let (middle, half) = wall.shape.bounds();
                reach_min = reach_min.min(middle - half);
                reach_max = reach_max.max(middle + half);
            }
        }
        for body in &scene.bodies {
            let (low, high) = body.extent();
            reach_min = reach_min.min(low);
            reach_max = reach_max.max(high);
        }
        let (mut min, mut max) = match &scene.domain {
            Some(domain) => (DVec3::from(domain.min), DVec3::from(domain.max)),
            None => (reach_min, reach_max),
        };
        if scene.dimensions == 2 {
            (min.z, max.z) = (0.0, 0.0);
        }
        Self { fluid_min, fluid_max, reach_min, reach_max, min, max }
    }

    pub(crate) fn center(&self) -> DVec3 {
        (self.min + self.max) / 2.0
    }
}
