//! Cylinders with round ends: `shape.capsule = { start = […], end = […], radius = … }`.

use std::f64::consts::PI;

use crate::bounds::{planar, positive};
use glam::{DVec3, Vec3 as Vec3f};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Check, Side, Vec3,
    drawing::{self, Vertex},
    fill,
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles},
    lattice,
    rings::{QUARTER, angle, fibonacci, flat, ring, steps, turned},
    segment::{half, middle, own, upright},
};

/// A cylinder with round ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "its keys are those of scene files")]
pub struct Capsule {
    /// Centre of one end's hemisphere in m.
    #[schemars(transform = planar)]
    pub start: Vec3,
    /// Centre of the other end's hemisphere in m.
    #[schemars(transform = planar)]
    pub end: Vec3,
    /// Radius in m.
    #[schemars(transform = positive)]
    pub radius: f64,
}

/// A round rod between two points in m with this radius in m.
#[must_use]
pub fn rod([start, end]: [DVec3; 2], radius: f64) -> super::Shape {
    Capsule { start: start.to_array(), end: end.to_array(), radius }.into()
}

impl Form for Capsule {
    fn check(&self, key: &str, check: &mut Check) {
        check.segment(key, self.start, self.end);
    }

    fn depth(&self, point: DVec3, dimensions: u32) -> f64 {
        let axis = flat(DVec3::from(self.end) - DVec3::from(self.start), dimensions);
        let offset = flat(point - DVec3::from(self.start), dimensions);
        let along =
            (offset.dot(axis) / axis.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
        self.radius - (offset - axis * along).length()
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let half = half(self.start, self.end).abs() + DVec3::splat(self.radius);
        (middle(self.start, self.end), half)
    }

    fn fill(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let end = fill::in_spacings(half(self.start, self.end), spacing);
        let radius = fill::in_spacings(DVec3::splat(self.radius), spacing).x;
        let own = Self { start: (-end).to_array(), end: end.to_array(), radius };
        let center = middle(self.start, self.end);
        let sites = lattice::centered(own.bounds(), 1.0, dimensions);
        fill::shape(self, center, &own, sites, spacing, dimensions)
    }

    fn layer(
        &self,
        side: Side,
        depth: f64,
        spacing: f64,
        dimensions: u32,
        _region: [DVec3; 2],
    ) -> Vec<Vec3> {
        let radius = self.radius + side.behind(depth);
        let (start, end) = (flat(self.start.into(), dimensions), flat(self.end.into(), dimensions));
        let axis = (end - start).normalize_or(DVec3::Y);
        let length = (end - start).length();
        let ends = |center: DVec3| match dimensions {
            2 => ring(center, DVec3::X, DVec3::Y, radius, spacing),
            _ => fibonacci(center, radius, spacing),
        };
        // The last row of the shaft is where the hemispheres begin.
        let apart = 0.5 * spacing;
        let mut points: Vec<_> =
            ends(start).into_iter().filter(|p| (*p - start).dot(axis) < -apart).collect();
        points.extend(ends(end).into_iter().filter(|p| (*p - end).dot(axis) > apart));
        let rows = steps(length.max(spacing), spacing);
        for k in 0..=rows {
            let center = start + axis * (length * k as f64 / rows as f64);
            if dimensions == 2 {
                let side = DVec3::Z.cross(axis) * radius;
                points.extend([center + side, center - side]);
            } else {
                let (u, v) = axis.any_orthonormal_pair();
                points.extend(ring(center, u, v, radius, spacing));
            }
        }
        points.into_iter().map(DVec3::into).collect()
    }

    fn corners(&self, gap: f64, _dimensions: u32) -> Corners {
        let inside = self.radius - gap;
        vec![(self.start.into(), inside), (self.end.into(), inside)]
    }

    fn bulk(&self, dimensions: u32) -> Option<Bulk> {
        let square = |x: f64| x * x;
        let flat = dimensions == 2;
        let (r, h) = (self.radius, DVec3::from(self.start).distance(self.end.into()) / 2.0);
        // The shaft, and both ends together, with the distance of their centroids from where they
        // begin.
        let (shaft, ends, centroid) = if flat {
            (4.0 * h * r, PI * square(r), 4.0 * r / (3.0 * PI))
        } else {
            (2.0 * PI * square(r) * h, 4.0 / 3.0 * PI * r.powi(3), 0.375 * r)
        };
        let apart = square(h) + 2.0 * h * centroid;
        let inertia = if flat {
            let shaft = shaft * (square(h) + square(r)) / 3.0;
            DVec3::new(0.0, 0.0, shaft + ends * (square(r) / 2.0 + apart))
        } else {
            let across =
                shaft * (square(r) / 4.0 + square(h) / 3.0) + ends * (0.4 * square(r) + apart);
            let along = shaft * square(r) / 2.0 + ends * 0.4 * square(r);
            DVec3::new(across, along, across)
        };
        Some(Bulk { volume: shaft + ends, inertia: inertia / (shaft + ends) })
    }

    /// Along y: half extents in y between the centres of the ends, and the radius.
    fn placed(&self, _dimensions: u32) -> Placed {
        let (start, end) = (DVec3::from(self.start), DVec3::from(self.end));
        Placed {
            position: (start + end) / 2.0,
            rotation: upright((end - start).normalize_or(DVec3::Y)),
            size: Size {
                half_extents: Vec3f::new(0.0, ((end - start).length() / 2.0) as f32, 0.0),
                radius: self.radius as f32,
            },
        }
    }

    fn triangles(&self) -> Triangles {
        let axis = DVec3::from(self.end) - DVec3::from(self.start);
        let cap = |from: f64, shift: f64| {
            let arc = (0..=QUARTER).map(move |k| from + angle(k));
            arc.map(move |a| (shift + self.radius * a.sin(), self.radius * a.cos()))
        };
        let profile: Vec<_> = cap(-0.5 * PI, 0.0).chain(cap(0.0, axis.length())).collect();
        turned(self.start.into(), axis, &profile)
    }

    fn own_triangles(&self) -> Triangles {
        let (start, end) = own(self.start, self.end);
        Self { start, end, ..*self }.triangles()
    }
}

impl Kind for Capsule {
    const KEY: &'static str = "capsule";

    fn distance(size: Size, p: Vec3f) -> f32 {
        let half = size.half_extents.y;
        (p - Vec3f::Y * p.y.clamp(-half, half)).length() - size.radius
    }

    fn reach(size: Size) -> Option<Vec3f> {
        let r = size.radius;
        Some(Vec3f::new(r, size.half_extents.y + r, r))
    }

    fn drawn() -> Vec<Vertex> {
        [drawing::ball(1.0), drawing::tube()].concat()
    }

    fn outline(size: Size, flat: bool) -> Vec<[Vec3f; 2]> {
        if !flat {
            return Vec::new();
        }
        let (r, up) = (size.radius, size.half_extents.y * Vec3f::Y);
        let end = |center| drawing::circle(center, r, Vec3f::X, Vec3f::Y);
        [end(up), end(-up)].concat()
    }
}
