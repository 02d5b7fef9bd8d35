//! Initial placement of rigid bodies: bounding boxes, depths of points in them, and their layers of
//! particles.

use glam::{DQuat, DVec3};
use meniscus_geometry::Vec3;

use crate::solids::{Body, Turn};

/// Depth of bodies' particles below their surface in m: half a spacing, as for walls, plus 0.2/d of
/// a spacing in d dimensions, for the correct buoyancy. A boundary particle takes the pressure of
/// the fluid around it (Akinci 2012), which belongs to positions off the surface: too high under a
/// body and too low above it, as if the body were larger. Measured in 2-D, a square of 6 spacings
/// has 1.15 times its buoyancy at half a spacing and 0.76 times at three quarters; the value in
/// 3-D, with three pairs of faces, is by analogy.
#[must_use]
pub fn body_depth(spacing: f64, dimensions: u32) -> f64 {
    (0.5 + 0.2 / f64::from(dimensions)) * spacing
}

/// Cosine of the largest angle between a hinge and its principal axis: half a degree.
const ALONG: f64 = 0.99996;

impl Body {
    /// Lower and upper corner in m of a body's initial bounding box.
    #[must_use]
    pub fn extent(&self) -> (DVec3, DVec3) {
        let (center, half) = match self.rotation {
            None => self.shape.bounds(),
            Some(_) => (self.shape.middle(), DVec3::splat(self.shape.farthest())),
        };
        (center - half, center + half)
    }

    /// Depth of a world point below its initial surface, in m.
    #[must_use]
    pub fn depth_of(&self, point: Vec3, dimensions: u32) -> f64 {
        let middle = self.shape.middle();
        let back = self.turn().inverse() * (DVec3::from(point) - middle);
        self.shape.depth(middle + back, dimensions)
    }

    /// World positions in m of its initial layer of particles.
    #[must_use]
    pub fn layer(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let (middle, turn) = (self.shape.middle(), self.turn());
        let layer = self.shape.body_layer(body_depth(spacing, dimensions), spacing, dimensions);
        let turned = |point: Vec3| (middle + turn * (DVec3::from(point) - middle)).to_array();
        layer.into_iter().map(turned).collect()
    }

    /// Number of the principal axis of its hinge, in the order of its moments of inertia; `None` without a hinge, or if
    /// that is along no principal axis.
    #[must_use]
    pub fn hinge_axis(&self, dimensions: u32) -> Option<usize> {
        let own = self.shape.placed_body(dimensions).rotation.as_dquat().normalize();
        let local = (self.turn() * own).inverse() * DVec3::from(self.hinge?).try_normalize()?;
        (0..3).find(|axis| local[*axis].abs() > ALONG)
    }

    /// Initial rotation.
    #[must_use]
    pub fn turn(&self) -> DQuat {
        self.rotation.map_or(DQuat::IDENTITY, |Turn { axis, angle }| {
            DQuat::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::Z), angle.to_radians())
        })
    }
}
