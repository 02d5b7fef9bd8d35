//! Infinite planes: `shape.plane = { point = […], normal = […] }`.

use crate::bounds::heading;
use glam::{DVec3, Vec3 as Vec3f};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Side, Vec3,
    drawing::{self, Unit, Vertex},
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles, Use},
    segment::upright,
};

/// A plane; the fluid is on the side that the normal points to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "its keys are those of scene files")]
pub struct Plane {
    /// A point on it, in m.
    pub point: Vec3,
    /// Normal, of any length but 0.
    #[schemars(transform = heading)]
    pub normal: Vec3,
}

impl Form for Plane {
    fn unfit(&self, purpose: Use) -> Option<&'static str> {
        match purpose {
            Use::Fluid => Some("a plane cannot be filled"),
            Use::Body => Some("a plane cannot be a body"),
            Use::Boundary | Use::Drain => None,
        }
    }

    fn depth(&self, point: DVec3, _dimensions: u32) -> f64 {
        (point - DVec3::from(self.point)).dot(DVec3::from(self.normal).normalize_or_zero())
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        (self.point.into(), DVec3::ZERO)
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn fill(&self, _spacing: f64, _dimensions: u32) -> Vec<Vec3> {
        Vec::new()
    }

    fn count(&self, _spacing: f64, _dimensions: u32) -> f64 {
        0.0
    }

    fn layer(
        &self,
        _side: Side,
        depth: f64,
        spacing: f64,
        dimensions: u32,
        [low, high]: [DVec3; 2],
    ) -> Vec<Vec3> {
        let normal = DVec3::from(self.normal).normalize_or(DVec3::Y);
        let origin = DVec3::from(self.point) - depth * normal;
        let (u, v) = if dimensions == 2 {
            (DVec3::Z.cross(normal).normalize_or(DVec3::X), DVec3::ZERO)
        } else {
            normal.any_orthonormal_pair()
        };
        // The lattice extends as far as the region's corners; keep the points within the region.
        let corner = |k: usize| {
            DVec3::from_array(std::array::from_fn(|axis| {
                if k >> axis & 1 == 0 { low[axis] } else { high[axis] }
            }))
        };
        let reach = |axis: DVec3| {
            let along = (0..8).map(|k| (corner(k) - origin).dot(axis));
            let (from, to) = along.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            ((from / spacing).floor() as i64, (to / spacing).ceil() as i64)
        };
        let ((u0, u1), (v0, v1)) = (reach(u), reach(v));
        let mut points = Vec::new();
        for j in v0..=v1 {
            for i in u0..=u1 {
                let point = origin + spacing * (i as f64 * u + j as f64 * v);
                let margin = DVec3::splat(spacing);
                let mut within = point.cmpge(low - margin) & point.cmple(high + margin);
                if dimensions == 2 {
                    within.z = true;
                }
                if within.all() {
                    points.push(point.to_array());
                }
            }
        }
        points
    }

    fn corners(&self, _gap: f64, _dimensions: u32) -> Corners {
        Vec::new()
    }

    fn bulk(&self, _dimensions: u32) -> Option<Bulk> {
        None
    }

    /// Placement in which the plane's normal is y.
    fn placed(&self, _dimensions: u32) -> Placed {
        Placed {
            position: self.point.into(),
            rotation: upright(DVec3::from(self.normal).normalize()),
            size: Size::default(),
        }
    }

    fn triangles(&self) -> Triangles {
        Triangles::default()
    }

    fn own_triangles(&self) -> Triangles {
        Triangles::default()
    }
}

impl Kind for Plane {
    const KEY: &'static str = "plane";

    fn drawn() -> Vec<Vertex> {
        let corner =
            |by_unit| Vertex { by_unit, unit: Unit::Scene, normal: Vec3f::Y, ..Vertex::default() };
        drawing::face(Vec3f::Y, 0.0).map(corner).to_vec()
    }

    fn outline(_size: Size, flat: bool) -> Vec<[Vec3f; 2]> {
        if flat { vec![[1e3 * Vec3f::NEG_X, 1e3 * Vec3f::X]] } else { Vec::new() }
    }
}
