//! Particles of a file: `shape.points = { file = "…", … }`.

use glam::{DVec3, Quat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Check, Side, Vec3,
    file::{Content, Placement, Rotation, Scale, rotation, scale, unscaled},
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles, Use},
};

/// Particles of a file, scaled, then rotated, then moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// File (BGEO, PLY, CSV) in m; the path is relative to the scene's.
    pub file: String,
    /// Scale factors along the file's axes.
    #[serde(default = "unscaled", deserialize_with = "scale")]
    #[schemars(with = "Scale")]
    pub scale: Vec3,
    /// Rotation.
    #[serde(default, deserialize_with = "rotation")]
    pub rotation: Rotation,
    /// Translation in m.
    #[serde(default)]
    pub translation: Vec3,
    /// The file's particles, placed in the scene ([`Points::fill_in`]).
    #[serde(skip)]
    pub content: Content<Vec<Vec3>>,
    /// Velocity in m/s of each particle, in world axes, in addition to the fluid's; none of those of files.
    #[serde(skip)]
    pub velocities: Content<Vec<Vec3>>,
}

impl Points {
    /// Places the file's points. Call it again after changing the placement.
    pub fn fill_in(&mut self, points: &[Vec3]) {
        let place =
            Placement { scale: self.scale, rotation: self.rotation, translation: self.translation };
        self.content = Content::of(points.iter().map(|p| place.of(*p)).collect());
    }

    fn points(&self) -> &[Vec3] {
        self.content.get().map_or(&[], |points| points)
    }
}

impl Form for Points {
    fn check(&self, key: &str, check: &mut Check) {
        let place =
            Placement { scale: self.scale, rotation: self.rotation, translation: self.translation };
        place.check(key, check);
        if self.content.get().is_none() {
            check.report(format!("{key}.file"), "has not been read");
        } else if check.dimensions == 2 {
            let (center, half) = self.bounds();
            let away = center.z.abs() + half.z;
            if away > check.spacing {
                check.report(
                    key,
                    format!("its particles are up to {away} m off the plane of 2-D, z = 0"),
                );
            }
        }
    }

    fn velocities(&self) -> &[Vec3] {
        self.velocities.get().map_or(&[], |velocities| velocities)
    }

    fn is_list(&self) -> bool {
        true
    }

    fn unfit(&self, purpose: Use) -> Option<&'static str> {
        match purpose {
            Use::Fluid => None,
            Use::Boundary | Use::Body => Some("points are no solid"),
            Use::Drain => Some("points are no region"),
        }
    }

    fn depth(&self, _point: DVec3, _dimensions: u32) -> f64 {
        f64::NEG_INFINITY
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let points = self.points();
        if points.is_empty() {
            return (DVec3::ZERO, DVec3::ZERO);
        }
        let (low, high) = points.iter().fold((DVec3::MAX, DVec3::MIN), |(low, high), p| {
            (low.min(DVec3::from(*p)), high.max(DVec3::from(*p)))
        });
        (0.5 * (low + high), 0.5 * (high - low))
    }

    /// Of 2-D they are in the plane.
    fn fill(&self, _spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let flat = |p: &Vec3| if dimensions == 2 { [p[0], p[1], 0.0] } else { *p };
        self.points().iter().map(flat).collect()
    }

    fn sites(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        self.fill(spacing, dimensions)
    }

    fn count(&self, _spacing: f64, _dimensions: u32) -> f64 {
        self.points().len() as f64
    }

    fn layer(
        &self,
        _side: Side,
        _depth: f64,
        _spacing: f64,
        _dimensions: u32,
        _region: [DVec3; 2],
    ) -> Vec<Vec3> {
        Vec::new()
    }

    fn corners(&self, _gap: f64, _dimensions: u32) -> Corners {
        self.points().iter().map(|p| (DVec3::from(*p), 0.0)).collect()
    }

    fn bulk(&self, _dimensions: u32) -> Option<Bulk> {
        None
    }

    fn placed(&self, _dimensions: u32) -> Placed {
        let (position, half) = self.bounds();
        let size = Size { half_extents: half.as_vec3(), ..Size::default() };
        Placed { position, rotation: Quat::IDENTITY, size }
    }

    fn triangles(&self) -> Triangles {
        Triangles::default()
    }

    fn own_triangles(&self) -> Triangles {
        Triangles::default()
    }
}

impl Kind for Points {
    const KEY: &'static str = "points";
    const IS_SOLID: bool = false;
}
