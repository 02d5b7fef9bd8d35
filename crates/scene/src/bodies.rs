//! Where rigid bodies are at the start: what holds them, how deep a point is in them, their layers.

use glam::{DQuat, DVec3};
use meniscus_geometry::Vec3;

use crate::solids::{Body, Turn};

/// How far bodies' particles are below their surface in m: half a spacing, as those of walls, and
/// 0.2/d of a spacing in d dimensions, for buoyancy. A boundary particle has the pressures of the
/// fluid around it (Akinci 2012), which are those of places off the surface: under a body too high
/// and above it too low, as if it were larger. Measured in 2-D, a square of 6 spacings has 1.15 times
/// its buoyancy at half a spacing and 0.76 times at three quarters; 3-D, with three pairs of faces, by
/// analogy.
#[must_use]
pub fn body_depth(spacing: f64, dimensions: u32) -> f64 {
    (0.5 + 0.2 / f64::from(dimensions)) * spacing
}

impl Body {
    /// Lower and upper corner in m of a box that holds a body at the start.
    #[must_use]
    pub fn extent(&self) -> (DVec3, DVec3) {
        let (center, half) = match self.rotation {
            None => self.shape.bounds(),
            Some(_) => (self.shape.middle(), DVec3::splat(self.shape.farthest())),
        };
        (center - half, center + half)
    }

    /// How deep a point of the world is below its surface at the start, in m.
    #[must_use]
    pub fn depth_of(&self, point: Vec3, dimensions: u32) -> f64 {
        let middle = self.shape.middle();
        let back = self.turn().inverse() * (DVec3::from(point) - middle);
        self.shape.depth(middle + back, dimensions)
    }

    /// Points of the layer below its surface at the start, in the world, in m.
    #[must_use]
    pub fn layer(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let (middle, turn) = (self.shape.middle(), self.turn());
        let layer = self.shape.body_layer(body_depth(spacing, dimensions), spacing, dimensions);
        let turned = |point: Vec3| (middle + turn * (DVec3::from(point) - middle)).to_array();
        layer.into_iter().map(turned).collect()
    }

    /// How it is turned at the start.
    #[must_use]
    pub fn turn(&self) -> DQuat {
        self.rotation.map_or(DQuat::IDENTITY, |Turn { axis, angle }| {
            DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::Z), angle.to_radians())
        })
    }
}
