//! Cylinders with flat ends: `shape.cylinder = { start = […], end = […], radius = … }`.

use std::f64::consts::{PI, TAU};

use crate::bounds::positive;
use glam::{DVec3, Vec3 as Vec3f, Vec3Swizzles};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Check, Side, Vec3,
    drawing::{self, Vertex},
    fill,
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles},
    lattice::{self, Lattice, cells, centered_sites},
    rings::{ring, steps, turned},
    segment::{half, middle, own, upright},
};

/// A cylinder with flat ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "its keys are those of scene files")]
pub struct Cylinder {
    /// Centre of one end in m.
    pub start: Vec3,
    /// Centre of the other end in m.
    pub end: Vec3,
    /// Radius in m.
    #[schemars(transform = positive)]
    pub radius: f64,
}

impl Form for Cylinder {
    fn check(&self, key: &str, check: &mut Check) {
        if check.dimensions == 2 {
            check.report(key, "there are no cylinders in 2-D: use a box or a polygon");
        } else {
            check.segment(key, self.start, self.end);
        }
    }

    fn depth(&self, point: DVec3, _dimensions: u32) -> f64 {
        let (start, end) = (DVec3::from(self.start), DVec3::from(self.end));
        let axis = (end - start).normalize_or_zero();
        let along = (point - start).dot(axis);
        let from_axis = (point - start - axis * along).length();
        (self.radius - from_axis).min(along).min((end - start).length() - along)
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let half = half(self.start, self.end);
        let axis = half.normalize_or_zero();
        let rim = (DVec3::ONE - axis * axis).max(DVec3::ZERO);
        let rim = self.radius * DVec3::new(rim.x.sqrt(), rim.y.sqrt(), rim.z.sqrt());
        (middle(self.start, self.end), half.abs() + rim)
    }

    fn fill(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        if dimensions == 2 {
            return Vec::new();
        }
        let end = fill::in_spacings(half(self.start, self.end), spacing);
        let radius = fill::in_spacings(DVec3::splat(self.radius), spacing).x;
        let own = Self { start: (-end).to_array(), end: end.to_array(), radius };
        let center = middle(self.start, self.end);
        fill::shape(self, center, &own, own.lattice(1.0), spacing, 3)
    }

    fn sites(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        if dimensions == 2 {
            return Vec::new();
        }
        let least = lattice::least_depth(spacing);
        let sites = self.lattice(spacing).places();
        sites.filter(|p| self.depth(*p, 3) >= least).map(DVec3::into).collect()
    }

    /// A thin one has a row of particles.
    fn count(&self, spacing: f64, dimensions: u32) -> f64 {
        if dimensions == 2 || self.radius < lattice::least_depth(spacing) {
            return 0.0;
        }
        let length = 2.0 * half(self.start, self.end).length();
        let row = cells(length, spacing);
        if row < 1.0 {
            0.0
        } else {
            row.max(fill::count(PI * self.radius.powi(2) * length, spacing, 3))
        }
    }

    fn layer(
        &self,
        side: Side,
        depth: f64,
        spacing: f64,
        _dimensions: u32,
        _region: [DVec3; 2],
    ) -> Vec<Vec3> {
        let behind = side.behind(depth);
        let (start, end) = (DVec3::from(self.start), DVec3::from(self.end));
        let axis = (end - start).normalize_or(DVec3::Y);
        let (start, end) = (start - behind * axis, end + behind * axis);
        let radius = self.radius + behind;
        let axis = (end - start).normalize_or(DVec3::Y);
        let (u, v) = axis.any_orthonormal_pair();
        let length = (end - start).length();
        let rings = steps(length, spacing);
        let mut points = Vec::new();
        for k in 0..=rings {
            let center = start + axis * (length * k as f64 / rings as f64);
            points.extend(ring(center, u, v, radius, spacing));
        }
        let circles = steps(radius, spacing);
        for cap in [start, end] {
            for k in 0..circles {
                let r = radius * k as f64 / circles as f64;
                points.extend(ring(cap, u, v, r, spacing));
            }
        }
        points.into_iter().map(DVec3::into).collect()
    }

    fn corners(&self, gap: f64, _dimensions: u32) -> Corners {
        let (start, end) = (DVec3::from(self.start), DVec3::from(self.end));
        let axis = (end - start).normalize_or_zero();
        let (u, v) = axis.any_orthonormal_pair();
        let rim = |turn: u32| {
            let angle = f64::from(turn) * TAU / 32.0;
            (u * angle.cos() + v * angle.sin()) * (self.radius - gap).max(0.0)
        };
        let ends = [start + axis * gap, end - axis * gap];
        ends.iter().flat_map(|&end| (0..32).map(move |turn| (end + rim(turn), 0.0))).collect()
    }

    fn bulk(&self, _dimensions: u32) -> Option<Bulk> {
        let square = |x: f64| x * x;
        let (r, h) = (self.radius, DVec3::from(self.start).distance(self.end.into()) / 2.0);
        let across = square(r) / 4.0 + square(h) / 3.0;
        Some(Bulk {
            volume: 2.0 * PI * square(r) * h,
            inertia: DVec3::new(across, square(r) / 2.0, across),
        })
    }

    /// Along y: half extents in y, and the radius.
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
        let (length, r) = (axis.length(), self.radius);
        turned(self.start.into(), axis, &[(0.0, 0.0), (0.0, r), (length, r), (length, 0.0)])
    }

    fn own_triangles(&self) -> Triangles {
        let (start, end) = own(self.start, self.end);
        Self { start, end, ..*self }.triangles()
    }
}

impl Kind for Cylinder {
    const KEY: &'static str = "cylinder";

    fn distance(size: Size, p: Vec3f) -> f32 {
        let (side, cap) = (p.xz().length() - size.radius, p.y.abs() - size.half_extents.y);
        drawing::from_planes(Vec3f::new(side, cap, f32::NEG_INFINITY))
    }

    fn reach(size: Size) -> Option<Vec3f> {
        Some(Vec3f::new(size.radius, size.half_extents.y, size.radius))
    }

    fn drawn() -> Vec<Vertex> {
        [drawing::tube(), drawing::caps()].concat()
    }

    fn outline(size: Size, flat: bool) -> Vec<[Vec3f; 2]> {
        let (r, up) = (size.radius, size.half_extents.y * Vec3f::Y);
        if flat {
            return drawing::box_edges(Vec3f::new(r, size.half_extents.y, r), true);
        }
        let rim = |center| drawing::circle(center, r, Vec3f::X, Vec3f::Z);
        [rim(up), rim(-up)].concat()
    }
}

impl Cylinder {
    /// Layers lie flush with the flat ends of a cylinder along an axis.
    fn lattice(&self, spacing: f64) -> Lattice {
        let (center, half) = self.bounds();
        let mut counts = half.to_array().map(|half| centered_sites(half - 0.5 * spacing, spacing));
        let axis = (DVec3::from(self.end) - DVec3::from(self.start)).normalize_or_zero();
        if let Some(flush) = (0..3).find(|&k| axis[k].abs() > 1.0 - 1e-9) {
            counts[flush] = cells(2.0 * half[flush], spacing);
        }
        lattice::about(center, counts, spacing, 3)
    }
}
