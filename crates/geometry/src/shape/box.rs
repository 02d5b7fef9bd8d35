//! Boxes along the axes: `shape.box = { min = […], max = […] }`.

use glam::{DVec3, Quat, Vec3 as Vec3f};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Check, Packing, Side, Vec3,
    drawing::{self, Vertex},
    fill,
    form::{Bulk, Corners, Form, Kind, Placed, Size, Triangles},
    lattice::{Lattice, SLACK, cells},
    rings::steps,
    segment::{half, middle},
};

/// A box between two corners, along the axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs, reason = "its keys are those of scene files")]
pub struct Cuboid {
    /// Lower corner in m.
    pub min: Vec3,
    /// Upper corner in m.
    pub max: Vec3,
}

impl Form for Cuboid {
    fn check(&self, key: &str, check: &mut Check) {
        check.corners(key, self.min, self.max);
    }

    fn depth(&self, point: DVec3, dimensions: u32) -> f64 {
        let inside = (point - DVec3::from(self.min)).min(DVec3::from(self.max) - point);
        let plane = inside.x.min(inside.y);
        if dimensions == 2 { plane } else { plane.min(inside.z) }
    }

    fn bounds(&self) -> (DVec3, DVec3) {
        (middle(self.min, self.max), half(self.min, self.max))
    }

    fn box_corners(&self) -> Option<[Vec3; 2]> {
        Some([self.min, self.max])
    }

    fn fills_bounds(&self) -> bool {
        true
    }

    /// Lattice of whole spacings, or rows as `Rows` says.
    fn fill(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        let Some(rows) = self.rows(spacing, dimensions) else {
            return self.sites(spacing, dimensions);
        };
        // In spacings from the lower corner, and stretched to the sides' last digits.
        let own = Self { min: [0.0; 3], max: rows.sides };
        let lattice = own.lattice(1.0, dimensions);
        let places = fill::even_out(
            &own,
            rows.places(&own, dimensions),
            lattice,
            dimensions,
            rows.depth(1.0),
        );
        let min = DVec3::from(self.min);
        let stretch = (DVec3::from(self.max) - min) / DVec3::from(rows.sides);
        let flat = |p: DVec3| if dimensions == 2 { p.with_z(0.0) } else { p };
        places.into_iter().map(|p| flat(min + stretch * p).to_array()).collect()
    }

    /// Starts at the lower corner, half a spacing inside it.
    fn sites(&self, spacing: f64, dimensions: u32) -> Vec<Vec3> {
        self.lattice(spacing, dimensions).places().map(DVec3::into).collect()
    }

    fn count(&self, spacing: f64, dimensions: u32) -> f64 {
        let rows = self.rows(spacing, dimensions);
        rows.map_or_else(|| self.lattice(spacing, dimensions).count(), |rows| rows.count)
    }

    fn fill_packed(&self, packing: Packing, spacing: f64, dimensions: u32) -> Option<Vec<Vec3>> {
        let Some(packed) = self.packed(packing, spacing, dimensions) else {
            return Some(match packing {
                Packing::Cubic => self.sites(spacing, dimensions),
                _ => self.fill(spacing, dimensions),
            });
        };
        let mut particles = Vec::new();
        let [x, y, z] = packed.counts.map(|count| count as u64);
        let sites = (0..x).flat_map(|j| (0..y).flat_map(move |k| (0..z).map(move |l| (j, k, l))));
        for (j, k, l) in sites {
            let mut at = packed.first + DVec3::new(j as f64, k as f64, l as f64) * packed.step;
            let even = k % 2 == 0;
            match packing {
                Packing::Hexagonal => {
                    at.x += if even { 0.5 * packed.step.x } else { 0.0 };
                    at.z += if j % 2 == 0 {
                        0.5
                    } else if even {
                        1.0
                    } else {
                        0.0
                    } * spacing;
                }
                _ if even => at.z += 0.5 * spacing,
                _ => at.x += 0.5 * spacing,
            }
            particles.push(if dimensions == 2 { [at.x, at.y, 0.0] } else { at.to_array() });
        }
        Some(particles)
    }

    fn count_packed(&self, packing: Packing, spacing: f64, dimensions: u32) -> Option<f64> {
        let counts = self.packed(packing, spacing, dimensions).map(|packed| packed.counts);
        Some(match (packing, counts) {
            (_, Some(counts)) => counts.iter().product(),
            (Packing::Cubic, None) => self.lattice(spacing, dimensions).count(),
            _ => self.count(spacing, dimensions),
        })
    }

    fn layer(
        &self,
        side: Side,
        depth: f64,
        spacing: f64,
        dimensions: u32,
        _region: [DVec3; 2],
    ) -> Vec<Vec3> {
        let grown = DVec3::splat(side.behind(depth));
        let (min, max) = (DVec3::from(self.min) - grown, DVec3::from(self.max) + grown);
        let counts: [u64; 3] = std::array::from_fn(|k| {
            if k == 2 && dimensions == 2 { 0 } else { steps(max[k] - min[k], spacing) }
        });
        let mut points = Vec::new();
        for k in 0..=counts[2] {
            for j in 0..=counts[1] {
                let on_face =
                    dimensions == 3 && (k == 0 || k == counts[2]) || j == 0 || j == counts[1];
                let step = if on_face { 1 } else { counts[0] as usize };
                for i in (0..=counts[0]).step_by(step) {
                    let at = [i, j, k];
                    let mut point: Vec3 = std::array::from_fn(|axis| {
                        let share = at[axis] as f64 / counts[axis].max(1) as f64;
                        min[axis] + share * (max[axis] - min[axis])
                    });
                    if dimensions == 2 {
                        point[2] = 0.0;
                    }
                    points.push(point);
                }
            }
        }
        points
    }

    fn corners(&self, gap: f64, dimensions: u32) -> Corners {
        let (center, half) = self.bounds();
        let half = (half - gap).max(DVec3::ZERO);
        let flat = |z: f64| if dimensions == 2 { 0.0 } else { z };
        (0..8)
            .map(|corner| [1, 2, 4].map(|bit| f64::from(2 * i32::from(corner & bit != 0) - 1)))
            .map(|sign| center + half * DVec3::from(sign))
            .map(|point| (point.with_z(flat(point.z)), 0.0))
            .collect()
    }

    fn bulk(&self, dimensions: u32) -> Option<Bulk> {
        let (_, half) = self.bounds();
        let square = half * half;
        Some(if dimensions == 2 {
            Bulk {
                volume: 4.0 * half.x * half.y,
                inertia: DVec3::new(0.0, 0.0, (square.x + square.y) / 3.0),
            }
        } else {
            let [x, y, z] = square.to_array();
            Bulk {
                volume: 8.0 * half.element_product(),
                inertia: DVec3::new(y + z, z + x, x + y) / 3.0,
            }
        })
    }

    /// Half extents; in 2-D a box has no ends in z.
    fn placed(&self, dimensions: u32) -> Placed {
        let (min, max) = (DVec3::from(self.min), DVec3::from(self.max));
        let mut half = ((max - min) / 2.0).as_vec3();
        if dimensions == 2 {
            half.z = 1e6 * half.max_element();
        }
        Placed {
            position: (min + max) / 2.0,
            rotation: Quat::IDENTITY,
            size: Size { half_extents: half, ..Size::default() },
        }
    }

    fn triangles(&self) -> Triangles {
        let Self { min, max } = self;
        let corner = |k: usize| {
            std::array::from_fn(|axis| if k >> axis & 1 == 0 { min[axis] } else { max[axis] })
        };
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let halves = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]);
        ((0..8).map(corner).collect(), halves.collect())
    }

    fn own_triangles(&self) -> Triangles {
        let half: Vec3 = std::array::from_fn(|k| 0.5 * (self.max[k] - self.min[k]));
        Self { min: half.map(|x| -x), max: half }.triangles()
    }
}

impl Kind for Cuboid {
    const KEY: &'static str = "box";

    fn distance(size: Size, p: Vec3f) -> f32 {
        drawing::from_planes(p.abs() - size.half_extents)
    }

    fn reach(size: Size) -> Option<Vec3f> {
        Some(size.half_extents)
    }

    fn drawn() -> Vec<Vertex> {
        let faces = [Vec3f::X, Vec3f::Y, Vec3f::Z].into_iter().flat_map(|axis| [axis, -axis]);
        let face = |normal: Vec3f| {
            drawing::face(normal, 1.0).map(|by_extent| Vertex {
                by_extent,
                normal,
                open: true,
                ..Vertex::default()
            })
        };
        faces.flat_map(face).collect()
    }

    fn outline(size: Size, flat: bool) -> Vec<[Vec3f; 2]> {
        drawing::box_edges(size.half_extents, flat)
    }
}

/// Sites of a denser packing.
struct Packed {
    first: DVec3,
    step: DVec3,
    counts: [f64; 3],
}

/// Rows of particles along the longest side of a box whose sides are not whole spacings: as many rows as fit best, stretched
/// or compressed to fill it, with as many particles together as the volume holds. Neighbouring rows may differ by one.
struct Rows {
    /// Number of all particles, whole.
    count: f64,
    /// Axis of the rows, and the others.
    axis: usize,
    others: [usize; 2],
    /// Number of rows across each of the others.
    across: [f64; 2],
    /// Sides of the box in spacings.
    sides: [f64; 3],
}

impl Rows {
    fn places(&self, cuboid: &Cuboid, dimensions: u32) -> Vec<DVec3> {
        let [count, second, third] = [self.count, self.across[0], self.across[1]].map(|n| n as u64);
        let place = |at: [(usize, f64); 3]| {
            let mut place = DVec3::ZERO;
            for (axis, share) in at {
                place[axis] = cuboid.min[axis] + share * (cuboid.max[axis] - cuboid.min[axis]);
            }
            if dimensions == 2 { place.with_z(0.0) } else { place }
        };
        let middle = |k: u64, of: u64| (k as f64 + 0.5) / of as f64;
        let rows = second * third;
        let before = |row: u64| row * count / rows;
        let row = |row: u64| {
            let here = before(row + 1) - before(row);
            let [j, k] = [middle(row % second, second), middle(row / second, third)];
            let at =
                move |i| [(self.axis, middle(i, here)), (self.others[0], j), (self.others[1], k)];
            (0..here).map(move |i| place(at(i)))
        };
        (0..rows).flat_map(row).collect()
    }

    /// Least depth in m of its particles below the surface.
    fn depth(&self, spacing: f64) -> f64 {
        let across = self.others.into_iter().zip(self.across).map(|(k, n)| self.sides[k] / n);
        let along = self.sides[self.axis] / (self.count / self.across[0] / self.across[1]).ceil();
        0.5 * spacing * across.fold(along, f64::min).min(1.0)
    }
}

impl Cuboid {
    /// Rows in place of the lattice, unless all sides are whole spacings, or the box is thinner than one.
    fn rows(&self, spacing: f64, dimensions: u32) -> Option<Rows> {
        let (_, half) = self.bounds();
        let mut sides = fill::in_spacings(2.0 * half, spacing).to_array();
        if dimensions == 2 {
            sides[2] = 1.0;
        }
        let is_whole = |side: &f64| (side - side.round()).abs() <= SLACK;
        let fits = sides.iter().all(|side| cells(*side, 1.0) > 0.0 && *side < 1e9);
        if !fits || sides.iter().all(is_whole) {
            return None;
        }
        let longest = if sides[1] > sides[0] { 1 } else { 0 };
        let axis = if sides[2] > sides[longest] { 2 } else { longest };
        let others = [[1, 2], [0, 2], [0, 1]][axis];
        Some(Rows {
            count: fill::count(self.bulk(dimensions)?.volume, spacing, dimensions),
            axis,
            others,
            across: others.map(|k| sides[k].round()),
            sides,
        })
    }

    fn lattice(&self, spacing: f64, dimensions: u32) -> Lattice {
        let (_, half) = self.bounds();
        let mut counts = half.to_array().map(|half| cells(2.0 * half, spacing));
        let mut first = DVec3::from(self.min) + 0.5 * spacing;
        if dimensions == 2 {
            counts[2] = 1.0;
            first.z = 0.0;
        }
        Lattice { first, spacing, counts }
    }

    /// Shifted rows lie within the box as well.
    fn packed(&self, packing: Packing, spacing: f64, dimensions: u32) -> Option<Packed> {
        let half = 0.5 * spacing;
        let layer = 3f64.sqrt() * half;
        let row = 6f64.sqrt() * spacing / 3.0;
        let size = DVec3::from(self.max) - DVec3::from(self.min);
        let rows = |length: f64, step: f64| ((length - spacing) / step + SLACK).floor() + 1.0;
        let (step, counts) = match packing {
            Packing::Filled | Packing::Cubic => return None,
            Packing::Staggered => (
                DVec3::new(spacing, layer, spacing),
                [cells(size.x - half, spacing), rows(size.y, layer), cells(size.z - half, spacing)],
            ),
            Packing::Hexagonal => (
                DVec3::new(row, layer, spacing),
                [
                    rows(size.x - 0.5 * row, row),
                    rows(size.y, layer),
                    cells(size.z - spacing, spacing),
                ],
            ),
        };
        let mut counts = counts.map(|count| count.max(0.0));
        if dimensions == 2 {
            counts[2] = 1.0;
        }
        Some(Packed { first: DVec3::from(self.min) + half, step, counts })
    }
}
