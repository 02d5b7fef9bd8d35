//! Spheres (discs in 2-D): `shape.sphere = { center = […], radius = … }`.

use std::f64::consts::PI;

use crate::bounds::{planar, positive};
use glam::{DVec3, Quat, Vec3 as Vec3f};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Side, Vec3,
    drawing::{self, Vertex},
    fill,
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles},
    lattice,
    rings::{QUARTER, angle, fibonacci, flat, ring, turned},
};

/// A sphere (a disc in 2-D).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "its keys are those of scene files")]
pub struct Sphere {
    /// Centre in m.
    #[schemars(transform = planar)]
    pub center: Vec3,
    /// Radius in m.
    #[schemars(transform = positive)]
    pub radius: f64,
}

impl Form for Sphere {
    fn depth(&self, point: DVec3, dimensions: u32) -> f64 {
        self.radius - flat(point - DVec3::from(self.center), dimensions).length()
    }

    fn ball(&self) -> f64 {
        self.radius
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        (self.center.into(), DVec3::splat(self.radius))
    }

    fn fill(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let radius = fill::in_spacings(DVec3::splat(self.radius), spacing).x;
        let own = Self { center: [0.0; 3], radius };
        let sites = lattice::centered(own.bounds(), 1.0, dimensions);
        fill::shape(self, self.center.into(), &own, sites, spacing, dimensions)
    }

    fn layer(
        &self,
        side: Side,
        depth: f64,
        spacing: f64,
        dimensions: u32,
        _region: [DVec3; 2],
    ) -> Vec<Vec3> {
        let (center, radius) = (DVec3::from(self.center), self.radius + side.behind(depth));
        let points = match dimensions {
            2 => ring(center, DVec3::X, DVec3::Y, radius, spacing),
            _ => fibonacci(center, radius, spacing),
        };
        points.into_iter().map(DVec3::into).collect()
    }

    fn corners(&self, gap: f64, _dimensions: u32) -> Corners {
        vec![(self.center.into(), self.radius - gap)]
    }

    fn bulk(&self, dimensions: u32) -> Option<Bulk> {
        let square = self.radius * self.radius;
        Some(if dimensions == 2 {
            Bulk { volume: PI * square, inertia: DVec3::new(0.0, 0.0, square / 2.0) }
        } else {
            Bulk {
                volume: 4.0 / 3.0 * PI * self.radius.powi(3),
                inertia: DVec3::splat(0.4 * square),
            }
        })
    }

    fn placed(&self, _dimensions: u32) -> Placed {
        Placed {
            position: self.center.into(),
            rotation: Quat::IDENTITY,
            size: Size { radius: self.radius as f32, ..Size::default() },
        }
    }

    fn triangles(&self) -> Triangles {
        let arc = (0..=2 * QUARTER).map(|k| -0.5 * PI + angle(k));
        let profile: Vec<_> = arc.map(|a| (self.radius * a.sin(), self.radius * a.cos())).collect();
        turned(self.center.into(), DVec3::Y, &profile)
    }

    fn own_triangles(&self) -> Triangles {
        Self { center: [0.0; 3], ..*self }.triangles()
    }
}

impl Kind for Sphere {
    const KEY: &'static str = "sphere";

    fn distance(size: Size, p: Vec3f) -> f32 {
        p.length() - size.radius
    }

    fn reach(size: Size) -> Option<Vec3f> {
        Some(Vec3f::splat(size.radius))
    }

    fn drawn() -> Vec<Vertex> {
        drawing::ball(0.0)
    }

    fn outline(size: Size, flat: bool) -> Vec<[Vec3f; 2]> {
        if !flat {
            return Vec::new();
        }
        drawing::circle(Vec3f::ZERO, size.radius, Vec3f::X, Vec3f::Y)
    }
}
