//! Polygons of the plane, for 2-D: `shape.polygon = { points = [[…], …] }`, or of a file.

use glam::{DVec2, DVec3, Quat, Vec3 as Vec3f};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use crate::{
    Check, Side, Vec3,
    check::{LARGEST, WIDEST},
    file::Content,
    fill,
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles},
    lattice,
    length::Length,
    mesh::Solid,
    rings::steps,
};

/// Most corners.
const MOST: usize = 4096;
/// Largest distance of a corner of a layer from the polygon's, relative to the depth of the layer.
const MITRE: f64 = 2.5;
/// Least distance of points of a layer, and of one from the surface, in spacings and in depths of the layer.
const APART: f64 = 0.6;
const BEHIND: f64 = 0.9;

/// A polygon in 2-D, scaled, then rotated, then moved: its corners in m, or a file of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polygon {
    /// Corners in m, in order around it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Vec3>,
    /// File of the corners (CSV, DXF) in place of points; the path is relative to the scene's.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// Scale factor.
    #[serde(default = "one")]
    pub scale: f64,
    /// Rotation about the origin in degrees, counter-clockwise.
    #[serde(default)]
    pub rotation: f64,
    /// Translation in m.
    #[serde(default)]
    #[schemars(transform = crate::bounds::planar)]
    pub translation: Vec3,
    /// The polygon, placed in the scene ([`Polygon::fill_in`]).
    #[serde(skip)]
    pub content: Content<Section>,
}

fn one() -> f64 {
    1.0
}

/// A polygon at its place.
#[derive(Debug)]
pub struct Section {
    /// Corners in m, counter-clockwise.
    corners: Vec<DVec2>,
    /// Area in m².
    area: f64,
    /// Centre of mass in m.
    center: DVec2,
    /// Moment of inertia per mass about it in m².
    inertia: f64,
    /// First corners of two sides that cross.
    crossing: Option<[usize; 2]>,
    solid: Arc<Solid>,
}

impl Section {
    fn new(mut corners: Vec<DVec2>) -> Self {
        // Closed files repeat the first corner; equal neighbours have no side.
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        let (mut area, mut first, mut second) = (0.0, DVec2::ZERO, 0.0);
        let origin = corners.first().copied().unwrap_or_default();
        for (a, b) in sides(&corners) {
            let (a, b) = (a - origin, b - origin);
            let cross = a.perp_dot(b);
            area += cross / 2.0;
            first += cross / 6.0 * (a + b);
            second += cross / 12.0 * (a.dot(a) + a.dot(b) + b.dot(b));
        }
        if area < 0.0 {
            corners.reverse();
            (area, first, second) = (-area, -first, -second);
        }
        let arm = if area > 0.0 { first / area } else { DVec2::ZERO };
        let inertia = if area > 0.0 { second / area - arm.length_squared() } else { 0.0 };
        let center = origin + arm;
        // More are refused, and would take long.
        let crossing = if corners.len() > MOST { None } else { crossing(&corners) };
        let solid = Arc::new(Solid::prism(&corners, center, area, inertia));
        Self { corners, area, center, inertia, crossing, solid }
    }

    fn bounds(&self) -> (DVec2, DVec2) {
        self.corners.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| {
            (low.min(*p), high.max(*p))
        })
    }

    /// Depth of a point in m, negative outside.
    fn depth(&self, p: DVec2) -> f64 {
        let (mut nearest, mut inside) = (f64::INFINITY, false);
        for (a, b) in sides(&self.corners) {
            let side = b - a;
            let share = ((p - a).dot(side) / side.length_squared()).clamp(0.0, 1.0);
            nearest = nearest.min((p - a - share * side).length_squared());
            if (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / side.y * side.x {
                inside = !inside;
            }
        }
        if inside { nearest.sqrt() } else { -nearest.sqrt() }
    }

    /// Corners moved so that both sides are `behind` m further out; not far beyond sharp ones.
    fn moved(&self, behind: f64) -> Vec<DVec2> {
        let count = self.corners.len();
        let out = |k: usize| {
            let side = self.corners[(k + 1) % count] - self.corners[k % count];
            -side.perp().normalize_or_zero()
        };
        let at = |k: usize| {
            let (before, after) = (out(k + count - 1), out(k));
            let sum = before + after;
            let along = 2.0 / sum.length_squared().max(f64::MIN_POSITIVE) * sum;
            self.corners[k] + behind * along.clamp_length_max(MITRE)
        };
        (0..count).map(at).collect()
    }
}

/// Sides from corner to corner.
fn sides(corners: &[DVec2]) -> impl Iterator<Item = (DVec2, DVec2)> {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// First corners of two sides that cross each other.
fn crossing(corners: &[DVec2]) -> Option<[usize; 2]> {
    let all: Vec<_> = sides(corners).collect();
    let left = |(a, b): (DVec2, DVec2), p: DVec2| (b - a).perp_dot(p - a) > 0.0;
    let cross = |s: (DVec2, DVec2), t: (DVec2, DVec2)| {
        left(s, t.0) != left(s, t.1) && left(t, s.0) != left(t, s.1)
    };
    let count = all.len();
    (0..count).find_map(|i| {
        let others = (i + 2..count).filter(|j| (j + 1) % count != i);
        others.map(|j| [i, j]).find(|[i, j]| cross(all[*i], all[*j]))
    })
}

impl Polygon {
    /// A polygon of corners in m.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let points = points.into_iter().map(|[x, y]| [x, y, 0.0]).collect();
        let mut polygon = Self {
            points,
            file: String::new(),
            scale: 1.0,
            rotation: 0.0,
            translation: [0.0; 3],
            content: Content::default(),
        };
        polygon.fill_in(None);
        polygon
    }

    /// Places the corners, those of a file or its own. Call it again after changing them or the placement.
    pub fn fill_in(&mut self, read: Option<&[Vec3]>) {
        let turn = DVec2::from_angle(self.rotation.to_radians());
        let moved = DVec3::from(self.translation).truncate();
        let place = |p: &Vec3| turn.rotate(self.scale * DVec3::from(*p).truncate()) + moved;
        let corners = read.unwrap_or(&self.points).iter().map(place).collect();
        self.content = Content::of(Section::new(corners));
    }

    fn section(&self) -> Option<&Section> {
        self.content.get().map(|section| &**section)
    }
}

impl Form for Polygon {
    fn check(&self, key: &str, check: &mut Check) {
        if check.dimensions != 2 {
            check.report(key, "polygons are of 2-D: use a mesh");
            return;
        }
        let of = |name: &str| format!("{key}.{name}");
        if self.points.is_empty() == self.file.is_empty() {
            check.report(key, "needs points = [[x, y], …] or a file, one of them");
            return;
        }
        for (i, point) in self.points.iter().enumerate() {
            if !check.planar(&format!("{key}.points[{i}]"), *point) {
                return;
            }
        }
        if self.scale.abs() < 1.0 / LARGEST {
            check.report(of("scale"), "must not be 0");
            return;
        }
        let from = if self.file.is_empty() { of("points") } else { of("file") };
        let Some(section) = self.section() else {
            check.report(from, "has not been read");
            return;
        };
        let count = section.corners.len();
        let (low, high) = section.bounds();
        let size = (high - low).max_element();
        if count < 3 {
            check.report(
                from,
                format!("a polygon has three different corners or more, not {count}"),
            );
        } else if count > MOST {
            check.report(from, format!("at most {MOST} corners are possible, not {count}"));
        } else if let Some([i, j]) = section.crossing {
            let message = format!(
                "crosses itself: the sides from corners {} and {} meet",
                at(section.corners[i]),
                at(section.corners[j])
            );
            check.report(from, message);
        } else if size < check.spacing || section.area < 1e-9 * size * size {
            let spacing = check.spacing;
            let message = format!(
                "is {} large with an area of {:.3e} m²: too small for particles {spacing} m apart",
                Length(size),
                section.area
            );
            check.report(from, message);
        } else if size / check.support_radius > WIDEST {
            check.report(from, format!("is {} large: too far for 32-bit positions", Length(size)));
        }
    }

    fn depth(&self, point: DVec3, _dimensions: u32) -> f64 {
        self.section().map_or(f64::NEG_INFINITY, |section| section.depth(point.truncate()))
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        let Some(section) = self.section().filter(|section| !section.corners.is_empty()) else {
            return (DVec3::ZERO, DVec3::ZERO);
        };
        let (low, high) = section.bounds();
        ((0.5 * (low + high)).extend(0.0), (0.5 * (high - low)).extend(0.0))
    }

    fn fill(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let Some(section) = self.section() else { return Vec::new() };
        let (center, _) = self.bounds();
        let own = |p: &DVec2| fill::in_spacings(p.extend(0.0) - center, spacing).truncate();
        let own = Self::new(section.corners.iter().map(|p| own(p).to_array()));
        let sites = lattice::centered(own.bounds(), 1.0, dimensions);
        fill::shape(self, center, &own, sites, spacing, dimensions)
    }

    fn middle(&self) -> DVec3 {
        self.section().map_or(DVec3::ZERO, |section| section.center.extend(0.0))
    }

    fn is_convex(&self) -> bool {
        false
    }

    /// On the moved sides, in even steps, without those that another side is nearer to.
    fn layer(
        &self,
        side: Side,
        depth: f64,
        spacing: f64,
        _dimensions: u32,
        _region: [DVec3; 2],
    ) -> Vec<Vec3> {
        let Some(section) = self.section() else { return Vec::new() };
        let behind = side.behind(depth);
        let mut kept: Vec<DVec2> = Vec::new();
        for (a, b) in sides(&section.moved(behind)) {
            let count = steps(a.distance(b), spacing);
            for k in 0..count {
                let p = a.lerp(b, k as f64 / count as f64);
                let is_behind = -section.depth(p) * behind.signum() >= BEHIND * behind.abs();
                let is_apart = |other: &DVec2| other.distance(p) > APART * spacing;
                if is_behind && kept.iter().all(is_apart) {
                    kept.push(p);
                }
            }
        }
        kept.into_iter().map(|p| p.extend(0.0).to_array()).collect()
    }

    /// Particles are at least the gap inside the convex hull of the corners.
    fn corners(&self, _gap: f64, _dimensions: u32) -> Corners {
        let corners = self.section().map_or(&[][..], |section| &section.corners);
        corners.iter().map(|p| (p.extend(0.0), 0.0)).collect()
    }

    fn mesh(&self) -> Option<&Arc<Solid>> {
        self.section().map(|section| &section.solid)
    }

    fn bulk(&self, _dimensions: u32) -> Option<Bulk> {
        let section = self.section()?;
        let inertia = DVec3::new(0.0, 0.0, section.inertia);
        Some(Bulk { volume: section.area, inertia })
    }

    /// Half extents about the centre of the bounding box.
    fn placed(&self, _dimensions: u32) -> Placed {
        let (position, half) = self.bounds();
        let size = Size { half_extents: half.as_vec3(), ..Size::default() };
        Placed { position, rotation: Quat::IDENTITY, size }
    }

    fn placed_body(&self, dimensions: u32) -> Placed {
        let Some(section) = self.section() else { return self.placed(dimensions) };
        let (low, high) = section.bounds();
        let half = (high - section.center).max(section.center - low).extend(0.0);
        Placed {
            position: section.center.extend(0.0),
            rotation: Quat::IDENTITY,
            size: Size { half_extents: half.as_vec3(), ..Size::default() },
        }
    }

    /// None: files of solids are of 3-D.
    fn triangles(&self) -> Triangles {
        Triangles::default()
    }

    fn own_triangles(&self) -> Triangles {
        Triangles::default()
    }
}

/// A corner in a message.
fn at(p: DVec2) -> String {
    format!("[{}, {}]", p.x, p.y)
}

impl Kind for Polygon {
    const KEY: &'static str = "polygon";

    fn reach(size: Size) -> Option<Vec3f> {
        Some(size.half_extents)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An L, clockwise, with its first corner repeated.
    fn angle() -> Polygon {
        let corners =
            [[0.0, 0.0], [0.0, 2.0], [1.0, 2.0], [1.0, 1.0], [3.0, 1.0], [3.0, 0.0], [0.0, 0.0]];
        Polygon::new(corners)
    }

    #[test]
    fn an_angle_has_the_area_and_centre_of_its_two_rectangles() {
        let polygon = angle();
        let bulk = polygon.bulk(2).expect("it has an area");
        assert!((bulk.volume - 4.0).abs() < 1e-12);
        // 1 × 2 about (½, 1), and 2 × 1 about (2, ½).
        let center = polygon.middle();
        assert!(center.distance(DVec3::new(1.25, 0.75, 0.0)) < 1e-12, "{center}");
        let own = |a: f64, b: f64| (a * a + b * b) / 12.0;
        let arm = 0.75f64.powi(2) + 0.25f64.powi(2);
        let inertia = 0.5 * (own(1.0, 2.0) + own(2.0, 1.0)) + arm;
        assert!((bulk.inertia.z - inertia).abs() < 1e-12, "{} and {inertia}", bulk.inertia.z);
        let depth = |x, y| polygon.depth(DVec3::new(x, y, 0.0), 2);
        let corner = 0.5 * 2f64.sqrt();
        for (found, due) in [
            (depth(0.5, 1.5), 0.5),
            (depth(1.5, 1.5), -0.5),
            (depth(0.5, 0.5), 0.5),
            (depth(3.5, -0.5), -corner),
        ] {
            assert!((found - due).abs() < 1e-12, "{found} and {due}");
        }
    }

    #[test]
    fn layers_are_a_depth_behind_every_side_and_about_a_spacing_apart() {
        let polygon = angle();
        for side in [Side::Inside, Side::Outside] {
            let points = polygon.layer(side, 0.05, 0.1, 2, [DVec3::ZERO; 2]);
            // Its sides are 10 m long; moved by 5 cm, they are 40 cm longer or shorter.
            let due = 100.0 + 4.0 * f64::from(if side == Side::Inside { 1 } else { -1 });
            assert!((points.len() as f64 - due).abs() <= 3.0, "{} points, not {due}", points.len());
            for p in points {
                let depth = polygon.depth(p.into(), 2).abs();
                assert!((0.045..0.0708).contains(&depth), "{depth} m at {p:?}");
            }
        }
    }

    #[test]
    fn particles_fill_the_area_and_keep_off_the_sides() {
        let polygon = angle();
        let particles = polygon.fill(0.1, 2);
        assert_eq!(particles.len(), 400);
        let depths = particles.iter().map(|p| polygon.depth(DVec3::from(*p), 2));
        let least = depths.fold(f64::INFINITY, f64::min);
        assert!(least > 0.04, "{least} m");
    }

    #[test]
    fn polygons_that_cross_themselves_are_no_shapes() {
        let mut check =
            Check { dimensions: 2, spacing: 0.1, support_radius: 0.2, problems: Vec::new() };
        Polygon::new([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]).check("p", &mut check);
        assert!(check.problems[0].message.contains("crosses itself"), "{:?}", check.problems);
        check.problems.clear();
        angle().check("p", &mut check);
        assert_eq!(check.problems, []);
    }
}
